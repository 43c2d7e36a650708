/** What to do about a failure, in one sentence beside the provider's own words. */
import type { ModelEndpoint, ModelFailure } from '../../engine/evals/model.ts';
import type { AttemptFailure } from './attempt.ts';
import { longestObeyed } from './back-off.ts';
import { originOf } from './base-url.ts';
import { keyVariable, withoutKey } from './keys.ts';
import { presetAt } from './presets.ts';

/** What failed for want of the reply: a run, or a step that a person takes in the editor, where there are commands. */
export type Undertaking = 'run' | 'step';

/**
 * A failure as callers get it.
 *
 * @param key the one that was sent, to be taken out of the provider's words; null when there was none
 * @param attempts requests that were sent
 */
export function explainFailure(
  failure: AttemptFailure,
  endpoint: ModelEndpoint,
  key: string | null,
  attempts: number,
  undertaking: Undertaking = 'run',
): ModelFailure {
  const { code, message, retriable, status } = failure;
  return {
    code,
    message: withoutKey(message, key),
    advice: adviceFor(failure, endpoint, key !== null, undertaking),
    attempts,
    retriable,
    ...(status === undefined ? {} : { status }),
  };
}

function adviceFor(
  failure: AttemptFailure,
  endpoint: ModelEndpoint,
  hasKey: boolean,
  undertaking: Undertaking,
): string {
  const isRun = undertaking === 'run';
  const again = isRun ? 'resume the run' : 'take the step again';
  const { baseUrl, model } = endpoint;
  const origin = originOf(baseUrl);
  switch (failure.code) {
    case 'auth':
      return hasKey
        ? `Check that the API key set for ${origin} is valid and may use ${model}.`
        : `Set an API key for ${origin}${isRun ? variableHint(origin) : ' with "Hopscope: Set API Key…"'}.`;
    case 'not-found':
      return `Check the model's name (${model}) and the base URL (${baseUrl}); most base URLs end in /v1.`;
    case 'bad-request':
      if (!isRun) {
        return failure.detail === 'max-tokens-name'
          ? 'Leave max_tokens out of the sampling of the step prompt.'
          : 'Change what it objects to in the sampling of the step prompt.';
      }
      return failure.detail === 'max-tokens-name'
        ? 'Leave max_tokens out of the sampling and add {"max_completion_tokens": …} to the extra body.'
        : 'Change what it objects to in the sampling or the extra body; a null in the extra body leaves a key out.';
    case 'rate-limit':
      return rateAdvice(failure, isRun, again);
    case 'server':
      return failure.retriable
        ? `The endpoint has trouble of its own: ${again} later.`
        : 'Check that the base URL is that of an OpenAI-compatible chat endpoint.';
    case 'connection':
      return connectionAdvice(failure, baseUrl, again);
    case 'timeout':
      return isRun
        ? 'Raise the timeout, lower max_tokens, or lower the concurrency if the server is your own.'
        : 'Lower max_tokens in the sampling of the step prompt, or take the step again.';
    case 'invalid-response':
      return `Check that ${baseUrl} is an OpenAI-compatible chat endpoint; most base URLs end in /v1.`;
    case 'too-large':
      return failure.detail === 'context'
        ? 'Make the prompt shorter or take a model with a larger context.'
        : 'Lower max_tokens.';
    case 'prompt-too-large':
      return 'Make the step prompt print less.';
    case 'redirect':
      return 'Set the base URL to where it points if you trust that address; nothing is sent there by itself.';
    case 'cancelled':
      return isRun ? 'Resume the run to go on.' : 'Take the step again to go on.';
    case 'limit':
      return `Raise the limit and ${again} to go on.`;
  }
}

function variableHint(origin: string): string {
  const variable = keyVariable(origin);
  return variable === null ? '' : `, e.g. in the environment variable ${variable}`;
}

function rateAdvice({ detail, retryAfterMs }: AttemptFailure, isRun: boolean, again: string): string {
  if (detail === 'no-credit') return `Check the account's credit and quota, then ${again}.`;
  if (retryAfterMs !== undefined && retryAfterMs > longestObeyed) {
    return `The endpoint asks to wait for ${duration(retryAfterMs)}: ${again} then.`;
  }
  return isRun
    ? 'Lower the concurrency, or resume the run later.'
    : 'Wait a little, then take the step again.';
}

function connectionAdvice({ detail }: AttemptFailure, baseUrl: string, again: string): string {
  switch (detail) {
    case 'refused':
      return `Nothing listens at ${baseUrl}. ${presetAt(baseUrl)?.hint ?? 'Start the server or check the port.'}`;
    case 'unknown-host':
      return 'Check the host name in the base URL and the network connection.';
    case 'certificate':
      return 'Check the certificate of the endpoint; for one of your own authority, set NODE_EXTRA_CA_CERTS.';
    default:
      return `Check the network connection and that the base URL has the right scheme, then ${again}.`;
  }
}

function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
