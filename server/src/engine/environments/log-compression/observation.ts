/** What an agent sees: the data that step prompts render. `variables.ts` describes every name. */
import { distinctContents } from './fidelity.ts';
import { estimateTokens } from './scoring.ts';
import type { State } from './state.ts';

/** A line of the log as step prompts see it. */
interface ObservedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The observation of a state. */
export function observe(state: State): Observation {
  return new Observation(state);
}

export class Observation {
  /** Step prompts look values up by name. */
  readonly [name: string]: unknown;

  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get log(): string {
    return this.#state.instance.raw;
  }

  get lines(): readonly ObservedLine[] {
    return this.#state.instance.raw.split('\n').map((text, position) => ({ number: position + 1, text }));
  }

  get n_lines(): number {
    return this.#state.instance.raw.split('\n').length;
  }

  get log_tokens(): number {
    return estimateTokens(this.#state.instance.raw);
  }

  get case(): string {
    return this.#state.instance.case;
  }

  get critical(): readonly string[] {
    return distinctContents(this.#state.instance);
  }

  get prefix_regex(): string {
    return this.#state.instance.prefix_regex;
  }

  get reference_ratio(): number {
    return this.#state.instance.reference_ratio;
  }
}
