/** The messages about step prompts: previews, sizes, and what a model would be sent. Part of `protocol.ts`, which has them all. */
import type { ChatMessage } from '../engine/environments/chat.ts';
import type { Checked } from '../engine/problem.ts';
import type { SplitInfo } from './environments.ts';
import type { InstanceLocation } from './instances.ts';

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

/** Requests about open step prompts. */
export interface PromptRequests {
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
