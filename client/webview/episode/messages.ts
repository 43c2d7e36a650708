/** What the episode panel and the extension tell each other. Both check what they get. */
import * as v from 'valibot';
import type {
  SessionAdvice,
  SessionComparison,
  SessionHelp,
  SessionOpened,
  SessionPrompt,
  SessionPromptKind,
  SessionText,
  SessionView,
  TextPortion,
} from '../../../server/src/protocol.ts';
import * as schemas from './schemas.ts';

type Schema<T> = v.GenericSchema<unknown, T>;
const { count } = schemas;

/** Who takes the next step: `editor` is a model that the editor itself offers, by its id there. */
export type PageDriver =
  | { readonly kind: 'policy'; readonly id: string }
  | { readonly kind: 'you'; readonly text: string }
  | { readonly kind: 'model' }
  | { readonly kind: 'editor'; readonly id: string };

const driver: Schema<PageDriver> = v.variant('kind', [
  v.object({ kind: v.literal('policy'), id: v.string() }),
  v.object({ kind: v.literal('you'), text: v.string() }),
  v.object({ kind: v.literal('model') }),
  v.object({ kind: v.literal('editor'), id: v.string() }),
]);

/** How far to go: one step, to the end, or to the next step of which something bad is to be said. */
export type Reach = 'step' | 'end' | 'problem';

/** What a button does that needs nothing but itself. */
export const ORDERS = [
  'cancel',
  'fork',
  'advice',
  'choosePrompt',
  'openPrompt',
  'openInstance',
  'openTranscript',
  'selectModel',
  'save',
  'copy',
  'saveRun',
  'toggleSpoilers',
  'retry',
  'trust',
] as const;

export type Order = (typeof ORDERS)[number];

/** From the page to the extension. */
export type FromPage =
  /** The page can show something now. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'play'; readonly driver: PageDriver; readonly reach: Reach }
  /** Takes the present text of the step prompt and goes on from here to the end. */
  | { readonly kind: 'rerun'; readonly driver: PageDriver }
  | { readonly kind: 'go'; readonly node: number }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'prompt'; readonly node: number; readonly which: SessionPromptKind }
  | {
      readonly kind: 'text';
      readonly node: number;
      readonly what: SessionText;
      readonly from: number;
    }
  | { readonly kind: 'help'; readonly round: number; readonly text: string; readonly offset: number }
  | { readonly kind: 'compare'; readonly left: number; readonly right: number };

const fromPage: Schema<FromPage> = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('play'), driver, reach: v.picklist(['step', 'end', 'problem']) }),
  v.object({ kind: v.literal('rerun'), driver }),
  v.object({ kind: v.literal('go'), node: count }),
  v.object({ kind: v.literal('order'), order: v.picklist(ORDERS) }),
  v.object({ kind: v.literal('prompt'), node: count, which: schemas.which }),
  v.object({ kind: v.literal('text'), node: count, what: schemas.textOf, from: count }),
  v.object({ kind: v.literal('help'), round: count, text: v.string(), offset: count }),
  v.object({ kind: v.literal('compare'), left: count, right: count }),
]);

/** What the page has to know of the editor. */
export interface Setup {
  /** Names this panel over reloads. */
  readonly session: string;
  readonly spoilers: boolean;
  /** In a folder that is not trusted nothing is asked or written. */
  readonly isTrusted: boolean;
  /** The model at the endpoint of the settings; null while there is none. */
  readonly model: string | null;
  /** Models that the editor itself offers. */
  readonly editorModels: readonly { readonly id: string; readonly name: string }[];
}

const setup: Schema<Setup> = v.object({
  session: v.string(),
  spoilers: v.boolean(),
  isTrusted: v.boolean(),
  model: v.nullable(v.string()),
  editorModels: v.array(v.object({ id: v.string(), name: v.string() })),
});

