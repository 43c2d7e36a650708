/** Plays streams against the endpoint for tests, behind which a scripted agent answers with real tool calls. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serving } from '../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../server/src/engine/environments/serving/stream/index.ts';
import type { StreamReport } from '../../server/src/engine/environments/streams.ts';
import { modelResponder, openAsker } from '../../server/src/engine/evals/responder.ts';
import { preparePrompt } from '../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { systemClock } from '../../server/src/host/models/clock.ts';
import { openModel } from '../../server/src/host/models/open-model.ts';
import { openMethod } from '../../server/src/host/streams/learner.ts';
import { runStream } from '../../server/src/host/streams/run-stream.ts';
import { startModelServer } from './model-server.ts';
import { servingAnswers } from './serving-endpoint.ts';

const file = path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md');
const { prompt } = parseStepPrompt(readFileSync(file, 'utf8'));

/** What came of a stream; the shipped prompt asks. */
export async function served(
  stream: string,
  policy: string,
  methodId: string,
  windows: readonly number[] | null = null,
): Promise<StreamReport> {
  const server = await startModelServer(servingAnswers([stream], policy), { record: false });
  try {
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
      windows,
      concurrency: 12,
      respond: () => modelResponder(asker, model, prompt.sampling, 0),
      teach: null,
      judge: null,
      recorded: null,
      keep: () => undefined,
      signal,
    });
    return streams.score(rows.map((row) => ({ ...row, stream: row.scenario })));
  } finally {
    await server.close();
  }
}
