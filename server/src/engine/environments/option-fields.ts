/** The options of an environment, described for completion, hover and the documentation page. */

/** `integers` is a whole number or a list of them, `texts` the same of texts, `mapping` has keys of its own. */
export type OptionType = 'integer' | 'integers' | 'number' | 'boolean' | 'text' | 'texts' | 'mapping';

/**
 * What an option decides about: which instances are made, or how an episode on an instance is played. What is made is
 * made, so options of the one kind have no effect where only the other is done.
 */
export type OptionScope = 'instance' | 'episode';

/** One option. The environment's `parseOptions` alone decides what is accepted. */
export interface OptionField {
  readonly key: string;
  /** Not given for the keys of a mapping, which has one itself. */
  readonly scope?: OptionScope;
  readonly type: OptionType;
  /** One line: meaning and unit. */
  readonly description: string;
  /** What holds when it is not given, as it stands after "default: ": a value or words. */
  readonly default?: string;
  /** A value as it would stand in a file, other than the default. JSON where it is no plain number or word. */
  readonly example: string;
  /** Bounds of a number, both legal. */
  readonly min?: number;
  readonly max?: number;
  /** The legal values of a text. */
  readonly values?: readonly string[];
  /** Of a mapping: its keys. */
  readonly fields?: readonly OptionField[];
}

/**
 * What a list option was given as: a list, one value, or a text with commas between its items, as command lines have it.
 * For options whose legal items hold no comma.
 */
export function listed(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  return typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : [raw];
}

/** Those of the given options whose scope is `scope`. Options that are not described count as both. */
export function optionsOfScope(
  fields: readonly OptionField[] | undefined,
  options: Readonly<Record<string, unknown>>,
  scope: OptionScope,
): Readonly<Record<string, unknown>> {
  const scopes = new Map(fields?.map((field) => [field.key, field.scope]));
  const chosen = Object.entries(options).filter(([key]) => (scopes.get(key) ?? scope) === scope);
  return Object.fromEntries(chosen);
}
