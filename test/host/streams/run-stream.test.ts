/** Running streams: what methods are told, blocks against a frozen memory, resuming, files, failures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import type { State } from '../../../server/src/engine/environments/serving/state.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import type { Experience, Method, TaskView } from '../../../server/src/engine/environments/streams.ts';
import type { ModelResult } from '../../../server/src/engine/evals/model.ts';
import { policyResponder, type Responder } from '../../../server/src/engine/evals/responder.ts';
import { type Learner, openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStreamInFile } from '../../../server/src/host/streams/open-stream.ts';
import { runStream, type StreamRun } from '../../../server/src/host/streams/run-stream.ts';
import { openUserMethod } from '../../../server/src/host/streams/user-method.ts';

type Run = StreamRun<Instance, typeof defaultOptions, State>;

function playedBy(id: string): (instance: Instance) => Responder<State> {
  const policy = serving.policies.find((it) => it.id === id);
  if (policy === undefined) throw new Error(`There is no policy ${id}.`);
  return (instance) => policyResponder(policy, instance, '0', []);
}

function runWith(learner: Learner, more: Partial<Run> = {}): Run {
  return {
    environment: serving,
    streams,
    stream: 'mini_retail',
    options: defaultOptions,
    learner,
    model: 'documents',
    windows: null,
    concurrency: 4,
    respond: playedBy('documents'),
    teach: null,
    judge: null,
    recorded: null,
    keep: () => undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

function shipped(id: string): Method {
  const method = streams.methods.find((it) => it.id === id);
  if (method === undefined) throw new Error(`There is no method ${id}.`);
  return method;
}

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'hopscope-streams-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A method that writes down all it is given. */
function spy() {
  const asked: { readonly seen: number; readonly task: TaskView }[] = [];
  const blocks: (readonly Experience[])[] = [];
  const method: Method<number> = {
    id: 'spy',
    description: 'Counts.',
    learns: true,
    privileged: false,
    start: () => 0,
    context(seen, task) {
      asked.push({ seen, task });
      return `${seen} tasks seen`;
    },
    update(seen, block) {
      blocks.push(block);
      return seen + block.length;
    },
  };
  return { method: method as Method, asked, blocks };
}

test('blocks are played against one memory, in their order, and test tasks are never learned from', async () => {
  const { method, asked, blocks } = spy();
  const { rows } = await runStream(runWith(openMethod(method)));
  expect(blocks.map((block) => block.length)).toEqual([12, 12]);
  expect(blocks.flat().map(({ timestamp }) => timestamp)).toEqual(
    Array.from({ length: 24 }, (_, at) => at + 1),
  );
  expect(asked.map(({ seen }) => seen)).toEqual([
    ...Array(12).fill(0),
    ...Array(8).fill(12),
    ...Array(12).fill(12),
    ...Array(8).fill(24),
  ]);
  const taught = new Set(blocks.flat().map(({ taskId }) => taskId));
  expect(rows.filter(({ phase, task_id }) => phase === 'test' && taught.has(task_id))).toEqual([]);
  expect(rows).toHaveLength(40);
});

test('methods that do not learn are given test tasks alone', async () => {
  const { rows } = await runStream(runWith(openMethod(shipped('blind'))));
  expect(new Set(rows.map(({ phase }) => phase))).toEqual(new Set(['test']));
});

test('what a method is given tells nothing of windows, slices, categories or what is right', async () => {
  const { method, asked, blocks } = spy();
  await runStream(
    runWith(openMethod(method), { stream: 'mini_banking', respond: playedBy('finish-at-once') }),
  );
  for (const { task } of asked)
    expect(Object.keys(task).sort()).toEqual(['instruction', 'taskId', 'timestamp']);
  const fields = ['instruction', 'record', 'reward', 'taskId', 'timestamp'];
  for (const one of blocks.flat()) expect(Object.keys(one).sort()).toEqual(fields);
  const given = JSON.stringify([asked.map(({ task }) => task), blocks]);
  for (const word of [
    'adapt',
    'general',
    'reopen',
    'fully_specified',
    'hidden',
    'window',
    'evaluator',
    'family',
    'restricted',
    'corridor',
    'over_limit',
  ]) {
    expect(given).not.toContain(word);
  }
});

test('the oracle alone is told the rules, and by them', async () => {
  const told: string[] = [];
  const respond = (instance: Instance): Responder<State> => {
    const inner = playedBy('oracle')(instance);
    return {
      reply(state, signal) {
        told.push(state.options.context);
        return inner.reply(state, signal);
      },
    };
  };
  await runStream(runWith(openMethod(shipped('oracle')), { respond }));
  expect(told.every((text) => text.includes('invalid_status'))).toBe(true);
});

