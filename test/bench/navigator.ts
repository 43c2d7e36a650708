/** The navigator's rows: ratios to one plain sum over the text of a 32k document. */
import { readFileSync } from 'node:fs';
import { type Event, reply } from '../../server/src/engine/environments/chat.ts';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import { type PromptRenderer, preparePrompt } from '../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { countTokens } from '../../server/src/engine/text/tokens.ts';
import { readVectors, sharedInstances } from '../support/vectors.ts';
import { atLeast, atMost, compare, type Row, sumOver, untargeted } from './measure.ts';

type State = ReturnType<typeof navigator.start>;

/** An episode whose replies are known: instance, options and events. */
interface Script {
  readonly first: State;
  readonly events: readonly Event[];
}

function instanceAt(split: string, index: number, docTokens?: number): Instance {
  const options = docTokens === undefined ? {} : { doc_tokens: [docTokens] };
  const made = navigator.generate(split, index, options);
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

function documentOf(instance: Instance): string {
  return instance.chunks.map((chunk) => chunk.text).join('\n');
}

/** Recorded episodes of the shared vectors whose source is one of a kind. */
function scripts(kind: (source: string) => boolean): Script[] {
  interface RecordedEpisode {
    instance_id: string;
    source: string;
    actions: string[];
    env_overrides?: unknown;
  }
  const instances = sharedInstances();
  return readVectors<RecordedEpisode>('navigator/episodes.jsonl')
    .filter(({ source }) => kind(source))
    .map(({ instance_id, actions, env_overrides }) => {
      const instance = instances.get(instance_id);
      const options = navigator.parseOptions(env_overrides ?? {});
      if (instance === undefined || !options.ok) throw new Error(`no instance or options for ${instance_id}`);
      return { first: navigator.start(instance, options.value), events: actions.map(reply) };
    });
}

function fold(all: readonly Script[]): number {
  let steps = 0;
  for (const { first, events } of all) {
    let state = first;
    for (const event of events) state = navigator.advance(state, event);
    steps += state.steps;
  }
  return steps;
}

/** Every state of an oracle's episode in which a prompt is rendered. */
function oracleStates(instance: Instance): State[] {
  const oracle = navigator.policies.find(({ id }) => id === 'oracle');
  const player = oracle?.begin(instance, '0');
  const states: State[] = [];
  let state = navigator.start(instance, {});
  while (player !== undefined && navigator.next(state).kind === 'reply') {
    states.push(state);
    state = navigator.advance(state, player(state));
  }
  return states;
}

/** Prompts rendered in the time of one unit; observations are made anew each time. */
function rendering(renderer: PromptRenderer, states: readonly State[], unit: () => number): number {
  const timed = compare(200, unit, () => {
    let length = 0;
    for (const state of states) length += rendered(renderer, state);
    return length;
  });
  return (states.length * timed.unit) / timed.subject;
}

function rendered(renderer: PromptRenderer, state: State): number {
  let length = 0;
  for (const { content } of renderer.render(navigator.observe(state)).messages) length += content.length;
  return length;
}

/** The same for states of which each is the first one seen of its instance: nothing is remembered of its map. */
function firstRendering(renderer: PromptRenderer, unit: () => number): number {
  const states = Array.from({ length: 200 }, (_, i) => navigator.start(instanceAt('ood_test', 1000 + i), {}));
  const timed = compare(180, unit, (round) => rendered(renderer, states[round + 20] as State));
  return timed.unit / timed.subject;
}

function rendererOf(file: string): PromptRenderer {
  return preparePrompt(parseStepPrompt(readFileSync(file, 'utf8')).prompt);
}

/** Measures everything in this process; half a minute. */
export function navigatorRows(): Row[] {
  const text = documentOf(instanceAt('train', 0));
  const unit = () => sumOver(text);
  const rows: Row[] = [];

  const made = compare(400, unit, (round) => instanceAt('train', round + 1000).chunks.length);
  const large = compare(60, unit, (round) => instanceAt('train', round + 1000, 128_000).chunks.length);
  rows.push(atMost('generate + validate 32k (median; aim 5)', made.subject / made.unit, 7, 'units'));
  rows.push(atMost('generate + validate 128k against 32k', large.subject / made.subject, 5, 'x'));

  const counted = compare(400, unit, () => countTokens(text));
  rows.push(atMost('count tokens', counted.subject / counted.unit, 1.4, 'x'));

  const oracles = scripts((source) => source === 'oracle');
  const fuzzed = scripts((source) => source === 'fuzz');
  if (oracles.length > 0 && fuzzed.length > 0) {
    const played = compare(300, unit, () => fold(oracles));
    const tossed = compare(300, unit, () => fold(fuzzed));
    rows.push(
      atLeast('advance, oracle episodes', (fold(oracles) * played.unit) / played.subject, 250, 'steps/unit'),
    );
    rows.push(
      atLeast('advance, fuzzed episodes', (fold(fuzzed) * tossed.unit) / tossed.subject, 80, 'steps/unit'),
    );
  }

  const states = [0, 1, 2, 3].flatMap((index) => oracleStates(instanceAt('ood_test', index)));
  const sections = rendererOf('prompts/navigator/navigator.step.md');
  const texts = rendererOf('prompts/navigator/terse.step.md');
  rows.push(
    atLeast('render prompt, sections', rendering(sections, states, unit), 10, '/unit'),
    atLeast('render prompt, ready-made texts', rendering(texts, states, unit), 40, '/unit'),
    untargeted('render the first prompt of an instance, sections', firstRendering(sections, unit), '/unit'),
    untargeted('render the first prompt of an instance, texts', firstRendering(texts, unit), '/unit'),
  );
  return rows;
}
