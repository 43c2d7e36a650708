/**
 * What the results panel and the extension tell each other. Both check what they get: a panel is a page of its own, and
 * what it kept from an earlier version of the extension may be anything.
 */
import * as v from 'valibot';
import type {
  ContextUse,
  PanelFigures,
  RowPage,
  RowQuery,
  RunFacts,
  RunProgress,
  StepPart,
  StepsPage,
  StreamView,
  TextPage,
} from '../../../server/src/protocol.ts';
import { count, read } from '../checked.ts';
import {
  context,
  facts,
  figures,
  note,
  type PageNote,
  part,
  progress,
  query,
  rowPage,
  stepsPage,
  textPage,
} from './schemas.ts';
import { streamView } from './stream-schemas.ts';

/** From the page to the extension. */
export type FromPage =
  /** The page can show something now. */
  | { readonly kind: 'ready' }
  /** `round` counts queries, so that what comes late is not taken for the present. */
  | {
      readonly kind: 'rows';
      readonly round: number;
      readonly query: RowQuery;
      readonly from: number;
      readonly count: number;
    }
  | { readonly kind: 'figures' }
  | { readonly kind: 'context' }
  /** What there is to be shown of streams. */
  | { readonly kind: 'stream' }
  /** What a method remembered, by its place in the list. */
  | { readonly kind: 'memory'; readonly at: number }
  | { readonly kind: 'steps'; readonly task: number; readonly from: number }
  | {
      readonly kind: 'text';
      readonly task: number;
      readonly at: number;
      readonly part: StepPart;
      readonly from: number;
    }
  /** Opens a transcript at a step, or at the one that shows the cause. */
  | { readonly kind: 'transcript'; readonly task: number; readonly step: number | null }
  /** Opens the episode to be gone through step by step. */
  | { readonly kind: 'episode'; readonly task: number }
  | { readonly kind: 'prompt' }
  /** Holds it against other runs. */
  | { readonly kind: 'compare' }
  /** Begins a run on what failed in this one. */
  | { readonly kind: 'failures' }
  | { readonly kind: 'note'; readonly task: number }
  | { readonly kind: 'annotate'; readonly task: number; readonly note: PageNote };

const fromPage: v.GenericSchema<unknown, FromPage> = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('rows'), round: count, query, from: count, count }),
  v.object({ kind: v.literal('figures') }),
  v.object({ kind: v.literal('context') }),
  v.object({ kind: v.literal('stream') }),
  v.object({ kind: v.literal('memory'), at: count }),
  v.object({ kind: v.literal('steps'), task: count, from: count }),
  v.object({ kind: v.literal('text'), task: count, at: count, part, from: count }),
  v.object({ kind: v.literal('transcript'), task: count, step: v.nullable(count) }),
  v.object({ kind: v.literal('episode'), task: count }),
  v.object({ kind: v.literal('prompt') }),
  v.object({ kind: v.literal('compare') }),
  v.object({ kind: v.literal('failures') }),
  v.object({ kind: v.literal('note'), task: count }),
  v.object({ kind: v.literal('annotate'), task: count, note }),
]);

/** From the extension to the page. */
export type ToPage =
  | { readonly kind: 'run'; readonly run: string; readonly facts: RunFacts; readonly progress: RunProgress }
  | { readonly kind: 'progress'; readonly progress: RunProgress }
  | { readonly kind: 'rows'; readonly round: number; readonly page: RowPage }
  | { readonly kind: 'figures'; readonly figures: PanelFigures }
  /** Null where there is nothing to tell. */
  | { readonly kind: 'context'; readonly context: ContextUse | null }
  | { readonly kind: 'stream'; readonly stream: StreamView }
  | { readonly kind: 'memory'; readonly at: number; readonly text: string }
  | { readonly kind: 'steps'; readonly task: number; readonly from: number; readonly page: StepsPage }
  | {
      readonly kind: 'text';
      readonly task: number;
      readonly at: number;
      readonly part: StepPart;
      readonly from: number;
      readonly page: TextPage;
    }
  | { readonly kind: 'note'; readonly task: number; readonly note: PageNote }
  /** Something that was asked for cannot be had. */
  | { readonly kind: 'refused'; readonly what: 'rows' | 'steps' | 'note'; readonly reason: string }
  /** There is no run to show. */
  | { readonly kind: 'gone'; readonly reason: string };

const toPage: v.GenericSchema<unknown, ToPage> = v.variant('kind', [
  v.object({ kind: v.literal('run'), run: v.string(), facts, progress }),
  v.object({ kind: v.literal('progress'), progress }),
  v.object({ kind: v.literal('rows'), round: count, page: rowPage }),
  v.object({ kind: v.literal('figures'), figures }),
  v.object({ kind: v.literal('context'), context: v.nullable(context) }),
  v.object({ kind: v.literal('stream'), stream: streamView }),
  v.object({ kind: v.literal('memory'), at: count, text: v.string() }),
  v.object({ kind: v.literal('steps'), task: count, from: count, page: stepsPage }),
  v.object({ kind: v.literal('text'), task: count, at: count, part, from: count, page: textPage }),
  v.object({ kind: v.literal('note'), task: count, note }),
  v.object({
    kind: v.literal('refused'),
    what: v.picklist(['rows', 'steps', 'note']),
    reason: v.string(),
  }),
  v.object({ kind: v.literal('gone'), reason: v.string() }),
]);

/** What is in front. */
export type Tab = 'stream' | 'episodes' | 'figures';

/** What a page keeps over reloads of the window, and a panel is restored from. */
export interface PageState {
  readonly run: string;
  readonly query: RowQuery;
  readonly tab: Tab;
  /** The episode that is looked at. */
  readonly task: number | null;
  /** Its place in the table. */
  readonly at: number | null;
}

const pageState: v.GenericSchema<unknown, PageState> = v.object({
  run: v.string(),
  query,
  tab: v.picklist(['stream', 'episodes', 'figures']),
  task: v.nullable(count),
  at: v.nullable(count),
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