test('retrieval shows the nearest records with their positions, none before the first block', async () => {
  const contexts: string[] = [];
  const { rows } = await runStream(
    runWith(openMethod(shipped('rag')), {
      respond(instance) {
        const inner = playedBy('documents')(instance);
        return {
          reply(state, signal) {
            if (state.turns.length === 0) contexts.push(state.options.context);
            return inner.reply(state, signal);
          },
        };
      },
    }),
  );
  expect(contexts.slice(0, 12).every((text) => text === '')).toBe(true);
  expect(contexts[12]).toContain('[1] position');
  expect(contexts[12]).toContain('Score: ');
  expect(rows[12]).toMatchObject({ phase: 'test', n_retrieved: 8 });
  expect(rows[0]?.['record']).toContain('INSTRUCTION: ');
  expect(rows[12]?.['record']).toBeUndefined();
});

const config = { scenario: 'mini_retail', method: 'spy' };

/** Runs until `stopAt` episodes are kept, as a kill would end it, and says what is in the file. */
async function interrupted(file: string, stopAt: number): Promise<void> {
  const stop = new AbortController();
  let kept = 0;
  const told = () => {
    if (++kept === stopAt) stop.abort(new Error('killed'));
  };
  const run = runWith(openMethod(spy().method), { signal: stop.signal, told, concurrency: 1 });
  await expect(runStreamInFile(run, file, config)).rejects.toThrow('killed');
}

test.each([
  { stopAt: 5, again: 40, why: 'in the middle of the first block: all of it again' },
  { stopAt: 12, again: 28, why: 'after a block: none of it again' },
  { stopAt: 15, again: 25, why: 'among test tasks: those that are missing' },
  { stopAt: 23, again: 20, why: 'in the middle of the second block: all of it again' },
  { stopAt: 39, again: 1, why: 'before the last' },
])('resuming $why', async ({ stopAt, again }) => {
  const file = path.join(folder(), 'a', 'stream.jsonl');
  await interrupted(file, stopAt);
  const straight = spy();
  const whole = await runStream(runWith(openMethod(straight.method)));
  const resumed = spy();
  let played = 0;
  const { rows } = await runStreamInFile(
    runWith(openMethod(resumed.method), { told: () => void played++ }),
    file,
    config,
  );
  expect(played).toBe(again);
  expect(resumed.blocks).toEqual(straight.blocks);
  expect(rows).toEqual(whole.rows);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  // What was played for nothing is told in a line of its own.
  expect(lines).toHaveLength(again % 4 === 0 && again !== 28 ? 42 : 41);
  expect(JSON.parse(lines[0] ?? '')).toEqual({ config });
});

