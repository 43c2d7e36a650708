/**
 * A learning method of the user's own, in a file: a module whose default export has `start`, `context` and `update`, as in
 * `engine/environments/streams.ts`; each may return a promise. It runs in a thread of its own, which is given copies of what
 * methods may see and nothing else. Files run with the user's rights, so nothing opens one unless the user named it, and the
 * editor only in a folder that is trusted.
 *
 *     export default {
 *       start: () => [],
 *       context: (memory, task) => memory.join('\n'),
 *       update: (memory, block) => [...memory, ...block.map((one) => one.record)].slice(-8),
 *     };
 */
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Experience, TaskView } from '../../engine/environments/streams.ts';
import { Failure } from '../failure.ts';
import type { Learner } from './learner.ts';

/** Longest time for one call, in ms. */
const patience = 60_000;

/** What runs in the thread. Plain JavaScript that Node takes as it is, so that it needs no bundle of its own. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const freeze = (value) => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
};
let memory;
const ready = import(workerData.url).then(async ({ default: method }) => {
  for (const name of ['start', 'context', 'update']) {
    if (typeof method?.[name] !== 'function') throw new Error('its default export has no function ' + name);
  }
  memory = freeze(await method.start());
  return method;
});
ready.catch(() => undefined);
const work = {
  async open() { await ready; },
  async context(task) {
    const text = await (await ready).context(memory, task);
    if (typeof text !== 'string') throw new Error('context gave no text');
    return text;
  },
  async update(block) { memory = freeze(await (await ready).update(memory, block)); },
};
parentPort.on('message', async ({ id, name, value }) => {
  try {
    parentPort.postMessage({ id, value: await work[name](value) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error?.message ?? error) });
  }
});
`;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Failure): void;
}

/** Opens the method of a file. @throws Failure when the file is no method. */
export async function openUserMethod(path: string, id: string): Promise<Learner> {
  const worker = new Worker(program, {
    eval: true,
    workerData: { url: pathToFileURL(path).href },
    // Nothing of this process's environment, which may hold keys.
    env: {},
    stdout: true,
  });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  const failAll = (reason: string) => {
    for (const { reject } of waiting.values()) reject(new Failure('run', `The method ${path} ${reason}.`));
    waiting.clear();
  };
  worker.on('message', ({ id: call, value, error }: { id: number; value: unknown; error?: string }) => {
    const one = waiting.get(call);
    waiting.delete(call);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Failure('run', `The method ${path} failed: ${error}.`));
  });
  worker.on('error', (error: unknown) =>
    failAll(`broke down: ${error instanceof Error ? error.message : String(error)}`),
  );
  worker.on('exit', () => failAll('ended'));

  function call(name: string, value: unknown): Promise<unknown> {
    const number = calls++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        failAll(`took longer than ${patience / 1000} s for ${name}`);
        void worker.terminate();
      }, patience);
      waiting.set(number, {
        resolve(result) {
          clearTimeout(timer);
          resolve(result);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      });
      worker.postMessage({ id: number, name, value });
    });
  }

  try {
    await call('open', null);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    id,
    learns: true,
    privileged: false,
    async advise(task) {
      const context = await call('context', taskFor(task));
      return { context: typeof context === 'string' ? context : '', traits: {} };
    },
    question: async () => null,
    async update(block) {
      await call('update', block.map(experienceFor));
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** Field by field, so that nothing else gets through. */
function taskFor({ taskId, instruction, timestamp }: TaskView): TaskView {
  return { taskId, instruction, timestamp };
}

function experienceFor({ taskId, instruction, timestamp, reward, record }: Experience): Experience {
  return { taskId, instruction, timestamp, reward, record };
}
