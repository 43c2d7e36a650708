/**
 * A navigator episode as a fold. The order of the checks is the published one, since which of two errors is
 * reported, and whether a failed step ends the episode, decides the score.
 */
import { countTokens, truncateTokens } from '../../text/tokens.ts';
import type { Event, Need } from '../chat.ts';
import type { Outcome } from '../environment.ts';
import { type ParsedAction, parseAction } from './actions.ts';
import type { Instance } from './instance.ts';
import { measure } from './metrics.ts';
import { type Options, settingsFor } from './options.ts';
import { isCorrect, rewardOf } from './reward.ts';
import type { HeldItem, State, StepError } from './state.ts';

export type { State } from './state.ts';

/** A state under construction. Its lists are replaced, never changed: earlier states share them. */
type Draft = { -readonly [K in keyof State]: State[K] };

const noItems: readonly never[] = [];

/** The state before the first step: nothing held, nothing read. */
export function start(instance: Instance, options: Options): State {
  return {
    instance,
    settings: settingsFor(instance, options),
    held: noItems,
    used: 0,
    reads: noItems,
    dropped: noItems,
    notes: noItems,
    steps: 0,
    drops: 0,
    errors: 0,
    invalid: 0,
    last: null,
    ended: null,
    answer: null,
  };
}

/**
 * Folds one reply into the state. Whatever the reply says costs one step.
 *
 * @throws RangeError when the episode is over, and for a verdict, since no judge is ever asked here: both are
 *   mistakes of the caller, never of an agent.
 */
export function advance(state: State, event: Event): State {
  if (state.ended !== null) throw new RangeError('The episode is over: it takes no further event.');
  if (event.kind !== 'reply') throw new RangeError('A navigator episode takes replies only, no verdicts.');

  const draft = draftOf(state);
  draft.steps += 1;
  const action = parseAction(event.text);
  let error: StepError | null;
  if (action.kind === 'error') {
    draft.invalid += 1;
    error = { code: 'invalid-action', reason: action.code };
  } else {
    error = apply(draft, action);
  }
  if (error !== null) draft.errors += 1;
  draft.last = { reply: event.text, action, error };
  if (draft.ended === null && draft.steps >= draft.settings.stepBudget) draft.ended = 'budget-exhausted';
  return draft;
}

/** A copy field by field: several times faster than a spread, and every state has the same layout. */
function draftOf(state: State): Draft {
  return {
    instance: state.instance,
    settings: state.settings,
    held: state.held,
    used: state.used,
    reads: state.reads,
    dropped: state.dropped,
    notes: state.notes,
    steps: state.steps,
    drops: state.drops,
    errors: state.errors,
    invalid: state.invalid,
    last: state.last,
    ended: state.ended,
    answer: state.answer,
  };
}

/** Does what a parsed action asks for, or says why not. */
function apply(draft: Draft, action: ParsedAction): StepError | null {
  switch (action.kind) {
    case 'READ':
      return read(draft, action.ids[0] ?? '');
    case 'DROP':
      return drop(draft, action.ids);
    case 'COMPRESS':
      return compress(draft, action.ids, action.text ?? '');
    case 'ANSWER':
      draft.answer = action.text;
      draft.ended = 'answered';
      return null;
  }
}

/** Loads a chunk. Reading it again after a drop is allowed; holding it twice is not. */
function read(draft: Draft, id: string): StepError | null {
  const number = Number(id);
  const chunk = draft.instance.chunks[number];
  if (chunk === undefined) return { code: 'no-such-chunk', id };
  if (isHeld(draft, id)) return { code: 'already-held', id };
  if (draft.used + chunk.tokens > draft.settings.contextCeiling) return exceed(draft, 0, chunk.tokens);
  const item: HeldItem = { id, kind: 'chunk', tokens: chunk.tokens, text: chunk.text, sources: noItems };
  draft.held = [...draft.held, item];
  draft.used += chunk.tokens;
  draft.reads = [...draft.reads, number];
  return null;
}

