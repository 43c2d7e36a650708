/**
 * What an agent sees: the data that step prompts render. `variables.ts` describes every name.
 *
 * Values are computed when they are first asked for. A prompt that uses the ready-made texts never pays for the
 * lists, and the reverse.
 */
import { lastLine } from './action-lines.ts';
import { canonicalAction } from './actions.ts';
import type { Evidence } from './instance.ts';
import { type MapItem, mapItems, mapText } from './map.ts';
import { errorMessage, heldMessages, ledgerMessages } from './messages.ts';
import type { HeldItem, Note, State } from './state.ts';

/** A held item as step prompts see it. */
export interface ObservedItem {
  readonly id: string;
  readonly tokens: number;
  readonly text: string;
  readonly is_chunk: boolean;
  readonly is_summary: boolean;
  readonly sources: readonly string[];
}

/** The observation of a state. */
export function observe(state: State): Observation {
  return new Observation(state);
}

export class Observation {
  /** Step prompts look values up by name. */
  readonly [name: string]: unknown;

  readonly #state: State;
  #map: readonly MapItem[] | undefined;
  #held: readonly ObservedItem[] | undefined;
  #heldText: string | undefined;
  #ledgerText: string | undefined;
  #compressed: readonly string[] | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  get question(): string {
    return this.#state.instance.question;
  }

  get n_hops(): number {
    return this.#state.instance.n_hops;
  }

  get ceiling(): number {
    return this.#state.settings.contextCeiling;
  }

  get used(): number {
    return this.#state.used;
  }

  get free(): number {
    return this.#state.settings.contextCeiling - this.#state.used;
  }

  get max_summary_tokens(): number {
    return this.#state.settings.maxSummaryTokens;
  }

  get step(): number {
    return this.#state.steps + 1;
  }

  get steps_used(): number {
    return this.#state.steps;
  }

  get step_budget(): number {
    return this.#state.settings.stepBudget;
  }

  get steps_left(): number {
    return this.#state.settings.stepBudget - this.#state.steps;
  }

  get is_last_step(): boolean {
    return this.#state.steps + 1 >= this.#state.settings.stepBudget;
  }

  get map(): readonly MapItem[] {
    this.#map ??= mapItems(this.#state);
    return this.#map;
  }

  get map_text(): string {
    return mapText(this.#state.instance);
  }

  get read_list(): readonly number[] {
    return this.#state.reads;
  }

  get dropped_list(): readonly number[] {
    return this.#state.dropped;
  }

  get compressed_list(): readonly string[] {
    this.#compressed ??= this.#state.notes.map(noteText);
    return this.#compressed;
  }

  get last_action(): string {
    return lastAction(this.#state);
  }

  get last_ok(): boolean {
    return this.#state.last !== null && this.#state.last.error === null;
  }

  get last_error(): string {
    const error = this.#state.last?.error ?? null;
    return error === null ? '' : errorMessage(error);
  }

  get ledger_text(): string {
    this.#ledgerText ??= [
      ledgerMessages.read({ list: listText(this.read_list) }),
      ledgerMessages.dropped({ list: listText(this.dropped_list) }),
      ledgerMessages.compressed({ list: listText(this.compressed_list) }),
      ledgerMessages.last({ last: lastResult(this) }),
    ].join('\n');
    return this.#ledgerText;
  }

  get held(): readonly ObservedItem[] {
    this.#held ??= this.#state.held.map(observedItem);
    return this.#held;
  }

  get held_text(): string {
    this.#heldText ??= heldText(this.#state.held);
    return this.#heldText;
  }

  get is_empty(): boolean {
    return this.#state.held.length === 0;
  }

  get can_abstain(): boolean {
    return this.#state.settings.reward.allow_abstain;
  }

  get abstain_token(): string {
    return this.#state.settings.reward.abstain_token;
  }

  get answer(): string {
    return this.#state.instance.answer;
  }

  get evidence(): readonly Evidence[] {
    return this.#state.instance.evidence;
  }

  get min_steps(): number {
    return this.#state.instance.min_steps;
  }
}

function observedItem({ id, kind, tokens, text, sources }: HeldItem): ObservedItem {
  return { id, tokens, text, is_chunk: kind === 'chunk', is_summary: kind === 'summary', sources };
}

/** Each item followed by a blank line, except that the last line break is the prompt's own. */
function heldText(held: readonly HeldItem[]): string {
  if (held.length === 0) return heldMessages.empty;
  return held.map(itemText).join('\n');
}

function itemText({ id, kind, tokens, text, sources }: HeldItem): string {
  return kind === 'chunk'
    ? heldMessages.chunk({ id, tokens, text })
    : heldMessages.summary({ id, tokens, sources: sources.join(', '), text });
}

function noteText({ id, sources }: Note): string {
  return ledgerMessages.note({ id, sources: sources.join(', ') });
}

function listText(list: readonly (string | number)[]): string {
  return list.length === 0 ? ledgerMessages.none : list.join(', ');
}

/** The last action and how it went. */
function lastResult({ last_action: action, last_error: error }: Observation): string {
  if (action === '') return ledgerMessages.none;
  return error === '' ? ledgerMessages.worked({ action }) : ledgerMessages.failed({ action, error });
}

/** Lengths in code points. An unparsed reply is quoted as the published environment does. */
const quotedReply = 60;
const quotedAction = 240;

/** The last action in the grammar's own spelling, or the reply's last line when it held none; '' before the first step. */
function lastAction({ last }: State): string {
  if (last === null) return '';
  const { action, reply } = last;
  if (action.kind !== 'error') return cut(canonicalAction(action), quotedAction, '…');
  const line = lastLine(reply);
  return line === '' ? ledgerMessages.blank : cut(line, quotedReply, '');
}

/** The first `length` code points, with `mark` after them when something was cut off. */
function cut(text: string, length: number, mark: string): string {
  if (text.length <= length) return text;
  const points = [...text.slice(0, 2 * length + 2)];
  return points.length <= length ? text : points.slice(0, length).join('') + mark;
}
