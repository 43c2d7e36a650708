/** What the tests of models share: a server that ends with its test, and a model on it with a clock turned by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  Model,
  ModelConfig,
  ModelRequest,
  ModelResult,
} from '../../../server/src/engine/evals/model.ts';
import { type ModelDeps, openModel } from '../../../server/src/host/models/open-model.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { type ModelServer, type Respond, startModelServer } from '../../support/model-server.ts';

/** A server that is closed when the running test is over. */
export async function serve(
  respond: Respond,
  options?: Parameters<typeof startModelServer>[1],
): Promise<ModelServer> {
  const server = await startModelServer(respond, options);
  onTestFinished(server.close);
  return server;
}

/** A server that says the same every time. */
export function saying(text: string): Promise<ModelServer> {
  return serve(() => ({ said: { text } }));
}

/** A folder that is removed when the running test is over. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hopscope-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Asker {
  readonly model: Model;
  readonly clock: FakeClock;
  /** Stops everything the model does. */
  readonly stop: () => void;
  /** Asks for one reply. */
  ask(request?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelResult>;
}

/** A model on that base URL. Waits are never shortened by chance. */
export function asker(
  baseUrl: string,
  config: Partial<ModelConfig> = {},
  deps: Partial<ModelDeps> = {},
): Asker {
  const clock = fakeClock();
  const controller = new AbortController();
  const model = openModel(
    { model: 'test-model', baseUrl, ...config },
    { clock, signal: controller.signal, random: () => 0, ...deps },
  );
  return {
    model,
    clock,
    stop: () => controller.abort(),
    ask: (request = {}, signal = new AbortController().signal) =>
      model.complete({ messages: [question], sampling: {}, ...request }, signal),
  };
}

export const question = { role: 'user', content: 'Which one?' } as const;