test('a line that was cut off, or is none, is left out', async () => {
  const file = path.join(folder(), 'stream.jsonl');
  await interrupted(file, 14);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.slice(0, -40)}\n[]\nnull\n{"phase":"test"}\n`);
  const { rows } = await runStreamInFile(runWith(openMethod(spy().method)), file, config);
  expect(rows).toHaveLength(40);
});

test('a file of another configuration is refused, and so is a file that is none', async () => {
  const file = path.join(folder(), 'stream.jsonl');
  await interrupted(file, 1);
  const other = runStreamInFile(runWith(openMethod(spy().method)), file, { ...config, method: 'rag' });
  await expect(other).rejects.toThrow('was made with another method');
  writeFileSync(file, 'hello\n');
  await expect(runStreamInFile(runWith(openMethod(spy().method)), file, config)).rejects.toThrow(
    'is no file of a stream',
  );
});

test('notes ask once a block, keep the answers, and do not ask again for what is recorded', async () => {
  const file = path.join(folder(), 'stream.jsonl');
  const questions: string[] = [];
  const teach = async (messages: readonly { readonly content: string }[]): Promise<ModelResult> => {
    questions.push(messages[1]?.content ?? '');
    const text = 'x'.repeat(1990) + String(questions.length).repeat(100);
    return {
      ok: true,
      reply: { kind: 'reply', text, usage: { input: 7, output: 3 } },
      attempts: 1,
      cached: false,
      waitedMs: 0,
    };
  };
  const first = await runStreamInFile(runWith(openMethod(shipped('notes')), { teach }), file, config);
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('(empty)');
  expect(questions[1]).toContain(`${'x'.repeat(1990)}1111111111\n`);
  expect(first.learning).toMatchObject({ input: 14, output: 6, calls: 2 });
  await runStreamInFile(runWith(openMethod(shipped('notes')), { teach }), file, config);
  expect(questions).toHaveLength(2);
  await expect(runStream(runWith(openMethod(shipped('notes'))))).rejects.toThrow('learns through a model');
});

const failure = {
  code: 'server',
  message: 'Trouble.',
  advice: 'Wait.',
  attempts: 8,
  retriable: true,
} as const;

test('an episode whose requests fail is begun again, four times in all', async () => {
  for (const [failures, works] of [
    [3, true],
    [4, false],
  ] as const) {
    let left = failures;
    const respond = (instance: Instance): Responder<State> => {
      const inner = playedBy('documents')(instance);
      return {
        reply: async (state, signal) =>
          left-- > 0 ? { ok: false, failure, waitedMs: 0 } : inner.reply(state, signal),
      };
    };
    const run = runStream(runWith(openMethod(shipped('blind')), { respond, concurrency: 1 }));
    if (works) expect((await run).rows).toHaveLength(16);
    else await expect(run).rejects.toThrow('Trouble. Wait.');
  }
});

test('a conversation that is too long for the model is scored as it stands', async () => {
  const long = { ...failure, code: 'too-large', status: 400, retriable: false } as const;
  const respond = (): Responder<State> => ({
    reply: async () => ({ ok: false, failure: long, waitedMs: 0 }),
  });
  const { rows } = await runStream(runWith(openMethod(shipped('blind')), { respond }));
  expect(rows.every(({ reward }) => reward === 0)).toBe(true);
  expect(rows[0]?.['answer_detail']).toMatchObject({ stop: 'context-overflow' });
});

test('a judge that gives no verdict is an error and never a score', async () => {
  const ask = async (): Promise<ModelResult> => ({
    ok: true,
    reply: { kind: 'reply', text: 'Lovely!' },
    attempts: 1,
    cached: false,
    waitedMs: 0,
  });
  const run = runWith(openMethod(shipped('blind')), {
    stream: 'mini_pitch',
    options: { ...defaultOptions, judge: 'model' },
    judge: { name: 'm', ask },
  });
  await expect(runStream(run)).rejects.toThrow('no score that can be read');
});

test('a method of the user works in a thread of its own, on what methods may see', async () => {
  const file = path.join(folder(), 'mine.mjs');
  writeFileSync(
    file,
    `export default {
      start: () => ({ rewards: [], keys: [], env: Object.keys(process.env) }),
      context: (memory, task) => JSON.stringify({ seen: memory.rewards.length, keys: Object.keys(task).sort(), env: memory.env, frozen: Object.isFrozen(memory.rewards) }),
      update: async (memory, block) => ({ ...memory, rewards: [...memory.rewards, ...block.map((it) => it.reward)], keys: Object.keys(block[0]) }),
    };`,
  );
  const learner = await openUserMethod(file, 'mine');
  onTestFinished(learner.close);
  const told: unknown[] = [];
  await runStream(
    runWith(learner, {
      respond(instance) {
        const inner = playedBy('documents')(instance);
        return {
          reply(state, signal) {
            if (state.turns.length === 0) told.push(JSON.parse(state.options.context));
            return inner.reply(state, signal);
          },
        };
      },
    }),
  );
  const keys = ['instruction', 'taskId', 'timestamp'];
  expect(told[0]).toEqual({ seen: 0, keys, env: [], frozen: true });
  expect(told.at(-1)).toEqual({ seen: 24, keys, env: [], frozen: true });
});

test.each([
  ['export default { start: () => 0, context: () => "" };', 'has no function update'],
  ['export default 3;', 'has no function start'],
  ['throw new Error("broken");', 'broken'],
  ['export default {', 'syntax error'],
])('a file that is no method is refused: %s', async (source, message) => {
  const file = path.join(folder(), 'mine.mjs');
  writeFileSync(file, source);
  await expect(openUserMethod(file, 'mine')).rejects.toThrow(message);
});

test('a method that fails or gives no text ends the run with its words', async () => {
  const file = path.join(folder(), 'mine.mjs');
  writeFileSync(file, 'export default { start: () => 0, context: () => 5, update: (m) => m };');
  const learner = await openUserMethod(file, 'mine');
  onTestFinished(learner.close);
  await expect(runStream(runWith(learner))).rejects.toThrow('context gave no text');
});
