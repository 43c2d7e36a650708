/** Where an episode stands: the conversation and the world. Plain immutable data. */
import type { ChatMessage, Reply } from '../chat.ts';
import type { Finish } from './finish.ts';
import type { Instance } from './instance.ts';
import type { Options } from './options.ts';
import type { Points } from './pitch/rubric.ts';
import type { Verified } from './verify.ts';
import type { EpisodeWorld } from './world.ts';

/** Why a turn counted for nothing. */
export type InvalidReason =
  | 'no_action'
  | 'length'
  | 'multi_action'
  | 'finish_with_tool'
  | 'schema_invalid'
  | 'unknown_tool';

/** What a turn was. A capped or failed one is the last. */
export type TurnKind =
  | { readonly kind: 'tool' | 'finish' }
  | { readonly kind: 'invalid'; readonly reason: InvalidReason }
  | { readonly kind: 'capped'; readonly reason: 'step_cap' | 'token_cap' }
  | { readonly kind: 'error'; readonly reason: 'context_overflow' };

export type Turn = TurnKind & {
  /** The only call, when there was just one. */
  readonly name: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  /** What the agent read in return. */
  readonly observation: string;
  /** Whether a tool did what it was called for. */
  readonly ok: boolean;
  readonly reply: Reply | null;
};

/** How a pitch was judged. */
export interface PitchScore {
  readonly judge: string;
  readonly marks: readonly string[];
  readonly invented: readonly string[];
  readonly points: Points;
}

export type Stop = 'finished' | 'step-cap' | 'token-cap' | 'context-overflow' | 'judge-error';

export interface State {
  readonly instance: Instance;
  readonly options: Options;
  /** The world before the first turn. */
  readonly clean: EpisodeWorld;
  readonly world: EpisodeWorld;
  /** What follows the rendered prompt. */
  readonly messages: readonly ChatMessage[];
  readonly turns: readonly Turn[];
  /** Calls of tools that were carried out. */
  readonly calls: number;
  /** As the endpoint counted them. */
  readonly outputTokens: number;
  readonly replies: number;
  readonly finish: Finish | null;
  readonly verified: Verified | null;
  readonly pitch: PitchScore | null;
  /** Verdicts that could not be read. */
  readonly badVerdicts: number;
  readonly stop: Stop | null;
}
