/**
 * What there is to see of a session, as plain data of limited size: an episode that is stepped through, with all its
 * branches. Long texts are not in it; they are asked for in portions when they are shown.
 */
import type { ChatMessage, Event, ToolCall, ToolSpec, Usage } from '../../environments/chat.ts';
import type { Proposal } from '../../environments/commentary.ts';
import type { PanelLayout, PanelVerdict, PanelView } from '../../environments/panel.ts';
import type { Sampling } from '../../prompts/sampling.ts';

/** A step prompt as it stands in an editor or a file. */
export interface SessionPromptText {
  /** Address of the file; null when there is none any more. */
  readonly uri: string | null;
  /** Without `.step.md`. */
  readonly name: string;
  readonly text: string;
}

/** What a session is opened on. */
export type SessionSource =
  /** An instance by its address. */
  | { readonly kind: 'instance'; readonly uri: string; readonly prompt: SessionPromptText | null }
  /** The text of a transcript and its address. */
  | {
      readonly kind: 'transcript';
      readonly uri: string;
      readonly text: string;
      readonly prompt: SessionPromptText | null;
    }
  /** An episode of a run by its number there. */
  | { readonly kind: 'run'; readonly folder: string; readonly task: number }
  /** What {@link SessionPrint} `session` gave earlier. */
  | { readonly kind: 'kept'; readonly text: string };

/** What a model is asked: the messages and tools exactly as sent, and how it is to answer. */
export interface SessionQuestion {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** As the step prompt names it. */
  readonly sampling: Sampling;
  /** Whether the answer is a verdict of a judge, and no reply. */
  readonly isVerdict: boolean;
}

/** Who gives the next event. */
export type SessionDriver =
  | { readonly kind: 'policy'; readonly id: string }
  /** A person: the text of a reply; where a verdict is needed, its JSON. */
  | { readonly kind: 'you'; readonly text: string }
  | {
      readonly kind: 'model';
      /** Empty for the one that the step prompt names. */
      readonly model: string;
      readonly baseUrl: string;
      /** The key that may be sent there, sealed for the server; null for none. */
      readonly key: string | null;
    }
  /** Somebody who has been asked elsewhere. */
  | { readonly kind: 'given'; readonly event: Event; readonly by: string };

