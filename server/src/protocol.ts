/**
 * Every message between editor and language server that is not part of the Language Server Protocol, declared once.
 * Types only: both sides import them, neither gets code from here.
 *
 * A request that can fail for a reason a person should read returns {@link Checked}; a rejected request means a
 * defect or a server that is gone.
 */
import type { ChatMessage } from './engine/environments/chat.ts';
import type { ComparedTexts } from './engine/environments/compared-texts.ts';
import type { Examination } from './engine/evals/examination.ts';
import type {
  ChunkPlace,
  SessionAdvice,
  SessionComparison,
  SessionDriver,
  SessionHelp,
  SessionOpened,
  SessionPrompt,
  SessionPromptKind,
  SessionPromptText,
  SessionSource,
  SessionText,
  SessionView,
  TextPortion,
} from './engine/evals/session-view.ts';
import type { Checked } from './engine/problem.ts';
import type { ResultsRequests } from './protocol/results.ts';
import type { RunRequests } from './protocol/runs.ts';

/** A split of an environment, as a person picks it. */
export interface SplitInfo {
  readonly id: string;
  readonly description: string;
  /** Published number of instances. Higher indices give fresh instances unless the split is finite. */
  readonly size: number;
  readonly finite?: boolean;
  readonly test: boolean;
}

export interface EnvironmentInfo {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly splits: readonly SplitInfo[];
}

