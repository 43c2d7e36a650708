/** The options of an environment, described for completion, hover and the documentation page. */

/** `integers` is a whole number or a list of them, `mapping` has keys of its own. */
export type OptionType = 'integer' | 'integers' | 'number' | 'boolean' | 'text' | 'mapping';

/** One option. The environment's `parseOptions` alone decides what is accepted. */
export interface OptionField {
  readonly key: string;
  readonly type: OptionType;
  /** One line: meaning, unit, and what holds when it is not given. */
  readonly description: string;
  /** As it would stand in a file. */
  readonly example: string;
  /** Bounds of a number, both legal. */
  readonly min?: number;
  readonly max?: number;
  /** The legal values of a text. */
  readonly values?: readonly string[];
  /** Of a mapping: its keys. */
  readonly fields?: readonly OptionField[];
}
