/** What runs over HTTP are tested with: an endpoint that plays as the oracle does, and which step each request was for. */
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { questionFor } from '../../server/src/engine/evals/responder.ts';
import { preparePrompt } from '../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import type { Respond, Seen } from './model-server.ts';
import { playedAnswers } from './policy-answers.ts';

export interface OracleEndpoint {
  readonly respond: Respond;
  /** Steps of all episodes together. */
  readonly steps: number;
  /** The reward of each episode, in order. */
  readonly rewards: readonly number[];
  /** Index of the instance and number of the step that a request is for, e.g. `3 1`. */
  stepOf(seen: Seen): string;
}

/** Plays the first `count` instances of id_test, made with `raw` options, with the step prompt in `text`. */
export function oracleEndpoint(text: string, count: number, raw: object): OracleEndpoint {
  const parsed = navigator.parseOptions(raw);
  const policy = navigator.policies.find(({ id }) => id === 'oracle');
  if (!parsed.ok || policy === undefined) throw new Error('no oracle');
  const options = parsed.value;
  const { prompt } = parseStepPrompt(text);
  const renderer = preparePrompt(prompt);
  const instances = Array.from({ length: count }, (_, index) => {
    const made = navigator.generate('id_test', index, options);
    if (!made.ok) throw new Error(made.error);
    return made.value.instance;
  });
  const steps = new Map<string, string>();
  for (const [index, instance] of instances.entries()) {
    const player = policy.begin(instance, '0');
    let state = navigator.start(instance, options);
    for (let step = 1; navigator.next(state).kind === 'reply'; step++) {
      steps.set(JSON.stringify(questionFor(navigator, renderer, state)?.messages), `${index} ${step}`);
      state = navigator.advance(state, player(state));
    }
  }
  const { respond, episodes } = playedAnswers({
    environment: navigator,
    prompt,
    options,
    policy,
    seed: '0',
    instances,
  });
  return {
    respond,
    steps: steps.size,
    rewards: episodes.map(({ outcome }) => outcome.reward),
    stepOf({ body }) {
      const step = steps.get(JSON.stringify(body?.['messages']));
      if (step === undefined) throw new Error('a request for no step');
      return step;
    },
  };
}
