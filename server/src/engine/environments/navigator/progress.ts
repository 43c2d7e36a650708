/**
 * How far an episode has come along the chain of evidence, seen with the evidence in hand.
 *
 * A hop is known when its value, normalised, stands in a held summary, or when its chunk is held and the hop before it
 * is known (or it is the first). The frontier is the first hop after the last known one: what is needed next. It
 * equals the number of hops when the answer is in reach.
 */
import { normalizeAnswer } from './answers.ts';
import type { Instance } from './instance.ts';
import type { HeldItem, State } from './state.ts';

/** Normalised texts of summaries and values of evidence: states share them, and every step asks for them. */
const summaries = new WeakMap<HeldItem, string>();
const values = new WeakMap<Instance, readonly string[]>();
const frontiers = new WeakMap<State, number>();

function summaryForm(item: HeldItem): string {
  const known = summaries.get(item);
  if (known !== undefined) return known;
  const form = normalizeAnswer(item.text);
  summaries.set(item, form);
  return form;
}

function valueForms(instance: Instance): readonly string[] {
  const known = values.get(instance);
  if (known !== undefined) return known;
  const forms = instance.evidence.map(({ value }) => normalizeAnswer(value));
  values.set(instance, forms);
  return forms;
}

/** True when the chunk numbered `chunk` is held. */
function holdsChunk(state: State, chunk: number): boolean {
  const id = String(chunk);
  return state.held.some((item) => item.kind === 'chunk' && item.id === id);
}

/** The first hop after the last known one, from 0 to the number of hops. */
export function frontierOf(state: State): number {
  const remembered = frontiers.get(state);
  if (remembered !== undefined) return remembered;
  const forms = valueForms(state.instance);
  let frontier = 0;
  for (const [hop, { chunk_idx }] of state.instance.evidence.entries()) {
    const form = forms[hop] ?? '';
    const written =
      form !== '' && state.held.some((item) => item.kind === 'summary' && summaryForm(item).includes(form));
    // Hops up to the frontier need not all be known; the one right before it always is.
    if (written || (holdsChunk(state, chunk_idx) && frontier === hop)) frontier = hop + 1;
  }
  frontiers.set(state, frontier);
  return frontier;
}

/** True when the step from `before` to `after` did what its action `kind` asks for. */
export function succeeded(after: State, ...kinds: readonly string[]): boolean {
  return after.last !== null && after.last.error === null && kinds.includes(after.last.action.kind);
}

/** The hop whose knowledge a COMPRESS or DROP threw away, or null: the one before the old frontier, when it falls back. */
export function lostHop(before: State, after: State): number | null {
  if (!succeeded(after, 'COMPRESS', 'DROP')) return null;
  const frontier = frontierOf(before);
  return frontierOf(after) < frontier ? frontier - 1 : null;
}

/** The chunk that a successful READ loaded, or null for any other step. */
export function chunkRead(after: State): number | null {
  return succeeded(after, 'READ') ? (after.reads.at(-1) ?? null) : null;
}

/** True for a successful READ of a chunk that had been read before. */
export function isReread(before: State, after: State): boolean {
  const chunk = chunkRead(after);
  return chunk !== null && before.reads.includes(chunk);
}

/** True for a successful READ of another chunk than the one needed next; of any chunk when nothing more is needed. */
export function isOffTarget(before: State, after: State): boolean {
  const chunk = chunkRead(after);
  return chunk !== null && chunk !== before.instance.evidence[frontierOf(before)]?.chunk_idx;
}

/**
 * The fewest steps that can still end in the right answer, by counting alone: from the frontier on one READ for each
 * hop, a freeing step whenever the next chunk does not fit beside what is held, one ANSWER. A freeing step is taken
 * to leave a summary of the assumed size, or nothing when nothing was known.
 *
 * @returns 1 or more, whatever is left of the step budget; null when a chunk does not fit at all.
 */
export function fewestStepsLeft(state: State): number | null {
  const { contextCeiling, assumedSummaryTokens } = state.settings;
  const { evidence, chunks } = state.instance;
  let held = state.used;
  let steps = 1;
  for (let hop = frontierOf(state); hop < evidence.length; hop++) {
    const tokens = chunks[evidence[hop]?.chunk_idx ?? -1]?.tokens;
    if (tokens === undefined) return null;
    if (held + tokens > contextCeiling) {
      held = hop === 0 ? 0 : assumedSummaryTokens;
      if (held + tokens > contextCeiling) return null;
      steps++;
    }
    held += tokens;
    steps++;
  }
  return steps;
}

/** True when an episode that goes on can no longer end in the right answer within its step budget. */
export function isUnwinnable(state: State): boolean {
  if (state.ended !== null) return false;
  const fewest = fewestStepsLeft(state);
  return fewest === null || fewest > state.settings.stepBudget - state.steps;
}
