/** Many examinations asked for at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { createTurns } from '../../server/src/server/turns.ts';
import { token } from '../support/language.ts';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start();
});

afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

const source = { environment: 'navigator', split: 'train' };

test('a hundred that are cancelled are all answered, and the next one is done', async () => {
  const cancellation = new CancellationTokenSource();
  const asked = Array.from({ length: 100 }, (_, at) =>
    server.connection.sendRequest(
      'hopscope/examine',
      { source, position: null, audit: true, token: `examine-${at}` },
      cancellation.token,
    ),
  );
  cancellation.cancel();
  for (const answer of await Promise.allSettled(asked)) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: -32800 } });
  }
  const one = { source, position: 3, audit: false, token: 'one' };
  expect(await server.ask('hopscope/examine', one)).toMatchObject({ ok: true });
});

test('one is done at a time, and those that were cancelled are left out', async () => {
  const inTurn = createTurns();
  const done: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const cancelled = new CancellationTokenSource();
  cancelled.cancel();
  const results = await Promise.allSettled([
    inTurn(token, work('a')),
    inTurn(token, work('b', true)),
    inTurn(cancelled.token, work('c')),
    inTurn(token, work('d')),
  ]);
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'd begins', 'd ends']);
  expect(results.map((it) => (it.status === 'fulfilled' ? it.value : it.status))).toEqual([
    'a',
    'rejected',
    undefined,
    'd',
  ]);
});
