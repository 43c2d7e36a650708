/** The messages of the episode panel. Part of `protocol.ts`, which has them all. */
import type {
  ChunkPlace,
  SavedRun,
  SessionAdvice,
  SessionComparison,
  SessionDriver,
  SessionHelp,
  SessionOpened,
  SessionPrompt,
  SessionPromptKind,
  SessionPromptText,
  SessionQuestion,
  SessionSource,
  SessionText,
  SessionView,
  TextPortion,
} from '../engine/evals/sessions/view.ts';
import type { Checked } from '../engine/problem.ts';

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
  /** What a model is to be asked now, whole, for one that the editor itself asks. */
  'hopscope/episode/question': {
    readonly params: { readonly session: string };
    readonly result: Checked<SessionQuestion>;
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
   * The session as text: its branch as a transcript for a file at `target`, as a Markdown report, its step prompt, or all
   * of it for opening it again.
   */
  'hopscope/episode/print': {
    readonly params: SessionChoice & {
      readonly what: 'transcript' | 'report' | 'prompt' | 'session';
      readonly target: string | null;
    };
    readonly result: Checked<string>;
  };
  /** Writes the branch as a run of one episode into the folder of runs at `parent`, unless it is there. */
  'hopscope/episode/saveRun': {
    readonly params: { readonly session: string; readonly parent: string };
    readonly result: Checked<SavedRun>;
  };
  /** Where chunks stand in the document of the instance. */
  'hopscope/episode/places': {
    readonly params: { readonly session: string };
    readonly result: Checked<readonly ChunkPlace[]>;
  };
}
