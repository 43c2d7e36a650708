/** How long to wait before a request is tried again. */

/** First wait and longest wait where the endpoint does not say, in ms. */
const first = 500;
const longest = 30_000;

/** Longest wait an endpoint is obeyed in, in ms. Whoever asks for more has a quota that is used up, not a moment's load. */
export const longestObeyed = 120_000;

/**
 * Ms to wait after the attempt of that number (from 1). Doubles from half a second to half a minute, of which a random
 * half is taken off, so that requests that failed together do not come again together. What the endpoint asked for is
 * never cut short; a tenth and a little is added at random for the same reason.
 *
 * @param random from 0 to below 1
 * @returns null when the endpoint asks to wait longer than {@link longestObeyed}: not to be tried again now.
 */
export function waitAfter(attempt: number, retryAfterMs: number | undefined, random: number): number | null {
  if (retryAfterMs === undefined) {
    return Math.min(longest, first * 2 ** (attempt - 1)) * (1 - random / 2);
  }
  return retryAfterMs > longestObeyed ? null : retryAfterMs + (100 + retryAfterMs / 10) * random;
}
