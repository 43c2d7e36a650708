/** What is paid for and counts for nothing: it stays in the totals and in the limit, and is not paid for again unnoticed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import type { State } from '../../../server/src/engine/environments/serving/state.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import type { ModelFailureCode } from '../../../server/src/engine/evals/model.ts';
import { policyResponder, type Responder } from '../../../server/src/engine/evals/responder.ts';
import { openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStreamInFile, type TakenUp } from '../../../server/src/host/streams/open-stream.ts';
import type { StreamEnd } from '../../../server/src/host/streams/run-stream.ts';
import { spending } from '../../../server/src/host/streams/spending.ts';

function place(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-lost-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'stream.jsonl');
}

/** Counts replies of 10 and 1 tokens; with `until`, those beyond it fail. */
function replies(until = Number.POSITIVE_INFINITY, code: ModelFailureCode = 'limit') {
  const policy = serving.policies.find(({ id }) => id === 'documents');
  if (policy === undefined) throw new Error('who plays?');
  const counter = {
    given: 0,
    asked: 0,
    respond(instance: Instance): Responder<State> {
      const inner = policyResponder(policy, instance, '0', []);
      return {
        async reply(state, signal) {
          counter.asked++;
          // As from an endpoint: the others get their turn.
          await setImmediate();
          if (counter.given >= until) {
            const failure = {
              code,
              message: 'No more.',
              advice: 'Then resume the run.',
              attempts: 1,
              retriable: true,
            };
            return { ok: false, failure, waitedMs: 0 };
          }
          counter.given++;
          const result = await inner.reply(state, signal);
          return result.ok
            ? { ...result, reply: { ...result.reply, usage: { input: 10, output: 1 } } }
            : result;
        },
      };
    },
  };
  return counter;
}

interface Played {
  readonly end: StreamEnd | Error;
  readonly taken: TakenUp | null;
}

async function play(
  file: string,
  respond: ReturnType<typeof replies>['respond'],
  more: object = {},
): Promise<Played> {
  const method = streams.methods.find(({ id }) => id === 'rag');
  if (method === undefined) throw new Error('who learns?');
  let taken: TakenUp | null = null;
  const run = {
    ...{ environment: serving, streams, stream: 'mini_retail', options: defaultOptions },
    ...{ learner: openMethod(method), model: 'm', windows: null, concurrency: 3, respond },
    ...{ teach: null, judge: null, signal: new AbortController().signal, ...more },
  };
  const end = await runStreamInFile(run, file, { method: 'rag' }, (found) => {
    taken = found;
  }).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  return { end, taken };
}

/** All replies that the end of a run accounts for. */
function accounted(end: StreamEnd | Error): number {
  if (end instanceof Error) throw end;
  const parts = Object.values(spending(end.rows, end.learning, end.lost));
  const inputs = parts.reduce((total, it) => total + it.input, 0);
  expect(parts.reduce((total, it) => total + it.calls, 0)).toBe(inputs / 10);
  return inputs / 10;
}

test.each([1, 7, 20, 33, 60, 150])(
  'with %i replies before the end, every reply is in the totals',
  async (until) => {
    const file = place();
    const first = replies(until);
    await play(file, first.respond);
    const second = replies();
    const { end, taken } = await play(file, second.respond);
    expect(first.given).toBe(until);
    expect(accounted(end)).toBe(first.given + second.given);
    const told = [...(taken?.rows ?? []), ...(taken?.lost ?? [])].map((it) => Object(it.tokens).calls);
    expect(told.reduce((total, it) => total + it, 0)).toBe(until);
    // And so they are when the file is read again.
    const third = replies();
    expect(accounted((await play(file, third.respond)).end)).toBe(first.given + second.given);
    expect(third.asked).toBe(0);
  },
);

test('a limit says how to go on, and is not tried four times', async () => {
  const stopped = replies(10);
  const { end } = await play(place(), stopped.respond);
  expect(String(end)).toContain('No more. Raise --limit: the same command goes on.');
  expect(stopped.asked).toBe(13);
});

test('other trouble says that the same command goes on, not a command for runs', async () => {
  const { end } = await play(place(), replies(10, 'connection').respond);
  expect(String(end)).toContain('No more. Then give the same command again.');
});

test('what is no completion is begun again like other trouble', async () => {
  const broken = replies(0, 'invalid-response');
  await play(place(), broken.respond, { concurrency: 1 });
  expect(broken.asked).toBe(4);
});

test('a limit that cannot do for a block is told of before anything is sent', async () => {
  const none = replies();
  const { end } = await play(place(), none.respond, { room: () => 11 });
  expect(String(end)).toContain(
    'The limit leaves 11 requests, and the block that comes next has 12 episodes',
  );
  expect(none.asked).toBe(0);
  const some = replies(12);
  await play(place(), some.respond, { room: () => 12 });
  expect(some.given).toBe(12);
});

test('who asks to stop gets the requests under way, and nothing of them is lost', async () => {
  const file = place();
  const stop = new AbortController();
  const counter = replies();
  const respond = (instance: Instance): Responder<State> => {
    const inner = counter.respond(instance);
    return {
      async reply(state, signal) {
        if (counter.given === 5) stop.abort(new Error('stopped'));
        expect(signal.aborted).toBe(false);
        return inner.reply(state, signal);
      },
    };
  };
  const { end } = await play(file, respond, { signal: stop.signal, hard: new AbortController().signal });
  expect(String(end)).toContain('stopped');
  const rest = replies();
  expect(accounted((await play(file, rest.respond)).end)).toBe(counter.given + rest.given);
});
