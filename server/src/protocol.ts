/**
 * Every message between editor and language server that is not part of the Language Server Protocol, declared once.
 * Types only: both sides import them, neither gets code from here.
 *
 * A request that can fail for a reason a person should read returns {@link Checked}; a rejected request means a
 * defect or a server that is gone.
 */
import type { EnvironmentRequests } from './protocol/environments.ts';
import type { EpisodeRequests } from './protocol/episodes.ts';
import type { InstanceRequests } from './protocol/instances.ts';
import type { PromptRequests } from './protocol/prompts.ts';
import type { ResultsRequests } from './protocol/results.ts';
import type { RunRequests } from './protocol/runs.ts';
import type { StreamRequests } from './protocol/streams.ts';
import type { TranscriptRequests } from './protocol/transcripts.ts';

export type { ChatMessage } from './engine/environments/chat.ts';
export type { Gauge } from './engine/environments/commentary.ts';
export type * from './engine/environments/panel.ts';
export type * from './engine/evals/sessions/view.ts';
export type { Checked } from './engine/problem.ts';
export type * from './protocol/environments.ts';
export type * from './protocol/episodes.ts';
export type * from './protocol/instances.ts';
export type * from './protocol/prompts.ts';
export type * from './protocol/results.ts';
export type * from './protocol/runs.ts';
export type * from './protocol/streams.ts';
export type * from './protocol/transcripts.ts';

/** Requests from the editor to the server: method name, parameters, result. */
export interface Requests
  extends EnvironmentRequests,
    InstanceRequests,
    PromptRequests,
    TranscriptRequests,
    EpisodeRequests,
    RunRequests,
    ResultsRequests,
    StreamRequests {}

/** Notifications from the editor to the server: method name, parameters. */
export interface Notifications {
  /** The models that the editor has learned of, in place of those it told of before; completion offers them for `model:`. */
  'hopscope/knownModels': { readonly models: readonly string[] };
}

export type RequestMethod = keyof Requests;

export type RequestParams<M extends RequestMethod> = Requests[M]['params'];

export type RequestResult<M extends RequestMethod> = Requests[M]['result'];
