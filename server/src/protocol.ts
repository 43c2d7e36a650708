/**
 * Every message between editor and language server that is not part of the Language Server Protocol, declared once.
 * Types only: both sides import them, neither gets code from here.
 *
 * A request that can fail for a reason a person should read returns {@link Checked}; a rejected request means a
 * defect or a server that is gone.
 */
import type { ChatMessage } from './engine/environments/chat.ts';
import type { Examination } from './engine/evals/examination.ts';
import type { Checked } from './engine/problem.ts';

/** A split of an environment, as a person picks it. */
export interface SplitInfo {
  readonly id: string;
  readonly description: string;
  /** Published number of instances. Higher indices give fresh instances. */
  readonly size: number;
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

/** What the agent of a transcript holds after one of its steps. */
export interface HeldChunks {
  /** Address of the instance that was played. */
  readonly instance: string;
  /** Counted from 1; 0 before the first. */
  readonly step: number;
  /** Where they stand in the document of the instance. */
  readonly chunks: readonly { readonly number: number; readonly range: Place }[];
}

/** Requests from the editor to the server: method name, parameters, result. */
export interface Requests {
  /** What there is to open. */
  'hopscope/environments': { readonly params: null; readonly result: readonly EnvironmentInfo[] };
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

export type RequestMethod = keyof Requests;
export type RequestParams<M extends RequestMethod> = Requests[M]['params'];
export type RequestResult<M extends RequestMethod> = Requests[M]['result'];
