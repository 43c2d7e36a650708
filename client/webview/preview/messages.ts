/**
 * What the panel of a preview and the extension tell each other. Both check what they get: a panel is a page of its own,
 * and what it kept from an earlier version of the extension may be anything.
 */
import * as v from 'valibot';
import type {
  PreviewMessage,
  PreviewPiece,
  PreviewPlace,
  PreviewProblem,
  PreviewRendering,
  PromptPreview,
  PromptTokens,
  TokenRange,
} from '../../../server/src/protocol.ts';
import { count, read } from '../checked.ts';

const place: v.GenericSchema<unknown, PreviewPlace> = v.object({
  split: v.string(),
  index: count,
  policy: v.string(),
  step: count,
});

/** Where to go; what is not named stays as it is. */
export type Move = Partial<PreviewPlace>;

const move: v.GenericSchema<unknown, Move> = v.object({
  split: v.exactOptional(v.string()),
  index: v.exactOptional(count),
  policy: v.exactOptional(v.string()),
  step: v.exactOptional(count),
});

/** From the page to the extension. */
export type FromPage =
  /** The page can show something now. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'move'; readonly place: Move }
  /** Shows a position of the prompt, both from 0. */
  | { readonly kind: 'reveal'; readonly line: number; readonly character: number }
  | { readonly kind: 'openInstance' }
  /** Have the person asked whether that data set is to be got. */
  | { readonly kind: 'getData'; readonly set: string }
  | { readonly kind: 'copy'; readonly what: 'json' | 'curl' }
  /** Asks for the rest of a message; `round` is that of the preview it belongs to. */
  | { readonly kind: 'more'; readonly round: number; readonly message: number; readonly next: number };

const fromPage: v.GenericSchema<unknown, FromPage> = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('move'), place: move }),
  v.object({ kind: v.literal('reveal'), line: count, character: count }),
  v.object({ kind: v.literal('openInstance') }),
  v.object({ kind: v.literal('getData'), set: v.string() }),
  v.object({ kind: v.literal('copy'), what: v.picklist(['json', 'curl']) }),
  v.object({ kind: v.literal('more'), round: count, message: count, next: count }),
]);

const piece: v.GenericSchema<unknown, PreviewPiece> = v.object({
  kind: v.picklist(['same', 'added', 'removed']),
  text: v.string(),
});

const message: v.GenericSchema<unknown, PreviewMessage> = v.object({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  block: v.nullable(count),
  pieces: v.array(piece),
  next: v.nullable(count),
});

const problem: v.GenericSchema<unknown, PreviewProblem> = v.object({
  severity: v.picklist(['error', 'warning', 'info']),
  message: v.string(),
  line: count,
  character: count,
  block: v.nullable(count),
});

const rendering: v.GenericSchema<unknown, PreviewRendering> = v.object({
  place,
  environment: v.string(),
  instance: v.object({ uri: v.string(), id: v.string() }),
  steps: count,
  splits: v.array(v.object({ id: v.string(), description: v.string(), size: count, test: v.boolean() })),
  policies: v.array(v.object({ id: v.string(), description: v.string() })),
  messages: v.array(message),
  changed: v.boolean(),
});

const preview: v.GenericSchema<unknown, PromptPreview> = v.object({
  problems: v.array(problem),
  isBroken: v.boolean(),
  rendering: v.nullable(rendering),
  reason: v.nullable(v.string()),
  missingData: v.nullable(v.string()),
});

const sizes = v.object({ environment: v.nullable(count), model: v.nullable(count) });
const range: v.GenericSchema<unknown, TokenRange> = v.object({ step: sizes, most: sizes });
const tokens: v.GenericSchema<unknown, PromptTokens> = v.object({
  place,
  blocks: v.array(range),
  total: range,
  tokenizer: v.string(),
});

/** From the extension to the page. `round` counts previews, so that what comes late is not taken for the present. */
export type ToPage =
  | {
      readonly kind: 'preview';
      readonly round: number;
      readonly uri: string;
      readonly preview: PromptPreview;
    }
  | { readonly kind: 'tokens'; readonly round: number; readonly tokens: PromptTokens }
  | {
      readonly kind: 'more';
      readonly round: number;
      readonly message: number;
      readonly pieces: readonly PreviewPiece[];
      readonly next: number | null;
    }
  /** There is nothing to preview any more, e.g. since the file was deleted. */
  | { readonly kind: 'gone'; readonly reason: string };

const toPage: v.GenericSchema<unknown, ToPage> = v.variant('kind', [
  v.object({ kind: v.literal('preview'), round: count, uri: v.string(), preview }),
  v.object({ kind: v.literal('tokens'), round: count, tokens }),
  v.object({
    kind: v.literal('more'),
    round: count,
    message: count,
    pieces: v.array(piece),
    next: v.nullable(count),
  }),
  v.object({ kind: v.literal('gone'), reason: v.string() }),
]);

/** What a page keeps over reloads of the window, and a panel is restored from. */
export interface PageState {
  readonly uri: string;
  readonly place: PreviewPlace;
  /** Whether changes since the last save are marked. */
  readonly marksChanges: boolean;
  /** How far the page was scrolled, in CSS pixels. */
  readonly scroll: number;
}

const pageState: v.GenericSchema<unknown, PageState> = v.object({
  uri: v.string(),
  place,
  marksChanges: v.boolean(),
  scroll: v.number(),
});

/** The message, or undefined for anything else. */
export function readFromPage(value: unknown): FromPage | undefined {
  return read(fromPage, value);
}

/** The message, or undefined for anything else. */
export function readToPage(value: unknown): ToPage | undefined {
  return read(toPage, value);
}

/** The state, or undefined for anything else. */
export function readPageState(value: unknown): PageState | undefined {
  return read(pageState, value);
}