/** Something to be said of a step. */
export interface SessionNote {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/** The beginning of a long text, and where to go on; null at its end. */
export interface TextPortion {
  readonly text: string;
  /** In UTF-16 code units of the whole. */
  readonly next: number | null;
}

/** What an agent said in a step and what became of it. */
export interface SessionStep {
  /** In a few words, e.g. `READ 12`. */
  readonly label: string;
  readonly by: string;
  readonly kind: 'reply' | 'verdict';
  readonly text: TextPortion;
  /** Null when there was none. */
  readonly reasoning: TextPortion | null;
  readonly calls: readonly ToolCall[];
  readonly finish: string | null;
  readonly usage: Usage | null;
  readonly notes: readonly SessionNote[];
}

/** A step of the branch that is followed, for the chart and for jumping to it. */
export interface SessionPoint {
  readonly node: number;
  /** Replies so far. */
  readonly depth: number;
  readonly label: string;
  /** Of the gauge; null without one. */
  readonly used: number | null;
  /** The worst of what is to be said of it. */
  readonly worst: SessionNote['severity'] | null;
}

/** A node of the tree of branches; the nodes are numbered by their order. */
export interface SessionTwig {
  readonly parent: number | null;
  /** The row it is drawn in. */
  readonly lane: number;
  readonly depth: number;
  readonly isEnd: boolean;
}

/** The end of a branch. */
export interface SessionEnd {
  readonly node: number;
  readonly depth: number;
  /** Of its last step. */
  readonly label: string;
  readonly by: string;
  /** Null while the episode is not over there. */
  readonly reward: number | null;
}

export interface SessionOutcome {
  readonly done: boolean;
  readonly reward: number;
  readonly correct: boolean;
  readonly stop: string;
  readonly steps: number;
}

/** How a session stands. */
export interface SessionView {
  /** Where it stands. */
  readonly node: number;
  readonly depth: number;
  readonly parent: number | null;
  /** The node after it on the branch that is followed; null at its end. */
  readonly next: number | null;
  readonly need: 'reply' | 'verdict' | 'nothing';
  /** Names of the tools that the next reply may call. */
  readonly tools: readonly string[];
  /** What a person is asked where a verdict is needed; null elsewhere, and where only JSON will do. */
  readonly verdict: PanelVerdict | null;
  /** Whether the next step opens a new branch even if it is like one that is there. */
  readonly forks: boolean;
  readonly outcome: SessionOutcome;
  /** Metrics with their labels, once the episode is over; those that do not apply are left out. */
  readonly metrics: readonly {
    readonly label: string;
    readonly value: number;
    readonly description: string;
  }[];
  /** Null for an environment that shows nothing of its own. */
  readonly panel: PanelView | null;
  /** Null at the start. */
  readonly step: SessionStep | null;
  readonly branch: readonly SessionPoint[];
  readonly tree: readonly SessionTwig[];
  /** The ends of all branches, of very many only the youngest. */
  readonly ends: readonly SessionEnd[];
  /** The step prompt in force; null for none. `model` is the one that it names. */
  readonly prompt: {
    readonly name: string;
    readonly uri: string | null;
    readonly model: string | null;
  } | null;
}

/** A session that has been opened. */
export interface SessionOpened {
  readonly environment: { readonly id: string; readonly title: string };
  /** `uri` is where the instance opens; null when it cannot be opened by itself. */
  readonly instance: { readonly id: string; readonly uri: string | null };
  /** Name of the split if it is a test split, on which one should not iterate. */
  readonly testSplit: string | null;
  readonly minSteps: number;
  readonly layout: PanelLayout | null;
  readonly policies: readonly {
    readonly id: string;
    readonly description: string;
    readonly privileged: boolean;
  }[];
  /** Whether the environment can name the best next action. */
  readonly canAdvise: boolean;
  readonly view: SessionView;
}

/** `sent` is what the reply of a node answers, `next` what would be sent now. */
export type SessionPromptKind = 'sent' | 'next';

export interface SessionMessage {
  readonly role: ChatMessage['role'];
  readonly text: TextPortion;
  /** Of the whole message, in the environment's own tokens; null where it has none. */
  readonly tokens: number | null;
  /** Calls of tools that an assistant's message made. */
  readonly calls: readonly ToolCall[];
}

export interface SessionPrompt {
  readonly name: string;
  readonly messages: readonly SessionMessage[];
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
}

/** Which long text is meant. */
export type SessionText =
  | { readonly kind: 'message'; readonly which: SessionPromptKind; readonly index: number }
  | { readonly kind: 'reply' }
  | { readonly kind: 'reasoning' }
  /** A held item, a chunk that was read, or a note. */
  | { readonly kind: 'item'; readonly id: string };

/** What would be best now. `replies` are those of a shortest way to a correct end; null when there is none left. */
export interface SessionAdvice {
  /** The first of them; null when there is none. */
  readonly reply: string | null;
  /** How many replies are needed at least; null when no number is enough. */
  readonly needed: number | null;
}

/** What is said while a reply is typed. */
export interface SessionHelp {
  readonly proposals: readonly Omit<Proposal, 'documentation'>[];
  readonly problems: readonly SessionNote[];
}

/** A step of two branches side by side; null where a branch has ended. */
export interface SessionPair {
  readonly depth: number;
  readonly left: SessionSide | null;
  readonly right: SessionSide | null;
}

export interface SessionSide {
  readonly node: number;
  readonly label: string;
  readonly by: string;
  readonly used: number | null;
  readonly worst: SessionNote['severity'] | null;
}

export interface SessionComparison {
  /** Replies that both have in common. */
  readonly together: number;
  readonly left: SessionOutcome;
  readonly right: SessionOutcome;
  readonly pairs: readonly SessionPair[];
}

/** Where a chunk stands in the document of the instance: whole lines from 0, the end exclusive. */
export interface ChunkPlace {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Where the run of a branch is. */
export interface SavedRun {
  /** Path of its folder. */
  readonly folder: string;
  /** False when this branch was written there before. */
  readonly isNew: boolean;
}
