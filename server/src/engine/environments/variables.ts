/** The names that a step prompt may use, published by each environment and shown in completion and hover. */

export type VariableType = 'text' | 'number' | 'boolean' | 'list';

export interface Variable {
  readonly name: string;
  readonly type: VariableType;
  /** One line. */
  readonly description: string;
  /** A short example value as text. */
  readonly example: string;
  /** True when it tells what the agent must not know; a prompt that uses it is marked. */
  readonly privileged?: boolean;
  /** True when the environment cannot be played by a prompt that never uses it (or its {@link alternatives}). */
  readonly required?: boolean;
  /** Other variables that carry the same information, e.g. `map_text` for `map`. */
  readonly alternatives?: readonly string[];
  /** For lists: the fields of one item. */
  readonly items?: readonly Variable[];
}
