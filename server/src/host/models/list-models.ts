/** Which models an endpoint has. */
import type { Clock } from '../../engine/evals/clock.ts';
import type { ModelFailure } from '../../engine/evals/model.ts';
import { isRecord } from '../jsonl.ts';
import { explainFailure } from './advice.ts';
import { originOf } from './base-url.ts';
import { readText } from './body.ts';
import { invalid } from './completion.ts';
import { type Failed, withDeadline } from './deadline.ts';
import type { KeyFinder } from './keys.ts';
import { type Fetch, openTransport } from './transport.ts';

export interface ListedModel {
  /** To be used as `model`. */
  readonly id: string;
  /** Longest prompt and reply together, in the model's own tokens, where the endpoint says. */
  readonly context?: number;
}

export type ModelList =
  | { readonly ok: true; readonly models: readonly ListedModel[] }
  | { readonly ok: false; readonly failure: ModelFailure };

interface ListDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly keys?: KeyFinder;
  readonly fetch?: Fetch;
}

/** Somebody waits for the list, so it is asked for once and not for long, in ms. */
const patience = 15_000;
/** Longest list that is read, in bytes. */
const longestList = 16 * 2 ** 20;

/**
 * Asks an endpoint for its models, in the order of their names. Never rejects.
 *
 * @param baseUrl as `parseBaseUrl` gave it
 */
export async function listModels(baseUrl: string, deps: ListDeps): Promise<ModelList> {
  const { clock, signal, keys, fetch } = deps;
  const key = keys?.(originOf(baseUrl)) ?? null;
  const transport = openTransport({
    baseUrl,
    key,
    now: clock.now,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const listed = await withDeadline<readonly ListedModel[] | Failed>(
    { clock, timeoutMs: patience, signal },
    async (limited) => {
      const incoming = await transport.send('get', '/models', undefined, limited);
      return readList((await readText(incoming.body, longestList)) ?? '');
    },
  );
  if (!('failure' in listed)) return { ok: true, models: listed };
  const endpoint = { baseUrl, model: 'the model' };
  return { ok: false, failure: explainFailure(listed.failure, endpoint, key, 1) };
}

/** `{data: [{id}]}`, as OpenAI answers, or a bare list, as some others do. */
function readList(text: string): readonly ListedModel[] | Failed {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { failure: invalid(`The list of models is not JSON: ${text}`) };
  }
  const list = isRecord(body) ? (body['data'] ?? body['models']) : body;
  if (!Array.isArray(list)) return { failure: invalid(`No list of models in the answer: ${text}`) };
  const models = list.flatMap((entry: unknown): ListedModel[] => {
    const id = isRecord(entry) ? (entry['id'] ?? entry['name']) : entry;
    if (typeof id !== 'string' || id === '') return [];
    const context = isRecord(entry) ? contextOf(entry) : undefined;
    return [context === undefined ? { id } : { id, context }];
  });
  return models.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function contextOf(entry: Readonly<Record<string, unknown>>): number | undefined {
  const names = ['max_model_len', 'context_length', 'context_window', 'max_context_length'];
  const value = names.map((name) => entry[name]).find((size) => typeof size === 'number' && size > 0);
  return typeof value === 'number' ? value : undefined;
}
