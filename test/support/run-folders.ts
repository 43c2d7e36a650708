/** Run folders as a finished run leaves them, played by a policy of the navigator without any runner. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply } from '../../server/src/engine/environments/chat.ts';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import { printStepLine, type StepLine } from '../../server/src/engine/evals/formats/step-lines.ts';
import { hashInstance, hashText } from '../../server/src/engine/evals/identity.ts';
import { statesOf } from '../../server/src/engine/evals/play-task.ts';
import { configureRun } from '../../server/src/engine/evals/run-config.ts';
import { printRunConfig } from '../../server/src/engine/evals/run-config-file.ts';
import { groupsOf } from '../../server/src/engine/evals/summarize.ts';

export interface RunSketch {
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly split: string;
  readonly indices: readonly number[];
  readonly prompt?: string;
  readonly model?: string;
  /** The replies on an instance; null for a failure of the provider at the first step. */
  replies(instance: Instance): readonly string[] | null;
}

/** Writes the folder into `parent` and gives its path. */
export function writeRunFolder(parent: string, sketch: RunSketch): string {
  const { id, split, indices, prompt = 'user:\n{{question}}\n', model = 'test-model' } = sketch;
  const folder = join(parent, `navigator--${model}--p--${id}`);
  const config = configureRun({
    id,
    created: '2026-01-02T03:04:05Z',
    version: '0.0.0',
    environment: 'navigator',
    generatorVersion: navigator.generatorVersion,
    options: {},
    label: split,
    suite: null,
    parts: [{ split, indices }],
    rollouts: 1,
    shuffleSeed: null,
    agent: { kind: 'model', model, baseUrl: 'http://127.0.0.1:1/v1', sampling: {}, extraBody: {} },
    prompt: { name: 'p', path: null, text: prompt, hash: hashText(prompt) },
  });
  mkdirSync(join(folder, 'configs'), { recursive: true });
  writeFileSync(join(folder, 'configs', 'eval.json'), printRunConfig(config));
  const lines = indices.flatMap((index, task) => episodeLines(sketch, index, task));
  const first: StepLine = { type: 'attempt', attempt: 1, time: 0, version: '0.0.0', endpoint: null };
  writeFileSync(join(folder, 'steps.jsonl'), [first, ...lines].map(printStepLine).join(''));
  return folder;
}

function episodeLines({ split, replies }: RunSketch, index: number, task: number): StepLine[] {
  const made = navigator.generate(split, index, {});
  if (!made.ok) throw new Error(made.error);
  const { instance } = made.value;
  const ids = { task, attempt: 1 };
  const note = {
    id: instance.id,
    hash: hashInstance(instance),
    split,
    index,
    groups: groupsOf(navigator, instance),
    minSteps: instance.min_steps,
  };
  const begin: StepLine = { type: 'begin', ...ids, rollout: 0, instance: note };
  const texts = replies(instance);
  if (texts === null) {
    const failure = {
      code: 'server',
      message: 'overloaded',
      advice: 'Wait.',
      attempts: 5,
      retriable: true,
    } as const;
    return [begin, { type: 'error', ...ids, step: 1, failure, time: 0 }];
  }
  const events = texts.map(reply);
  const states = statesOf(navigator, instance, {}, events);
  const last = states.at(-1);
  if (last === undefined) throw new Error('no state');
  const explained = navigator.explain?.(states) ?? null;
  return [
    begin,
    ...events.map(
      (event, at): StepLine => ({
        type: 'event',
        ...ids,
        step: at + 1,
        event,
        requests: 1,
        cached: false,
        time: 0,
        ms: 1,
      }),
    ),
    {
      type: 'end',
      ...ids,
      steps: events.length,
      outcome: navigator.outcome(last),
      cause: explained?.cause ?? null,
      causeStep: explained?.step ?? null,
      causeHop: explained?.hop ?? null,
    },
  ];
}

/** What the oracle says on an instance. */
export function oracleReplies(instance: Instance): readonly string[] {
  const oracle = navigator.policies.find(({ id }) => id === 'oracle');
  const player = oracle?.begin(instance, '0');
  const texts: string[] = [];
  let state = navigator.start(instance, {});
  while (player !== undefined && navigator.next(state).kind === 'reply') {
    const event = player(state);
    texts.push(event.text);
    state = navigator.advance(state, event);
  }
  return texts;
}
