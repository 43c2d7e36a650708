/** What can go wrong with one request, before anybody decides whether to try again. */
import type { ModelFailureCode } from '../../engine/evals/model.ts';

export interface AttemptFailure {
  readonly code: ModelFailureCode;
  /** The provider's own words, or ours for what never reached it. */
  readonly message: string;
  readonly retriable: boolean;
  readonly status?: number;
  /** How long the endpoint asked to wait, in ms. */
  readonly retryAfterMs?: number;
  /** A name for what went wrong that {@link ModelFailureCode} does not tell apart, for the advice. */
  readonly detail?: 'no-credit' | 'context' | 'max-tokens-name' | 'certificate' | 'refused' | 'unknown-host';
}

/** Carries a failure through code that only knows exceptions. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure) {
    // The package looks for words about time in messages and drops the error when it finds some.
    super('attempt failed');
    this.failure = failure;
  }
}

/** Longest text of a provider that is kept, in UTF-16 units. */
const longest = 500;

/**
 * The words of a provider made fit for a line of a log or a terminal: control characters and runs of white space
 * become one blank, and what is too long is cut.
 */
export function tidy(text: string): string {
  const start = text.slice(0, longest * 4);
  const line = start.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
