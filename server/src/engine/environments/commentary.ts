/**
 * What an environment says about an episode beyond its score, as plain data: for a person who writes or reads a
 * transcript. Nothing here changes how an episode is played, and an environment that offers none of it is played, scored
 * and shown all the same.
 *
 * `text` is always the text of one reply, and offsets are UTF-16 code units into it, `end` exclusive. What is marked
 * privileged tells what the agent must not know, and is hidden from a person who wants to play fair.
 */
import type { Problem } from '../problem.ts';
import type { Reply } from './chat.ts';
import type { Outcome } from './environment.ts';

/** How full the working context is, or whatever else is scarce in the environment. */
export interface Gauge {
  readonly used: number;
  readonly limit: number;
  /** What is counted, in the plural, e.g. `tokens`. */
  readonly unit: string;
}

/** A change that would mend a step. */
export interface Fix {
  /** As a menu shows it: a sentence without a full stop, an order. */
  readonly title: string;
  /** A reply to be played as a step of its own before this one… */
  readonly insertBefore?: string;
  /** …or a text in the place of a part of the reply. */
  readonly replace?: { readonly start: number; readonly end: number; readonly text: string };
  readonly privileged?: boolean;
}

/** What a reviewer would say about one step. */
export interface Note extends Problem {
  readonly privileged?: boolean;
  readonly fixes?: readonly Fix[];
}

/** What an id in a reply stands for: a chunk, numbered as in the environment's `view`, or a summary of the agent's. */
export type ReferenceKind = 'chunk' | 'summary';

export interface Reference {
  readonly kind: ReferenceKind;
  /** The thing's own spelling, e.g. `12` for `[012]`. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Something that could stand in the place of `start`–`end`. */
export interface Proposal {
  readonly kind: 'verb' | 'text' | ReferenceKind;
  readonly label: string;
  /** Said beside the label, e.g. what a chunk holds; may be empty. */
  readonly detail: string;
  /** Markdown; may be empty. */
  readonly documentation: string;
  /** What typing is compared with. */
  readonly filter: string;
  readonly insert: string;
  readonly start: number;
  readonly end: number;
}

/** What is optional is left out where the environment has no such thing, and editors then show nothing of it. */
export interface Commentary<S> {
  /** For environments in which something is scarce. */
  gauge?(state: S): Gauge;
  /** Numbers of the chunks that the agent holds, in order of arrival. */
  held?(state: S): readonly number[];
  /**
   * What the outcome says of reward and end, without its metrics: for environments whose metrics look at the whole episode,
   * so that asking after every step stays cheap.
   */
  standing?(state: S): Pick<Outcome, 'done' | 'reward' | 'stop'>;
  /** The step that led to `state` in a few words, for outlines, e.g. `READ 12`. Only for states after a reply. */
  label(state: S): string;
  /** How the episode stands, as Markdown. */
  describe(state: S, privileged: boolean): string;
  /** What is to be said about a step, in text order. Malformed replies are not: `replyProblems` tells of those. */
  notes(before: S, reply: Reply, after: S): readonly Note[];
  /**
   * The replies of a shortest continuation that ends correctly, none when the episode is over; null when there is none
   * within the step budget. Privileged.
   */
  bestReplies?(state: S): readonly string[] | null;
  /** The ids in a reply, in text order, without overlap. */
  references?(text: string): readonly Reference[];
  /** What there is to know about a reference in the reply that is given in `state`, as Markdown; null for nothing. */
  about?(state: S, reference: Reference): string | null;
  /** What could be written at `offset` of the reply to be given in `state`, best first. */
  complete?(state: S, text: string, offset: number, privileged: boolean): readonly Proposal[];
}

/** Why an episode failed, and when. Steps count from 1, hops (or whatever the chain consists of) from 0. Privileged. */
export interface Explanation {
  /** Stable id of the primary cause; null for an episode that ended correctly. */
  readonly cause: string | null;
  /** The step the cause is seen at. */
  readonly step: number | null;
  readonly hop: number | null;
  /** The cause in one sentence, with names and numbers. */
  readonly sentence: string | null;
  /** The first step after which a correct end was out of reach while the episode went on. */
  readonly unwinnableAt: number | null;
  /** The first step that threw away a fact which was still needed. */
  readonly lostBridgeAt: number | null;
  /** Named counts over the episode. */
  readonly counts: Readonly<Record<string, number>>;
}
