/** Getting the next event of an episode that is being played, whatever it needs: a reply of the agent, a verdict of a judge. */
import type { ChatMessage, Event, Need, Reply, Usage, Verdict } from '../environments/chat.ts';
import type { AnyInstance, Environment } from '../environments/environment.ts';
import type { ModelFailure, ModelResult } from './model.ts';
import type { Responder } from './responder.ts';

/** Asks a model that judges; the name it is known by goes into rows. */
export interface Judge {
  readonly name: string;
  ask(messages: readonly ChatMessage[], signal: AbortSignal): Promise<ModelResult>;
}

/** Who is asked during an episode. */
export interface Players<S> {
  readonly responder: Responder<S>;
  /** Null where none was named. */
  readonly judge: Judge | null;
}

/** What became of asking. `usage` is what the request took, of whomever it was. */
export type Given =
  | {
      readonly ok: true;
      readonly event: Event;
      readonly usage: Usage | undefined;
      /** Requests that were sent. */
      readonly attempts: number;
      readonly cached: boolean;
      readonly waitedMs: number;
    }
  | { readonly ok: false; readonly failure: ModelFailure; readonly waitedMs: number };

/**
 * Asks whom `need` asks for. A conversation that the endpoint refuses for its length is an event where the environment
 * scores that, and a failure elsewhere. Never rejects.
 */
export async function nextEvent<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  state: S,
  need: Exclude<Need, { readonly kind: 'nothing' }>,
  { responder, judge }: Players<S>,
  signal: AbortSignal,
): Promise<Given> {
  if (need.kind === 'verdict') {
    if (judge === null) return noJudge(need.judge);
    const result = await judge.ask(need.messages, signal);
    return given(result, (reply) => verdictOf(judge.name, reply));
  }
  const result = await responder.reply(state, signal);
  if (result.ok || environment.scoresOverflow !== true || !isOverflow(result.failure)) {
    return given(result, (reply) => reply);
  }
  const event: Event = { kind: 'reply', text: '', finish: 'context' };
  const { failure, waitedMs } = result;
  return { ok: true, event, usage: undefined, attempts: failure.attempts, cached: false, waitedMs };
}

/** What a model that judges has said, as an event. */
export function verdictOf(judge: string, { text, usage }: Reply): Verdict {
  return { kind: 'verdict', judge, value: text, ...(usage === undefined ? {} : { usage }) };
}

function given(result: ModelResult, eventOf: (reply: Reply) => Event): Given {
  if (!result.ok) return result;
  const { reply, attempts, cached, waitedMs } = result;
  return { ok: true, event: eventOf(reply), usage: reply.usage, attempts, cached, waitedMs };
}

/** An endpoint that refuses a conversation for its length says so with a status; our own limits have none. */
function isOverflow({ code, status }: ModelFailure): boolean {
  return code === 'too-large' && status !== undefined;
}

function noJudge(judge: string): Given {
  const failure: ModelFailure = {
    code: 'bad-request',
    message: `The episode needs a verdict of the judge "${judge}", and no model was named that judges.`,
    advice: 'Name one with --judge-model.',
    attempts: 0,
    retriable: false,
  };
  return { ok: false, failure, waitedMs: 0 };
}