/** Frees items. Nothing is freed when one of them is not held. */
function drop(draft: Draft, ids: readonly string[]): StepError | null {
  const missing = missingOf(draft, ids);
  if (missing !== null) return { code: 'not-held', ids: missing };
  draft.used -= tokensOf(draft, ids);
  draft.held = without(draft.held, ids);
  draft.dropped = addDropped(draft.dropped, ids);
  draft.drops += 1;
  return null;
}

/** Puts a summary in the place of items. Nothing changes when one is not held or the summary does not fit. */
function compress(draft: Draft, ids: readonly string[], text: string): StepError | null {
  const missing = missingOf(draft, ids);
  if (missing !== null) return { code: 'not-held', ids: missing };
  const { contextCeiling, maxSummaryTokens } = draft.settings;
  const length = countTokens(text);
  const summary = length > maxSummaryTokens ? truncateTokens(text, maxSummaryTokens) : text;
  const tokens = Math.min(length, maxSummaryTokens);
  const freed = tokensOf(draft, ids);
  if (draft.used - freed + tokens > contextCeiling) return exceed(draft, freed, tokens);

  const id = `S${draft.notes.length + 1}`;
  const held = without(draft.held, ids);
  held.push({ id, kind: 'summary', tokens, text: summary, sources: ids });
  draft.held = held;
  draft.dropped = addDropped(draft.dropped, ids);
  draft.used += tokens - freed;
  draft.notes = [...draft.notes, { id, sources: ids, text: summary, step: draft.steps }];
  return null;
}

/** Ends the episode: more was asked for than the working context holds. */
function exceed(draft: Draft, freed: number, added: number): StepError {
  draft.ended = 'ceiling-exceeded';
  return { code: 'ceiling-exceeded', used: draft.used, freed, added, ceiling: draft.settings.contextCeiling };
}

// Plain loops below: a step is to cost a microsecond, and a closure for each list would double that.

function isHeld(draft: Draft, id: string): boolean {
  for (const item of draft.held) if (item.id === id) return true;
  return false;
}

/** The ids that are not held, or null when all are. */
function missingOf(draft: Draft, ids: readonly string[]): string[] | null {
  let missing: string[] | null = null;
  for (const id of ids) {
    if (isHeld(draft, id)) continue;
    missing ??= [];
    missing.push(id);
  }
  return missing;
}

function tokensOf(draft: Draft, ids: readonly string[]): number {
  let sum = 0;
  for (const item of draft.held) if (ids.includes(item.id)) sum += item.tokens;
  return sum;
}

function without(held: readonly HeldItem[], ids: readonly string[]): HeldItem[] {
  const kept: HeldItem[] = [];
  for (const item of held) if (!ids.includes(item.id)) kept.push(item);
  return kept;
}

/** The dropped chunks with those among `ids` that are not there yet; summaries are no chunks. */
function addDropped(dropped: readonly number[], ids: readonly string[]): readonly number[] {
  let all: number[] | null = null;
  for (const id of ids) {
    if (id.startsWith('S')) continue;
    const chunk = Number(id);
    if ((all ?? dropped).includes(chunk)) continue;
    all ??= [...dropped];
    all.push(chunk);
  }
  return all ?? dropped;
}

const replyNeeded: Need = { kind: 'reply' };
const nothingNeeded: Need = { kind: 'nothing' };

/** A reply until the episode has ended. */
export function next(state: State): Need {
  return state.ended === null ? replyNeeded : nothingNeeded;
}

/** How the episode stands, with every metric. */
export function outcome(state: State): Outcome {
  return {
    done: state.ended !== null,
    reward: rewardOf(state),
    correct: isCorrect(state),
    stop: state.ended ?? 'unfinished',
    steps: state.steps,
    metrics: measure(state),
  };
}