/** From the extension to the page. */
export type ToPage =
  /** `again` when it has been posted while the page was loading, and may have been lost. */
  | { readonly kind: 'opened'; readonly opened: SessionOpened; readonly again: boolean }
  | { readonly kind: 'setup'; readonly setup: Setup }
  | { readonly kind: 'view'; readonly view: SessionView }
  /** Null when nothing is under way any more. */
  | { readonly kind: 'busy'; readonly label: string | null }
  /** What a model says, piece by piece. */
  | { readonly kind: 'said'; readonly text: string; readonly reasoning: string }
  /** What it said so far is void. */
  | { readonly kind: 'unsaid' }
  | {
      readonly kind: 'prompt';
      readonly node: number;
      readonly which: SessionPromptKind;
      readonly prompt: SessionPrompt | null;
      /** Why there is none; empty when there is. */
      readonly reason: string;
    }
  | {
      readonly kind: 'promptTokens';
      readonly node: number;
      readonly which: SessionPromptKind;
      readonly tokenizer: string;
      readonly counts: readonly number[];
    }
  | {
      readonly kind: 'text';
      readonly node: number;
      readonly what: SessionText;
      readonly from: number;
      readonly portion: TextPortion;
    }
  | { readonly kind: 'advice'; readonly node: number; readonly advice: SessionAdvice }
  | { readonly kind: 'help'; readonly round: number; readonly help: SessionHelp }
  | {
      readonly kind: 'compared';
      readonly left: number;
      readonly right: number;
      readonly comparison: SessionComparison;
    }
  /** Why the transcript beside is not followed, for as long as it is not. */
  | { readonly kind: 'apart'; readonly reason: string | null }
  /** Something did not work; one or two sentences. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Something did. */
  | { readonly kind: 'done'; readonly message: string }
  /** There is nothing to show. */
  | { readonly kind: 'gone'; readonly reason: string };

const toPage: Schema<ToPage> = v.variant('kind', [
  v.object({ kind: v.literal('opened'), opened: schemas.opened, again: v.boolean() }),
  v.object({ kind: v.literal('setup'), setup }),
  v.object({ kind: v.literal('view'), view: schemas.view }),
  v.object({ kind: v.literal('busy'), label: v.nullable(v.string()) }),
  v.object({ kind: v.literal('said'), text: v.string(), reasoning: v.string() }),
  v.object({ kind: v.literal('unsaid') }),
  v.object({
    kind: v.literal('prompt'),
    node: count,
    which: schemas.which,
    prompt: v.nullable(schemas.prompt),
    reason: v.string(),
  }),
  v.object({
    kind: v.literal('promptTokens'),
    node: count,
    which: schemas.which,
    tokenizer: v.string(),
    counts: v.array(count),
  }),
  v.object({
    kind: v.literal('text'),
    node: count,
    what: schemas.textOf,
    from: count,
    portion: schemas.portion,
  }),
  v.object({ kind: v.literal('advice'), node: count, advice: schemas.advice }),
  v.object({ kind: v.literal('help'), round: count, help: schemas.help }),
  v.object({ kind: v.literal('compared'), left: count, right: count, comparison: schemas.comparison }),
  v.object({ kind: v.literal('apart'), reason: v.nullable(v.string()) }),
  v.object({ kind: v.literal('failed'), message: v.string() }),
  v.object({ kind: v.literal('done'), message: v.string() }),
  v.object({ kind: v.literal('gone'), reason: v.string() }),
]);

/** What a page keeps over reloads; the session itself is kept by the extension, under its name. */
export interface PageState {
  readonly session: string;
  /** As {@link driverOf} of the model takes it. */
  readonly driver: string;
  /** Parts that are folded or unfolded other than they are at first. */
  readonly turned: readonly string[];
  readonly typed: string;
  /** In CSS pixels. */
  readonly scroll: number;
}

const pageState: Schema<PageState> = v.object({
  session: v.string(),
  driver: v.string(),
  turned: v.array(v.string()),
  typed: v.string(),
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

function read<T>(schema: Schema<T>, value: unknown): T | undefined {
  const { success, output } = v.safeParse(schema, value);
  return success ? output : undefined;
}
