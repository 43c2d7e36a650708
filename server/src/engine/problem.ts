/**
 * A problem found in some text: what a parser returns instead of throwing.
 *
 * Offsets are UTF-16 code units into the text that was parsed, `start` inclusive and `end` exclusive, so
 * that they map to editor ranges without re-reading the text.
 */
export interface Problem {
  /** Dotted and stable, e.g. `action.unknown-verb`: what tests, settings and quick fixes refer to. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** One sentence: what is wrong and, where it is not obvious, what to do. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The text it marks has no effect: editors fade it. */
  readonly unused?: boolean;
  /** Facts that a quick fix needs, e.g. the nearest correct name, or as `replacement` what is to be written. Plain JSON. */
  readonly data?: Readonly<Record<string, string | number | boolean>>;
}

/** A value, or one sentence that says why there is none. For input from outside: files, options, messages. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** The success case of {@link Checked}. */
export function accept<T>(value: T): Checked<T> {
  return { ok: true, value };
}

/** The failure case of {@link Checked}; `error` is one sentence for the user. */
export function refuse(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
