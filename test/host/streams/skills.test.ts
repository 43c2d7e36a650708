/** Scripted agents of known skill, through the endpoint for tests, with real tool calls. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import type { CurvePoint, StreamReport } from '../../../server/src/engine/environments/streams.ts';
import { modelResponder, openAsker } from '../../../server/src/engine/evals/responder.ts';
import { preparePrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { systemClock } from '../../../server/src/host/models/clock.ts';
import { openModel } from '../../../server/src/host/models/open-model.ts';
import { openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStream } from '../../../server/src/host/streams/run-stream.ts';
import { startModelServer } from '../../support/model-server.ts';
import { servingAnswers } from '../../support/serving-endpoint.ts';

const file = path.resolve(import.meta.dirname, '../../../prompts/serving/serving.step.md');
const { prompt } = parseStepPrompt(readFileSync(file, 'utf8'));

/** Plays a stream against an endpoint behind which the policy answers. */
async function served(stream: string, policy: string, methodId: string): Promise<StreamReport> {
  const server = await startModelServer(servingAnswers([stream], policy), { record: false });
  onTestFinished(server.close);
  const signal = new AbortController().signal;
  const model = openModel({ model: policy, baseUrl: server.baseUrl }, { clock: systemClock, signal });
  const method = streams.methods.find(({ id }) => id === methodId);
  if (method === undefined) throw new Error(`There is no method ${methodId}.`);
  const asker = openAsker(serving, preparePrompt(prompt));
  const { rows } = await runStream({
    environment: serving,
    streams,
    stream,
    options: defaultOptions,
    learner: openMethod(method),
    model: policy,
    windows: null,
    concurrency: 12,
    respond: () => modelResponder(asker, model, prompt.sampling, 0),
    teach: null,
    judge: null,
    recorded: null,
    keep: () => undefined,
    signal,
  });
  return streams.score(rows.map((row) => ({ ...row, stream: row.scenario })));
}

function scores({ scores: list }: StreamReport) {
  return Object.fromEntries(list.map(({ category, score }) => [category, score]));
}

const patience = 120_000;

test.each(['mini_retail', 'mini_banking'])(
  '%s: documents give all that they tell and nothing else',
  async (stream) => {
    expect(scores(await served(stream, 'documents', 'blind'))).toEqual({ hidden: 0, fully_specified: 100 });
  },
  patience,
);

test.each(['mini_retail', 'mini_banking', 'mini_pitch'])(
  '%s: the oracle is right throughout',
  async (stream) => {
    const found = Object.values(scores(await served(stream, 'oracle', 'blind')));
    expect(found.every((score) => score === 100)).toBe(true);
  },
  patience,
);

/** Windows of the published schedule in which no rule changes, and those in which one does. */
const cases = [
  { stream: 'banking_l1', steady: 2, changes: [1, 3] },
  { stream: 'retail_l1', steady: 5, changes: [1, 2, 3, 4, 5] },
];

test.each(cases)(
  '$stream: who remembers refusals learns, and falls behind when rules change',
  async ({ stream, steady, changes }) => {
    const { curves } = await served(stream, 'remembering', 'refusals');
    const hidden = curves.filter(({ category }) => category === 'hidden');
    const tested = (window: number) => of(hidden, 'test', window)[0]?.score ?? Number.NaN;
    // The same agent without a method follows the documents, which is 0 on these tasks: see above.
    expect(tested(steady)).toBeGreaterThanOrEqual(30);
    for (const window of changes) {
      const [first] = of(hidden, 'serving', window);
      expect(first?.score).toBeLessThan(tested(window - 1));
    }
  },
  patience,
);

function of(curves: readonly CurvePoint[], phase: string, window: number): CurvePoint[] {
  return curves.filter((it) => it.phase === phase && it.window === window);
}
