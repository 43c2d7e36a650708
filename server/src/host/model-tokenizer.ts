/** Counts tokens as current models of OpenAI do, in a thread of its own that starts with the first question. */
import { Worker } from 'node:worker_threads';

/** @see https://github.com/niieani/gpt-tokenizer */
const tokenizer = 'o200k';

/** A worker with its vocabulary takes some 60 MB, so one that nobody asks anything for this long is ended, in ms. */
const patience = 120_000;

export interface CountQuestion {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface CountAnswer {
  readonly id: number;
  readonly counts: readonly number[];
}

interface OpenModelTokenizer {
  readonly name: string;
  /** One count for each text; null when the thread died, after which it is not started again. */
  count(texts: readonly string[]): Promise<readonly number[] | null>;
  /** Ends the thread, if there is one. */
  close(): void;
}

/** @param script the bundled worker */
export function openModelTokenizer(script: URL): OpenModelTokenizer {
  const waiting = new Map<number, (counts: readonly number[] | null) => void>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let asked = 0;
  let isBroken = false;

  function end(): void {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
    void ended?.terminate();
  }

  function start(): Worker {
    const started = new Worker(script);
    started.unref(); // the process ends without waiting for it
    started.on('message', ({ id, counts }: CountAnswer) => {
      waiting.get(id)?.(counts);
      waiting.delete(id);
      clearTimeout(idle);
      if (waiting.size === 0) idle = setTimeout(end, patience).unref();
    });
    const fail = () => {
      if (worker !== started) return;
      isBroken = true;
      end();
    };
    started.on('error', fail);
    started.on('exit', fail);
    return started;
  }

  return {
    name: tokenizer,
    count(texts) {
      if (isBroken) return Promise.resolve(null);
      return new Promise((resolve) => {
        clearTimeout(idle);
        worker ??= start();
        const id = ++asked;
        waiting.set(id, resolve);
        worker.postMessage({ id, texts } satisfies CountQuestion);
      });
    },
    close: end,
  };
}
