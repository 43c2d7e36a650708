/**
 * An instance as a text document: the text a person reads, and where its parts are. Everything that points into an
 * open instance (outline, folding, hover, definitions, a transcript's chunk ids) goes through these offsets.
 */

/** `section` holds chunks, `chunk` is what one READ loads, `entry` is one line of it; `heading` is about the instance. */
export type PartKind = 'heading' | 'section' | 'chunk' | 'entry';

/** A stretch of the text. Offsets are UTF-16 code units, `start` inclusive and `end` exclusive, whole lines. */
export interface Part {
  readonly kind: PartKind;
  /** As in an outline. Never empty. */
  readonly name: string;
  /** Said beside the name, e.g. a size in tokens; may be empty. */
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  /** The part's own line or name, within `start` and `end`: where an outline entry jumps to. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Inside this part, in text order, without overlap. */
  readonly children: readonly Part[];
  /** Of a chunk: the number by which an agent reads it, and what reading it costs in tokens. */
  readonly chunk?: { readonly number: number; readonly tokens: number };
}

export interface InstanceText {
  readonly text: string;
  /** In text order, without overlap. */
  readonly parts: readonly Part[];
  /** Tokens that an agent can hold at once, where the environment has such a limit. */
  readonly ceiling?: number;
}

/** Lays out any instance as indented JSON without parts: for environments that have no view of their own. */
export function viewAsJson(instance: object): InstanceText {
  return { text: `${JSON.stringify(instance, null, 2)}\n`, parts: [] };
}
