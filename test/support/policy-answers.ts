/** Lets {@link startModelServer} play episodes exactly as a policy plays them in process. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../../server/src/engine/environments/chat.ts';
import type {
  AnyInstance,
  Environment,
  Outcome,
  Policy,
} from '../../server/src/engine/environments/environment.ts';
import { chatRequest } from '../../server/src/engine/prompts/chat-request.ts';
import { preparePrompt } from '../../server/src/engine/prompts/render-prompt.ts';
import type { StepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { openStream } from '../../server/src/engine/random/stream.ts';
import { type Answer, type Respond, type Seen, wrong } from './model-server.ts';

interface Episodes<I extends AnyInstance, O, S> {
  readonly environment: Environment<I, O, S>;
  readonly prompt: StepPrompt;
  readonly options: O;
  readonly policy: Policy<I, S>;
  readonly seed: string;
  readonly instances: Iterable<I>;
}

/** An episode as it was played in process. */
export interface Played {
  readonly instanceId: string;
  readonly replies: readonly string[];
  readonly outcome: Outcome;
}

/**
 * Plays the episodes and remembers the reply to every prompt. A request says all there is to know of its step, so
 * the server needs no memory of what it has answered.
 *
 * @throws Error when one prompt would have to be answered in two ways: such a prompt hides what its policy looks at.
 */
export function playedAnswers<I extends AnyInstance, O, S>({
  environment,
  prompt,
  options,
  policy,
  seed,
  instances,
}: Episodes<I, O, S>): { readonly respond: Respond; readonly episodes: readonly Played[] } {
  const renderer = preparePrompt(prompt);
  const table = new Map<string, Reply>();
  const episodes = Array.from(instances, (instance): Played => {
    const player = policy.begin(instance, seed);
    const replies: string[] = [];
    let state = environment.start(instance, options);
    while (environment.next(state).kind === 'reply') {
      const { messages } = renderer.render(environment.observe(state));
      const all = [...messages, ...environment.conversation(state)];
      const key = hashOf(chatRequest({ model: null, messages: all, sampling: {}, tools: [] })['messages']);
      const reply = player(state);
      const known = table.get(key);
      if (known !== undefined && !isDeepStrictEqual(known, reply)) {
        throw new Error(`Step ${replies.length + 1} of ${instance.id} has a prompt with another reply.`);
      }
      table.set(key, reply);
      replies.push(reply.text);
      state = environment.advance(state, reply);
    }
    return { instanceId: instance.id, replies, outcome: environment.outcome(state) };
  });
  const respond = ({ body }: Seen): Answer => {
    const reply = table.get(hashOf(body?.['messages']));
    if (reply === undefined) return wrong(400, 'No episode has this prompt.');
    const { text, toolCalls } = reply;
    return { said: { text, ...(toolCalls === undefined ? {} : { toolCalls }) } };
  };
  return { respond, episodes };
}

/**
 * Lets a share of the requests fail: a third each of 429 with `Retry-After`, of 500 and of a connection that is cut in
 * the middle of the body. Which ones depends on the seed, on the request and on how often it came before, and on
 * nothing else.
 */
export function withFaults(respond: Respond, share: number, seed: string, retryAfter = '0'): Respond {
  return async (seen) => {
    const stream = openStream('faults', seed, hashOf(seen.body?.['messages']), seen.before);
    if (!stream.chance(share)) return respond(seen);
    switch (stream.below(3)) {
      case 0:
        return wrong(429, 'Rate limit reached.', 'rate_limit_exceeded', { 'retry-after': retryAfter });
      case 1:
        return wrong(500, 'The server had an error.');
      default:
        return { ...(await respond(seen)), delivery: 'cut' };
    }
  };
}

function hashOf(messages: unknown): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex');
}