/** Which generated instance is meant. */
export interface InstanceSelector {
  readonly environment: string;
  readonly split: string;
  /** Position in the split, from 0. */
  readonly index: number;
  /** Of the environment; its defaults when absent. Plain JSON. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Where an instance opens. */
export interface InstanceLocation {
  /** `hopscope:` and readable by {@link Requests} `hopscope/readInstance`, now and after a restart. */
  readonly uri: string;
  readonly id: string;
}

/** Where a step prompt is previewed: at which step of whose episode on which instance. */
export interface PreviewPlace {
  readonly split: string;
  /** Position in the split, from 0. */
  readonly index: number;
  /** A scripted agent of the environment. */
  readonly policy: string;
  /** Counted from 1: the prompt that the agent's reply of that number answers. */
  readonly step: number;
}

/** A stretch of a message; `removed` text stands in the saved version only. */
export interface PreviewPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A message as a model would get it, compared with what the saved version of the prompt gives. */
export interface PreviewMessage {
  readonly role: ChatMessage['role'];
  /** The role block that gave it, counted from 0; null for messages of the environment and of the saved version only. */
  readonly block: number | null;
  /** The beginning of the message; all of it when `next` is null. */
  readonly pieces: readonly PreviewPiece[];
  /** What `hopscope/previewPieces` is to be asked for next; null when nothing is left out. */
  readonly next: number | null;
}

export interface PreviewProblem {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** Where in the file, both from 0. */
  readonly line: number;
  readonly character: number;
  /** The role block it stands in, counted from 0; null outside of all. */
  readonly block: number | null;
}

/** What a prompt gives at one place, and where else one can look. */
export interface PreviewRendering {
  readonly place: PreviewPlace;
  readonly environment: string;
  readonly instance: InstanceLocation;
  /** Prompts that the agent gets in this episode. */
  readonly steps: number;
  readonly splits: readonly SplitInfo[];
  readonly policies: readonly { readonly id: string; readonly description: string }[];
  readonly messages: readonly PreviewMessage[];
  /** Whether it differs from what the saved version gives; false when there is none. */
  readonly changed: boolean;
}

export interface PromptPreview {
  /** In the order of the file. */
  readonly problems: readonly PreviewProblem[];
  /** Whether there are errors because of which the rendering is not what its writer means. */
  readonly isBroken: boolean;
  /** Null when nothing can be rendered; `problems` or `reason` say why. */
  readonly rendering: PreviewRendering | null;
  /** One sentence; null when there is a rendering. */
  readonly reason: string | null;
  /** The data set without which nothing can be rendered; null when that is not why. */
  readonly missingData: string | null;
}

/** Sizes in the environment's own tokens and in those of a model; null where there is no such counter. */
export interface TokenSizes {
  readonly environment: number | null;
  readonly model: number | null;
}

/** How large something is at the previewed step, and at the step of the episode where it is largest. */
export interface TokenRange {
  readonly step: TokenSizes;
  readonly most: TokenSizes;
}

export interface PromptTokens {
  readonly place: PreviewPlace;
  /** Of each role block, in the order of the file. */
  readonly blocks: readonly TokenRange[];
  readonly total: TokenRange;
  /** The tokenizer that stands for a model's, e.g. `o200k`. */
  readonly tokenizer: string;
}

/** The request that a model would be sent, for other programs. It holds no key. */
export interface PromptRequest {
  /** The body, as OpenAI-compatible endpoints take it. */
  readonly json: string;
  /** A command for a POSIX shell; it takes key and address from the environment. */
  readonly curl: string;
  /** Null when the prompt names none: then the body has none either. */
  readonly model: string | null;
}

/** What a list of instances is of: a split, or a file of instances by its address. */
export type InstanceSource =
  | { readonly environment: string; readonly split: string }
  | { readonly file: string };

/** Values that are wanted, by grouping; a grouping that is not named allows all. */
export type InstanceFilter = Readonly<Record<string, readonly (string | number)[]>>;

/** An instance as a list shows it. */
export interface InstanceRow extends InstanceLocation {
  /** In the source, from 0. */
  readonly position: number;
  /** E.g. `3 hops, 32k document tokens`; may be empty. */
  readonly description: string;
}

export interface InstancePage {
  readonly rows: readonly InstanceRow[];
  /** Position to go on from; null when the list ends here. */
  readonly next: number | null;
  /** Of the source, whatever the filter. */
  readonly total: number;
}

/** A way to tell instances of a source apart, with the values that occur in it. */
export interface InstanceGroups {
  readonly id: string;
  readonly label: string;
  readonly values: readonly { readonly value: string | number; readonly count: number }[];
}

/** Sent as the value of `$/progress` while `hopscope/examine` works. */
export interface ExamineProgress {
  readonly done: number;
  readonly total: number;
}

/** A place in a document, counted as in the Language Server Protocol. */
export interface Place {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** What a marked place of an instance document is to its question. */
export type MarkKind = 'answer' | 'evidence' | 'distractor';

export interface Mark {
  readonly kind: MarkKind;
  readonly range: Place;
}

/** What a reply was made from, and what it is. */
export interface TextsBeside extends ComparedTexts {
  /** Id of the instance that was played. */
  readonly instance: string;
}

/** What the agent of a transcript holds after one of its steps. */
export interface HeldChunks {
  /** Address of the instance that was played. */
  readonly instance: string;
  /** Counted from 1; 0 before the first. */
  readonly step: number;
  /** Where they stand in the document of the instance. */
  readonly chunks: readonly { readonly number: number; readonly range: Place }[];
}

/** Which session is meant, and whether the person may know everything. */
export interface SessionChoice {
  /** Chosen by whoever opens it. */
  readonly session: string;
  /** False leaves out what an agent must not know. */
  readonly spoilers: boolean;
}

/** Sent as the value of `$/progress` while `hopscope/episode/step` waits for a model. */
export type SaidProgress =
  | { readonly text?: string; readonly reasoning?: string }
  | { readonly restart: true };

/**
 * Requests about an episode that is stepped through. A session lives in the server until it is closed; results are below
 * 256 kB but for those of `print`.
 */
export interface EpisodeRequests {
  /** Opens a session, in the place of one of the same name. */
  'hopscope/episode/open': {
    readonly params: SessionChoice & { readonly source: SessionSource };
    readonly result: Checked<SessionOpened>;
  };
  'hopscope/episode/close': { readonly params: { readonly session: string }; readonly result: null };
  /** Everything there is to see where it stands. */
  'hopscope/episode/look': { readonly params: SessionChoice; readonly result: Checked<SessionOpened> };
  /** Takes a step; tells of {@link SaidProgress} under `token`. Cancelling the request cancels the step. */
  'hopscope/episode/step': {
    readonly params: SessionChoice & { readonly driver: SessionDriver; readonly token: string };
    readonly result: Checked<SessionView>;
  };
  'hopscope/episode/go': {
    readonly params: SessionChoice & { readonly node: number };
    readonly result: Checked<SessionView>;
  };
  /** Makes the next step the first of a new branch. */
  'hopscope/episode/fork': { readonly params: SessionChoice; readonly result: Checked<SessionView> };
  /** Puts a step prompt in force from here on. */
  'hopscope/episode/usePrompt': {
    readonly params: SessionChoice & { readonly prompt: SessionPromptText | null };
    readonly result: Checked<SessionView>;
  };
  'hopscope/episode/prompt': {
    readonly params: {
      readonly session: string;
      readonly node: number;
      readonly which: SessionPromptKind;
    };
    readonly result: Checked<SessionPrompt>;
  };
  /** Sizes of those messages in a model's tokens; null when they cannot be counted. Waits for the tokenizer. */
  'hopscope/episode/promptTokens': {
    readonly params: {
      readonly session: string;
      readonly node: number;
      readonly which: SessionPromptKind;
    };
    readonly result: Checked<{ readonly tokenizer: string; readonly counts: readonly number[] | null }>;
  };
  /** The messages whole, for a model that the editor itself asks. */
  'hopscope/episode/messages': {
    readonly params: { readonly session: string };
    readonly result: Checked<readonly ChatMessage[]>;
  };
  /** A portion of a long text. */
  'hopscope/episode/text': {
    readonly params: {
      readonly session: string;
      readonly node: number;
      readonly what: SessionText;
      readonly from: number;
    };
    readonly result: Checked<TextPortion>;
  };
  /** The best next action: a spoiler that is asked for. */
  'hopscope/episode/advice': {
    readonly params: { readonly session: string };
    readonly result: Checked<SessionAdvice>;
  };
  /** Completion and checks of a reply that is typed; `offset` is where the cursor is. */
  'hopscope/episode/help': {
    readonly params: SessionChoice & { readonly text: string; readonly offset: number };
    readonly result: Checked<SessionHelp>;
  };
  'hopscope/episode/compare': {
    readonly params: SessionChoice & { readonly left: number; readonly right: number };
    readonly result: Checked<SessionComparison>;
  };
  /** Follows the text of a transcript and goes to `step`, counted in replies; to its end when it is null. */
  'hopscope/episode/follow': {
    readonly params: SessionChoice & { readonly text: string; readonly step: number | null };
    readonly result: Checked<SessionView>;
  };
  /**
   * The session as text: its branch as a transcript for a file at `target`, as a Markdown report, or all of it for
   * opening it again.
   */
  'hopscope/episode/print': {
    readonly params: SessionChoice & {
      readonly what: 'transcript' | 'report' | 'session';
      readonly target: string | null;
    };
    readonly result: Checked<string>;
  };
  /** Writes the branch as a run of one episode into the folder of runs at `parent`; gives the run's folder. */
  'hopscope/episode/saveRun': {
    readonly params: { readonly session: string; readonly parent: string };
    readonly result: Checked<string>;
  };
  /** Where chunks stand in the document of the instance. */
  'hopscope/episode/places': {
    readonly params: { readonly session: string };
    readonly result: Checked<readonly ChunkPlace[]>;
  };
}

/** Data from outside that an environment needs. */
export interface DataInfo {
  readonly set: string;
  readonly title: string;
  /** Who publishes them and under what licence. */
  readonly origin: string;
  /** E.g. `5.6 MB`. */
  readonly size: string;
  /** Id of the environment. */
  readonly environment: string;
  /** Whether they are on this machine. */
  readonly isHere: boolean;
}

/** Requests from the editor to the server: method name, parameters, result. */
export interface Requests extends EpisodeRequests, ResultsRequests, RunRequests {
  /** What there is to open. */
  'hopscope/environments': { readonly params: null; readonly result: readonly EnvironmentInfo[] };
  /** The data that environments need, one row for each environment that needs some. */
  'hopscope/data': { readonly params: null; readonly result: readonly DataInfo[] };
  /** Has the server look for data in a folder first; in none when it is empty. */
  'hopscope/dataFolder': { readonly params: { readonly folder: string }; readonly result: null };
  /**
   * Fetches a data set from its source, which is to be asked for by a person only. Tells of {@link ExamineProgress} under
   * `token` and stops when the request is cancelled; gives the folder.
   */
  'hopscope/fetchData': {
    readonly params: { readonly set: string; readonly token: string };
    readonly result: Checked<string>;
  };
  /** The address of one instance; the error says why there is none, e.g. an index out of range. */
  'hopscope/locateInstance': {
    readonly params: InstanceSelector;
    readonly result: Checked<InstanceLocation>;
  };
  /** The text of the instance, or the documentation page, at a `hopscope:` address: the same one whenever it is asked for. */
  'hopscope/readInstance': { readonly params: { readonly uri: string }; readonly result: Checked<string> };
  /** The text of a transcript of that instance whose first step is still to be written. */
  'hopscope/newTranscript': {
    readonly params: InstanceSelector | { readonly uri: string };
    readonly result: Checked<string>;
  };
  /** A page of at most `count` instances of a source from position `from` on. */
  'hopscope/listInstances': {
    readonly params: {
      readonly source: InstanceSource;
      readonly from: number;
      readonly count: number;
      readonly filter: InstanceFilter;
    };
    readonly result: Checked<InstancePage>;
  };
  /** By what the instances of a source can be filtered. */
  'hopscope/instanceGroups': {
    readonly params: { readonly source: InstanceSource };
    readonly result: Checked<readonly InstanceGroups[]>;
  };
  /** The instance of an id, generated or in one of the files. */
  'hopscope/findInstance': {
    readonly params: { readonly id: string; readonly files: readonly string[] };
    readonly result: Checked<InstanceLocation>;
  };
  /**
   * Validates the instances of a source, or the one at `position`, and with `audit` looks for what gives them away. Works
   * in threads of its own; tells of {@link ExamineProgress} under `token`, and stops when the request is cancelled.
   */
  'hopscope/examine': {
    readonly params: {
      readonly source: InstanceSource;
      readonly position: number | null;
      readonly audit: boolean;
      readonly token: string;
    };
    readonly result: Checked<Examination>;
  };
  /** What is held after the step at a position of the open transcript at `uri`. */
  'hopscope/heldChunks': {
    readonly params: { readonly uri: string; readonly position: Place['start'] };
    readonly result: Checked<HeldChunks>;
  };
  /** What the reply of the step at a position of the open transcript at `uri` was made from, and what it is. */
  'hopscope/comparedTexts': {
    readonly params: { readonly uri: string; readonly position: Place['start'] };
    readonly result: Checked<TextsBeside>;
  };
  /**
   * What to decorate in an instance document. All of it are spoilers, and whether they are shown is for the editor to
   * say: it knows of a changed setting before the server does.
   */
  'hopscope/instanceMarks': { readonly params: { readonly uri: string }; readonly result: readonly Mark[] };
  /**
   * What the open step prompt at `uri` gives at `place`, which from then on is where hovers and token counts look, too;
   * what `place` does not name stays as it was. `saved` is the text to compare with.
   */
  'hopscope/previewPrompt': {
    readonly params: {
      readonly uri: string;
      readonly place: Partial<PreviewPlace>;
      readonly saved: string | null;
    };
    readonly result: PromptPreview;
  };
  /** More of a message of the last `hopscope/previewPrompt`, from where `next` said; the error says that it is outdated. */
  'hopscope/previewPieces': {
    readonly params: { readonly uri: string; readonly message: number; readonly next: number };
    readonly result: Checked<Pick<PreviewMessage, 'pieces' | 'next'>>;
  };
  /** Sizes of the open step prompt at `uri` where it is previewed. Waits for the model's tokenizer. */
  'hopscope/promptTokens': {
    readonly params: { readonly uri: string };
    readonly result: Checked<PromptTokens>;
  };
  /** The instance on which the open step prompt at `uri` is previewed. */
  'hopscope/previewedInstance': {
    readonly params: { readonly uri: string };
    readonly result: Checked<InstanceLocation>;
  };
  /** The open step prompt at `uri` where it is previewed, as a request to a model. */
  'hopscope/promptRequest': {
    readonly params: { readonly uri: string };
    readonly result: Checked<PromptRequest>;
  };
}

export type { ChatMessage } from './engine/environments/chat.ts';
export type { Gauge } from './engine/environments/commentary.ts';
export type * from './engine/environments/panel.ts';
export type * from './engine/evals/session-view.ts';
export type { Checked } from './engine/problem.ts';
export type * from './protocol/results.ts';
export type * from './protocol/runs.ts';

/** Notifications from the editor to the server: method name, parameters. */
export interface Notifications {
  /** The models that the editor has learned of, in place of those it told of before; completion offers them for `model:`. */
  'hopscope/knownModels': { readonly models: readonly string[] };
}

export type RequestMethod = keyof Requests;
export type RequestParams<M extends RequestMethod> = Requests[M]['params'];
export type RequestResult<M extends RequestMethod> = Requests[M]['result'];
