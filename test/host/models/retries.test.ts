/** Trying again, waiting as asked, taking turns, stopping at once. */
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../server/src/engine/evals/clock.ts';
import { openSpending } from '../../../server/src/engine/evals/spending.ts';
import { openLimiter } from '../../../server/src/host/models/limiter.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type Answer, type Respond, wrong } from '../../support/model-server.ts';
import { asker, question, saying, serve } from './kit.ts';

const fine: Answer = { said: { text: 'ACTION: READ 1', usage: { input: 70, output: 30 } } };

/** Answers in turn, the last one for ever. */
function inTurn(...answers: readonly Answer[]): Respond {
  let at = 0;
  return () => answers[Math.min(at++, answers.length - 1)] ?? fine;
}

const busy = (headers = {}) => wrong(429, 'Slower.', 'rate_limit_exceeded', headers);

test('what can succeed is tried again', async () => {
  const cut: Answer = { ...fine, delivery: 'cut' };
  const server = await serve(inTurn(wrong(500, 'Oh.'), cut, busy(), wrong(503, 'Oh.'), fine));
  const { ask, clock } = asker(server.baseUrl);
  expect(await ask()).toMatchObject({
    ok: true,
    reply: { text: 'ACTION: READ 1' },
    attempts: 5,
    waitedMs: 7500,
  });
  expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
  expect(new Set(server.requests.map(({ text }) => text)).size).toBe(1);
});

test('what is no completion is asked for again where that is wanted: often from what has worked, else twice', async () => {
  const page: Answer = { body: '<html>Down for a moment</html>' };
  const hollow: Answer = { body: '{"choices": []}' };
  const patient = { attempts: 9, retryGarbled: true };
  for (const garbled of [page, hollow]) {
    const some = asker(
      (await serve(inTurn(fine, garbled, garbled, garbled, garbled, fine))).baseUrl,
      patient,
    );
    expect(await some.ask()).toMatchObject({ ok: true, attempts: 1 });
    expect(await some.ask()).toMatchObject({ ok: true, attempts: 5 });
    const never = asker((await serve(inTurn(garbled))).baseUrl, patient);
    expect(await never.ask()).toMatchObject({ failure: { code: 'invalid-response', attempts: 3 } });
    const unasked = asker((await serve(inTurn(garbled))).baseUrl, { attempts: 9 });
    expect(await unasked.ask()).toMatchObject({ failure: { code: 'invalid-response', attempts: 1 } });
  }
});

test('waits are shortened by chance, never to nothing', async () => {
  const server = await serve(inTurn(wrong(500, 'Oh.')));
  const { ask, clock } = asker(server.baseUrl, { attempts: 9 }, { random: () => 0.5 });
  await ask();
  expect(clock.slept).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
});

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', date: 'Thu, 01 Jan 2026 00:00:20 GMT' }, 40_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT', date: 'Thu, 01 Jan 2026 00:00:20 GMT' }, 0],
  [{ 'retry-after': 'soon' }, 500],
  [{ 'retry-after': '-5' }, 500],
])('%j is obeyed', async (headers, expected) => {
  const server = await serve(inTurn(busy(headers), fine));
  const { ask, clock } = asker(server.baseUrl);
  expect(await ask()).toMatchObject({ ok: true, attempts: 2 });
  expect(clock.slept).toEqual([expected]);
  const jittery = asker((await serve(inTurn(busy(headers), fine))).baseUrl, {}, { random: () => 0.5 });
  await jittery.ask();
  if (expected !== 500) expect(jittery.clock.slept[0]).toBeGreaterThan(expected);
});

test('who asks to wait for hours is not waited for', async () => {
  const server = await serve(inTurn(busy({ 'retry-after': '36000' })));
  const { ask, clock } = asker(server.baseUrl);
  expect(await ask()).toMatchObject({
    failure: {
      code: 'rate-limit',
      message: 'Slower.',
      advice: 'The endpoint asks to wait for 10 hours: resume the run then.',
      attempts: 1,
      retriable: true,
    },
  });
  expect(clock.slept).toEqual([]);
});

test('pieces of a failed attempt are taken back', async () => {
  const said = { text: 'ACTION: READ 1', piece: 2 };
  const server = await serve(inTurn({ said, delivery: 'cut' }, { said }));
  let shown = '';
  const stream = ({ text = '' }) => {
    shown += text;
  };
  const restart = () => {
    shown += '|';
  };
  await asker(server.baseUrl).ask({ stream, restart });
  expect(shown).toMatch(/^AC.*\|ACTION: READ 1$/);
});

