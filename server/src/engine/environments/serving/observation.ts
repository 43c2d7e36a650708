/** What step prompts render. The conversation that follows the prompt is not in it. */
import bankingTexts from '../../../../../prompts/serving/banking.json' with { type: 'json' };
import pitchTexts from '../../../../../prompts/serving/pitch.json' with { type: 'json' };
import protocol from '../../../../../prompts/serving/protocol.json' with { type: 'json' };
import retailTexts from '../../../../../prompts/serving/retail.json' with { type: 'json' };
import { bulletin } from './bulletin.ts';
import { documentIndex } from './documents.ts';
import { fill } from './fill.ts';
import type { State } from './state.ts';
import { documentsOf, toolSpecs } from './toolbox.ts';

const identities = {
  retail: retailTexts.identity,
  banking: bankingTexts.identity,
  pitch: pitchTexts.identity,
} as const;

/** The observation of a state. It says nothing of the turns so far, so it stays the same throughout an episode. */
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

  get identity(): string {
    return identities[this.#state.instance.domain];
  }

  get documents_text(): string {
    return documentIndex(documentsOf(this.#state.instance));
  }

  get has_documents(): boolean {
    return this.documents_text !== '';
  }

  get tools(): readonly object[] {
    return toolSpecs(this.#state.instance).map(({ name, description, parameters }) => ({
      name,
      description,
      signature: `${name}(${signatureOf(parameters)})`,
    }));
  }

  get rules_text(): string {
    const { tool_calls, turns } = this.#state.options;
    return fill(protocol.rules, { tool_calls, turns });
  }

  get tool_calls(): number {
    return this.#state.options.tool_calls;
  }

  get turns(): number {
    return this.#state.options.turns;
  }

  get method_context(): string {
    return this.#state.options.context;
  }

  get has_method_context(): boolean {
    return this.#state.options.context !== '';
  }

  get timestamp(): number {
    return this.#state.instance.timestamp;
  }

  get task(): string {
    return this.#state.instance.instruction;
  }

  get task_text(): string {
    const { timestamp, instruction } = this.#state.instance;
    return fill(protocol.timestamp, { timestamp, instruction });
  }

  get domain(): string {
    return this.#state.instance.domain;
  }

  get bulletin(): string {
    return bulletin(this.#state.instance);
  }
}

function signatureOf(parameters: Readonly<Record<string, unknown>>): string {
  const { properties, required } = parameters;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(typeof properties === 'object' && properties !== null ? properties : {})
    .map((name) => (needed.includes(name) ? name : `[${name}]`))
    .join(', ');
}
