/**
 * What an agent sees: the chunk of its turn and what it carried into it. That it cannot see more is not a rule but a matter
 * of what is handed over: everything an agent may know is made from {@link Sight}, which has no past. `variables.ts`
 * describes every name.
 */
import texts from '../../../../../prompts/inventory/messages.json' with { type: 'json' };
import { type FoundOperation, operationsOf, truthsOf } from './instance.ts';
import type { State } from './state.ts';

/** All that a turn is about. */
export interface Sight {
  /** From 1. */
  readonly turn: number;
  readonly turns: number;
  readonly carried: readonly string[];
  readonly chunk: string;
}

/** What can be seen in `state`; after the last turn the chunk is empty. */
export function sightOf({ instance, carried, turns }: State): Sight {
  const { chunks } = instance;
  return {
    turn: Math.min(turns.length + 1, chunks.length),
    turns: chunks.length,
    carried,
    chunk: chunks[turns.length] ?? '',
  };
}

/** The observation of a state. */
export function observe(state: State): Observation {
  return new Observation(state);
}

export class Observation {
  /** Step prompts look values up by name. */
  readonly [name: string]: unknown;

  readonly #sight: Sight;
  /** For what is privileged, and for nothing else. */
  readonly #secret: State;

  constructor(state: State) {
    this.#sight = sightOf(state);
    this.#secret = state;
  }

  get turn(): number {
    return this.#sight.turn;
  }

  get n_chunks(): number {
    return this.#sight.turns;
  }

  get turns_left(): number {
    return this.#sight.turns - this.#sight.turn;
  }

  get is_first_turn(): boolean {
    return this.#sight.turn === 1;
  }

  get is_last_turn(): boolean {
    return this.#sight.turn === this.#sight.turns;
  }

  get chunk(): string {
    return this.#sight.chunk;
  }

  get carried(): readonly string[] {
    return this.#sight.carried;
  }

  get carried_text(): string {
    return listText(this.#sight.carried);
  }

  get carried_count(): number {
    return this.#sight.carried.length;
  }

  get is_empty(): boolean {
    return this.#sight.carried.length === 0;
  }

  get operations(): readonly Pick<FoundOperation, 'kind' | 'key'>[] {
    const { instance, turns } = this.#secret;
    return operationsOf(instance, turns.length).map(({ kind, key }) => ({ kind, key }));
  }

  get truth(): readonly string[] {
    const { instance, turns } = this.#secret;
    return truthsOf(instance)[Math.min(turns.length, instance.chunks.length - 1)] ?? [];
  }

  get truth_text(): string {
    return listText(this.truth);
  }
}

/** Items as a prompt shows them. */
export function listText(items: readonly string[]): string {
  return items.length === 0 ? texts.empty : items.join(texts.separator);
}