/** A door that requests wait behind until it is opened. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate: () => opened, opened, open };
}

test('as many requests are under way as the cap allows, and no more', async () => {
  const { gate, open } = door();
  const server = await serve(({ number }) => {
    if (number === 4) open();
    return { ...fine, gate };
  });
  const { ask } = asker(server.baseUrl, { concurrency: 5 });
  const results = await Promise.all(Array.from({ length: 60 }, () => ask()));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(server.mostAtOnce).toBe(5);
});

test('turns shrink on a refusal, once for all that were sent before, and grow back to the cap', async () => {
  const signal = new AbortController().signal;
  const limiter = openLimiter(20);
  const turns = await Promise.all(Array.from({ length: 20 }, () => limiter.enter(signal)));
  const marks = turns.map(() => limiter.mark());
  for (const mark of marks) limiter.refused(mark);
  expect(limiter.limit).toBe(14);
  limiter.refused(limiter.mark());
  expect(limiter.limit).toBe(9);
  const late = limiter.enter(signal);
  for (const turn of turns.slice(0, 11)) turn?.leave();
  expect(limiter.active).toBe(9);
  for (const turn of turns.slice(11)) turn?.leave();
  (await late)?.leave();
  expect(limiter.active).toBe(0);
  for (let i = 0; i < 100; i++) limiter.refused(limiter.mark());
  expect(limiter.limit).toBe(1);
  for (let i = 0; i < 400; i++) limiter.succeeded();
  expect(limiter.limit).toBe(20);
});

test('an endpoint that is too busy gets fewer requests at a time until it keeps up', async () => {
  const server = await serve(({ number }) => (number < 8 ? busy() : fine));
  const limiter = openLimiter(8);
  const { ask } = asker(server.baseUrl, {}, { limiter });
  const results = await Promise.all(Array.from({ length: 8 }, () => ask()));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(limiter.limit).toBeLessThan(8);
  for (let i = 0; i < 40; i++) await ask();
  expect([limiter.limit, limiter.active]).toEqual([8, 0]);
});

test('turns are taken in order, and waiting ends with the signal', async () => {
  const limiter = openLimiter(1);
  const first = await limiter.enter(new AbortController().signal);
  const order: number[] = [];
  const controller = new AbortController();
  const waiting = [1, 2, 3].map(async (number) => {
    const turn = await limiter.enter(number === 2 ? controller.signal : new AbortController().signal);
    order.push(turn === null ? -number : number);
    turn?.leave();
  });
  controller.abort();
  first?.leave();
  await Promise.all(waiting);
  expect(order).toEqual([-2, 1, 3]);
  expect(limiter.active).toBe(0);
});

test('stopping ends what is under way, what waits for its turn and what waits to be tried again', async () => {
  const { gate } = door();
  const server = await serve(({ number }) =>
    number === 0 ? busy({ 'retry-after': '60' }) : { ...fine, gate },
  );
  const asleep = door();
  const clock: Clock = {
    ...fakeClock(),
    sleep: (_, signal) =>
      new Promise((resolve) => {
        asleep.open();
        signal.addEventListener('abort', () => resolve());
      }),
  };
  const { ask, stop } = asker(server.baseUrl, { concurrency: 2 }, { clock });
  const first = ask();
  await asleep.opened;
  const others = [ask(), ask(), ask()];
  stop();
  const results = await Promise.all([first, ...others, ask()]);
  for (const result of results) {
    expect(result).toMatchObject({ failure: { code: 'cancelled', retriable: true } });
  }
});

test('one request can be stopped alone', async () => {
  const { gate, open } = door();
  const arrived = door();
  const server = await serve(({ number }) => {
    if (number === 1) arrived.open();
    return { ...fine, gate };
  });
  const { ask } = asker(server.baseUrl);
  const controller = new AbortController();
  const stopped = ask({}, controller.signal);
  const kept = ask();
  await arrived.opened;
  controller.abort();
  expect(await stopped).toMatchObject({ failure: { code: 'cancelled', attempts: 1 } });
  open();
  expect(await kept).toMatchObject({ ok: true });
});

test('hundreds of requests under one signal leave no listeners behind', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const server = await saying('x');
  const { ask } = asker(server.baseUrl);
  const controller = new AbortController();
  const results = await Promise.all(Array.from({ length: 200 }, () => ask({}, controller.signal)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(warnings).toEqual([]);
});

test('limits refuse further requests, and what was spent is known', async () => {
  const server = await saying('x');
  const spending = openSpending({ requests: 3 }, null);
  const { ask } = asker(server.baseUrl, {}, { spending });
  const results = await Promise.all(Array.from({ length: 10 }, () => ask()));
  expect(results.filter(({ ok }) => ok)).toHaveLength(3);
  expect(results.find(({ ok }) => !ok)).toMatchObject({
    failure: { code: 'limit', message: 'The limit of 3 requests is reached.', attempts: 0, retriable: true },
  });
  expect(server.count).toBe(3);
});

test('tokens and money are counted, failed attempts as requests only', async () => {
  const server = await serve(inTurn(wrong(500, 'Oh.'), fine));
  const spending = openSpending({ tokens: 350 }, { input: 1, output: 10 });
  const { ask } = asker(server.baseUrl, {}, { spending });
  for (let i = 0; i < 6; i++) await ask();
  expect(spending.spent).toMatchObject({ requests: 5, input: 280, output: 120, estimated: 0 });
  expect(spending.spent.dollars).toBeCloseTo(0.00148, 10);
  expect(spending.exceeded()).toBe('The limit of 350 tokens is reached (400 used).');
});

test('replies without usage are estimated', async () => {
  const server = await serve(() => ({ said: { text: 'x'.repeat(40), usage: null } }));
  const spending = openSpending({}, null);
  await asker(server.baseUrl, {}, { spending }).ask();
  expect(spending.spent).toMatchObject({ output: 10, dollars: null, estimated: 1 });
  expect(spending.spent.input).toBeGreaterThan(question.content.length / 4);
});
