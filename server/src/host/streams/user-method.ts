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
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Experience, methodLimits, type TaskView } from '../../engine/environments/streams.ts';
import { grouped } from '../../engine/text/numbers.ts';
import { Failure } from '../failure.ts';
import { type Learner, longestMemory } from './learner.ts';
import { describeError, placeWords } from './method-errors.ts';
import { program } from './user-method-program.ts';

/** What a method may use up, and who hears of what it prints. */
export interface MethodLimits {
  /** Longest time for one call, in ms. */
  readonly patience?: number;
  /** Memory of the thread, in MB. */
  readonly memory?: number;
  /** Told of everything that it writes to its standard output and error. */
  print?(text: string): void;
  /** When it fires, the thread ends, whatever it is at, and so does what waits for it. */
  readonly signal?: AbortSignal;
  /** Told when the thread was ended in the middle of a call. */
  stopped?(sentence: string): void;
}

/** Opens the method of a file. @throws Failure when the file is no method. */
export async function openUserMethod(
  path: string,
  id: string,
  {
    patience = methodLimits.seconds * 1000,
    memory = methodLimits.megabytes,
    print,
    signal,
    stopped,
  }: MethodLimits = {},
): Promise<Learner> {
  signal?.throwIfAborted();
  if (!/\.[cm]?js$/.test(path)) {
    throw new Failure(
      'request',
      `The method ${path} is no JavaScript: its name has to end in .mjs, .js or .cjs.`,
    );
  }
  const worker = new Worker(program, {
    eval: true,
    workerData: { url: pathToFileURL(path).href, longestContext: methodLimits.characters },
    // Nothing of this process's environment, which may hold keys, and none of its arguments.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory },
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => print?.(text));
  }
  const failure = (what: string) => new Failure('run', `The method ${path} ${what}.`);
  let ended: Failure | null = null;
  let waiting: {
    readonly id: number;
    readonly name: string;
    end(result: Failure | { readonly value: unknown }): void;
  } | null = null;
  const end = (reason: Failure) => {
    ended ??= reason;
    waiting?.end(ended);
  };
  worker.on('message', (message: unknown) => {
    // The thread may say anything: it is the user's.
    const { id: call, value, ...said } = Object(message) as Readonly<Record<string, unknown>>;
    if (waiting === null || call !== waiting.id) return;
    const { error } = said;
    if (error === undefined) return waiting.end({ value });
    const one = waiting;
    void describeError(path, { ...said, error }).then((words) => one.end(failure(words)));
  });
  worker.on('messageerror', () => end(failure('gave something that cannot be handed over')));
  worker.on('error', (error: unknown) => {
    const isMemory = Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isMemory) return end(failure(`used more than ${grouped(memory)} MB of memory`));
    const words = error instanceof Error ? error.message : inspect(error, { depth: 3 }).slice(0, 1000);
    const place = placeWords(path, String(Object(error).stack ?? ''));
    end(failure(`broke down${place}: ${words}`));
  });
  worker.on('exit', () => end(failure('ended')));

  const stop = () => {
    if (waiting !== null) {
      // What a thread loads and its first memory are made when it is opened.
      const what = waiting.name === 'open' ? 'while it was loaded or started' : `to ${waiting.name}`;
      stopped?.(`The method ${path} had not answered ${what}, and was stopped.`);
    }
    end(failure('was stopped'));
    void worker.terminate();
  };
  signal?.addEventListener('abort', stop, { once: true });
  const close = async () => {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  };

  let calls = 0;
  function callNow(name: string, value: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      const timer = setTimeout(() => {
        end(failure(`took longer than ${patience / 1000} s for ${name}`));
        void worker.terminate();
      }, patience);
      waiting = {
        id: calls++,
        name,
        end(result) {
          clearTimeout(timer);
          waiting = null;
          if (result instanceof Failure) reject(result);
          else resolve(result.value);
        },
      };
      worker.postMessage({ id: waiting.id, name, value });
    });
  }

  // One after another: none waits in the thread while its time runs.
  let last: Promise<unknown> = Promise.resolve();
  function call(name: string, value: unknown): Promise<unknown> {
    const result = last.then(() => callNow(name, value));
    last = result.catch(() => undefined);
    return result;
  }

  try {
    await call('open', null);
  } catch (error) {
    await close();
    signal?.throwIfAborted();
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
    async describe() {
      const text = await call('describe', longestMemory);
      return typeof text === 'string' ? text : null;
    },
    close,
  };
}

/** Field by field, so that nothing else gets through. */
function taskFor({ taskId, instruction, timestamp }: TaskView): TaskView {
  return { taskId, instruction, timestamp };
}

function experienceFor({ taskId, instruction, timestamp, reward, record }: Experience): Experience {
  return { taskId, instruction, timestamp, reward, record };
}
