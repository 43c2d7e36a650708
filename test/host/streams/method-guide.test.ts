/** The documentation page as somebody reads it who writes a method: its example works, and it names all there is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { documentation } from '../../../server/src/engine/environments/documentation.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { methodLimits } from '../../../server/src/engine/environments/streams.ts';
import { policyResponder } from '../../../server/src/engine/evals/responder.ts';
import type { Learner } from '../../../server/src/host/streams/learner.ts';
import { runStream } from '../../../server/src/host/streams/run-stream.ts';
import { openUserMethod } from '../../../server/src/host/streams/user-method.ts';

const page = documentation(serving).text;

async function open(source: string): Promise<Learner> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-method-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'mine.mjs');
  writeFileSync(file, source);
  const learner = await openUserMethod(file, 'mine');
  onTestFinished(() => learner.close());
  return learner;
}

/** Plays a small stream with a learner; gives every text that it had for a task. */
async function contextsOf(learner: Learner): Promise<string[]> {
  const policy = serving.policies.find(({ id }) => id === 'documents');
  if (policy === undefined) throw new Error('there is no such policy');
  const texts: string[] = [];
  await runStream({
    environment: serving,
    streams,
    stream: 'mini_retail',
    options: defaultOptions,
    learner: {
      ...learner,
      async advise(task) {
        const advice = await learner.advise(task);
        texts.push(advice.context);
        return advice;
      },
    },
    model: 'documents',
    windows: null,
    concurrency: 4,
    respond: (instance) => policyResponder(policy, instance, '0', []),
    teach: null,
    judge: null,
    recorded: null,
    keep: () => undefined,
    signal: new AbortController().signal,
  });
  return texts;
}

test('the example does what is said of it', async () => {
  const [, example = ''] = /```js\n(\/\/ mine\.mjs[\s\S]+?)```/.exec(page) ?? [];
  const texts = await contextsOf(await open(example));
  expect(texts).toHaveLength(40);
  expect(texts.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => ''));
  for (const text of texts.slice(12)) {
    expect(text.match(/^Task \d+ got (?:0|100) points:$/gm)).toHaveLength(3);
    expect(text).toContain('INSTRUCTION: ');
    expect(text.match(/^Score: (?:0|100)\/100\.$/gm)).toHaveLength(3);
  }
});

test('every field that a method is given is in the table, with its type', async () => {
  const told = await contextsOf(
    await open(`
      const kinds = (one) => Object.entries(one).map(([key, value]) => [key, typeof value]);
      export default {
        start: () => ({ block: [] }),
        context: (memory, task) => JSON.stringify({ task: kinds(task), block: memory.block }),
        update: (memory, block) => ({ block: kinds(block[0]) }),
      };`),
  );
  const { task, block } = JSON.parse(told.at(-1) ?? '');
  const rows = Array.from(page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm), ([, name, type]) => [name, type]);
  expect(rows).toEqual(block);
  expect(rows.slice(0, 3)).toEqual(task);
});

test('the turns of a record are written as the page says', async () => {
  const told = await contextsOf(
    await open(
      'export default { start: () => "", context: (memory) => memory, update: (_, block) => block[0].record };',
    ),
  );
  const heads = Array.from((told.at(-1) ?? '').matchAll(/^([A-Z]+)(?=:| \d)/gm), ([, head]) => head);
  expect(heads.length).toBeGreaterThan(3);
  for (const head of heads) expect(page).toContain(`\`${head}`);
});

test('the limits are those that hold', () => {
  const { seconds, megabytes, characters } = methodLimits;
  const words = page.replace(/\s+/g, ' ');
  expect(words).toContain(`a call may take ${seconds} seconds`);
  expect(words).toContain(`${megabytes.toLocaleString('en-US')} MB of memory`);
  expect(words).toContain(`at most ${characters.toLocaleString('en-US')} characters`);
});

test('every method and policy is spoken of', () => {
  for (const { id } of [...streams.methods, ...serving.policies]) expect(page).toContain(`\`${id}\``);
});
