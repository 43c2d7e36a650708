/** What runs in the thread of {@link openPanelThread}. Bundled beside the server. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EnvironmentNote } from '../../engine/evals/panel/environment-note.ts';
import { Failure } from '../failure.ts';
import type { Comparisons } from './comparisons.ts';
import { Panels } from './panels.ts';
import type { Answer, FromThread, Params, Question, ToThread } from './thread.ts';

type Handlers = { [Q in Question]: (params: Params<Q>, signal: AbortSignal) => Promise<Answer<Q>> };

// Whoever starts the thread says which environments there are.
const environments: readonly EnvironmentNote[] = workerData;
const panels = new Panels(environments, (progress) => post({ kind: 'progress', progress }));
let comparing: Promise<Comparisons> | undefined;

function comparisons(): Promise<Comparisons> {
  comparing ??= import('./comparisons.ts').then((module) => new module.Comparisons(panels));
  return comparing;
}

const handlers: Handlers = {
  open: (params) => panels.open(params),
  rows: (params) => panels.rows(params),
  figures: (params) => panels.figures(params),
  steps: (params) => panels.steps(params),
  text: (params) => panels.text(params),
  transcript: (params) => panels.transcript(params),
  verdicts: (params) => panels.verdicts(params),
  context: (params, signal) => panels.context(params, signal),
  refresh: (params) => panels.refresh(params),
  close: (params) => panels.close(params),
  compare: async (params) => (await comparisons()).compare(params),
  flips: async (params) => (await comparisons()).flips(params),
  parting: async (params) => (await comparisons()).parting(params),
  stream: async (params) => (await import('./streams.ts')).viewStream(panels, params),
  memory: async (params) => (await import('./streams.ts')).memoryOf(panels, params),
  streams: async (params) => (await import('./streams.ts')).listStreams(params),
};
const underWay = new Map<number, AbortController>();

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

function handle<Q extends Question>(question: Q, params: unknown, signal: AbortSignal): Promise<Answer<Q>> {
  // Questions come from openPanelThread alone, which checks their types.
  return handlers[question](params as Params<Q>, signal);
}

parentPort?.on('message', async (message: ToThread) => {
  if (message.kind === 'cancel') {
    underWay.get(message.id)?.abort();
    return;
  }
  const { id, question, params } = message;
  const abort = new AbortController();
  underWay.set(id, abort);
  try {
    post({ kind: 'answer', id, value: await handle(question, params, abort.signal) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    post({ kind: 'error', id, message: text, isFailure: error instanceof Failure });
  } finally {
    underWay.delete(id);
  }
});
