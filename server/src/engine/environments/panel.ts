/**
 * What an environment shows of an episode in a panel, as plain data: where things lie, what is held, what the step did. A
 * panel draws all of it in the same way for every environment, so nothing here speaks of pixels or colours, and whatever
 * has no place among map, gauge and ledger goes into sections.
 *
 *     const layout = panel.layout(instance);                     // once for an episode
 *     let state = environment.start(instance, options);
 *     for (const reply of replies) {
 *       state = environment.advance(state, reply);
 *       const { gauge, map, ledger, sections } = panel.view(state); // after every step
 *     }
 *     // A person who reads chunk 12 by a click: the gesture on 'chunk' with its {ids} filled in.
 *     state = environment.advance(state, reply('ACTION: READ 12'));
 *
 * What is marked privileged tells what the agent must not know, and is left out for a person who wants to play fair.
 * All texts are shown as text, never as markup. A view stays below some ten kilobytes: texts of chunks are asked for one
 * by one when they are shown.
 */
import type { Gauge } from './commentary.ts';

/** What can be loaded from the document, e.g. a chunk. */
export interface PanelChunk {
  /** The number by which the agent names it; also its position in document order. */
  readonly number: number;
  /** Position in {@link PanelLayout.sections}. */
  readonly section: number;
  /** One line: what the agent sees of it without loading it. */
  readonly name: string;
  /** What loading it costs, in the unit of the gauge. */
  readonly cost: number;
}

/** A reply that a person puts together by pointing at things. */
export interface PanelGesture {
  /** What is pointed at: chunks of the map, held items, or nothing. */
  readonly on: 'chunk' | 'held' | 'episode';
  /** As on a button, e.g. `Read`. */
  readonly label: string;
  /** The reply; `{ids}` stands for what is pointed at, separated by commas, and `{text}` for what is typed. */
  readonly reply: string;
  /** What is to be typed, e.g. `Summary`; null for nothing. */
  readonly asks: string | null;
}

/** What stays the same throughout an episode. */
export interface PanelLayout {
  /** What the agent is to do, e.g. the question. */
  readonly task: string;
  /** Names of the parts of the document, in its order. */
  readonly sections: readonly string[];
  /** In document order; empty where nothing is loaded. */
  readonly chunks: readonly PanelChunk[];
  readonly gestures: readonly PanelGesture[];
  /** Numbers of chunks that hold evidence, and of those that mislead. Privileged. */
  readonly evidence: readonly number[];
  readonly distractors: readonly number[];
}

/** Something in the working context. */
export interface PanelItem {
  readonly id: string;
  readonly kind: 'chunk' | 'summary';
  /** In the unit of the gauge: exactly what counts against its limit. */
  readonly size: number;
  /** One line beside the id. */
  readonly detail: string;
}

/** The working context, item by item in order of arrival; the sizes add up to `used`. */
export interface PanelGauge extends Gauge {
  /** What it measures, as a heading, where that is not the working context. */
  readonly title?: string;
  readonly items: readonly PanelItem[];
}

/** How the chunks of the map stand, by their numbers. */
export interface PanelMap {
  readonly held: readonly number[];
  /** Were held once and are not now. */
  readonly dropped: readonly number[];
  /** What the next step has to load to get on; null for nothing. Privileged. */
  readonly wanted: number | null;
}

/** Something the agent has written down. */
export interface PanelNote {
  readonly id: string;
  /** One line, e.g. what it was made from and when. */
  readonly detail: string;
  readonly text: string;
}

/** Whether a line or a row is as it should be; `plain` where nobody asks. */
export type PanelMark = 'good' | 'bad' | 'plain';

export interface PanelLine {
  readonly text: string;
  readonly mark: PanelMark;
  /** Said behind the line, e.g. why it is lost; may be empty. */
  readonly detail: string;
}

export interface PanelRow {
  readonly cells: readonly string[];
  readonly mark: PanelMark;
}

/** A call of a tool, with what came back. */
export interface PanelCall {
  readonly name: string;
  readonly arguments: string;
  /** Null while there is none. */
  readonly observation: string | null;
  readonly mark: PanelMark;
}

/**
 * Anything else that there is to see, under a title of its own: lines kept and lost, what is carried beside what is true,
 * calls of tools, how the world differs from what it should be.
 */
export type PanelSection = {
  readonly title: string;
  readonly privileged?: boolean;
} & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'lines'; readonly lines: readonly PanelLine[] }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly PanelRow[] }
  | { readonly kind: 'calls'; readonly calls: readonly PanelCall[] }
);

/** How an episode stands after a step. */
export interface PanelView {
  /** The working context, or whatever else is scarce; null where nothing is. */
  readonly gauge: PanelGauge | null;
  /** Steps or turns taken, of those there may be; null without a limit. */
  readonly budget: Gauge | null;
  /** Null where there is no document to load from. */
  readonly map: PanelMap | null;
  readonly ledger: readonly PanelNote[];
  readonly sections: readonly PanelSection[];
}

/** One thing that a judge decides. */
export type PanelQuestion = {
  /** Where its answer stands in the verdict: the names from the outermost on. */
  readonly path: readonly string[];
  /** In a few words. */
  readonly label: string;
  /** One line beside it; may be empty. */
  readonly detail: string;
} & (
  | {
      /** One of these; the first unless another is chosen. */
      readonly kind: 'choice';
      readonly options: readonly { readonly value: string; readonly label: string }[];
    }
  /** Any number of texts, one a line. */
  | { readonly kind: 'texts' }
);

/** What a person is asked who judges in the place of a model. */
export interface PanelVerdict {
  /** What is judged, whole. */
  readonly text: string;
  readonly questions: readonly PanelQuestion[];
}

/** For the episode panel. An environment without one is shown by its prompt, its replies and its score. */
export interface Panel<I, S> {
  layout(instance: I): PanelLayout;
  view(state: S): PanelView;
  /** The whole text of a held item or of a chunk that has been read, by its id; null when there is none to be seen. */
  text(state: S, id: string): string | null;
  /** For a person who judges; null while no verdict is needed. Without it a person has to write the verdict as JSON. */
  verdict?(state: S): PanelVerdict | null;
}
