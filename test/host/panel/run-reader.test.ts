import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figuresOf } from '../../../server/src/engine/evals/run-summary.ts';
import { followLines } from '../../../server/src/host/panel/line-follower.ts';
import { openRunReader, type RunReader } from '../../../server/src/host/panel/run-reader.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { newFolder, newRun, playRun, policy } from '../../support/played-runs.ts';
import { oracleReplies, writeRunFolder } from '../../support/run-folders.ts';

const always = () => false;

async function readAll(reader: RunReader): Promise<void> {
  while (!reader.isComplete) await reader.read(always);
}

/** All lines there are now. */
async function rest(lines: Awaited<ReturnType<typeof followLines>>): Promise<string[]> {
  const found: string[] = [];
  for (let line = await lines.next(); line !== null; line = await lines.next()) {
    found.push(line.ok ? `${line.offset} ${line.text}` : 'bad');
  }
  return found;
}

describe('lines of a file', () => {
  test('are given with their places, and later those that came', async () => {
    const file = path.join(await newFolder(), 'lines');
    writeFileSync(file, 'one\n\ntwo\n');
    const lines = await followLines(file);
    expect(await rest(lines)).toEqual(['0 one', '5 two']);
    expect(lines.isDone).toBe(true);
    expect(await lines.refresh()).toBe('same');
    appendFileSync(file, 'three\nfo');
    expect(await lines.refresh()).toBe('grown');
    expect(await rest(lines)).toEqual(['9 three', '15 fo']);
    // What had no line feed was only the beginning.
    appendFileSync(file, 'ur\n');
    expect(await lines.refresh()).toBe('changed');
    await lines.close();
  });

  test.each<[string, (file: string) => void, 'changed' | 'same']>([
    ['shorter', (file) => writeFileSync(file, 'o\n'), 'changed'],
    [
      'another file',
      (file) => {
        writeFileSync(`${file}.new`, 'one\ntwo\nthree\n');
        renameSync(`${file}.new`, file);
      },
      'changed',
    ],
    ['gone', (file) => rmSync(file), 'same'],
  ])('are found to be %s', async (_, change, expected) => {
    const file = path.join(await newFolder(), 'lines');
    writeFileSync(file, 'one\ntwo\n');
    const lines = await followLines(file);
    await rest(lines);
    change(file);
    expect(await lines.refresh()).toBe(expected);
    await lines.close();
  });

  test('are the same, however the file grows', async () => {
    const folder = await newFolder();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.stringMatching(/^[a-z\u2028é]{0,9}$/)), { minLength: 1 }),
        async (portions) => {
          const file = path.join(folder, String(number++));
          writeFileSync(file, '');
          const lines = await followLines(file);
          const found: string[] = [];
          for (const portion of portions) {
            appendFileSync(file, portion.map((line) => `${line}\n`).join(''));
            await lines.refresh();
            found.push(...(await rest(lines)).map((line) => line.slice(line.indexOf(' ') + 1)));
          }
          await lines.close();
          expect(found).toEqual(portions.flat().filter((line) => line !== ''));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('of a file that is not there are refused', async () => {
    await expect(followLines('/nowhere/at/all')).rejects.toThrow('Cannot read /nowhere/at/all');
  });
});

const sketch = { id: '0a1b2c3d', split: 'train', indices: [0, 1, 2, 3], replies: oracleReplies };

describe('a run of ours', () => {
  test('has the figures that reading it whole gives', async () => {
    const folder = writeRunFolder(await newFolder(), sketch);
    const reader = await openRunReader(folder, ['n_hops']);
    await readAll(reader);
    const run = await readRun(folder);
    expect(reader.info).toEqual(run.info);
    expect(figuresOf(reader.episodes, 4)).toEqual(figuresOf(run.episodes, 4));
    for (const { task, events } of run.episodes) {
      expect((await reader.said(task)).events).toEqual(events);
    }
    await reader.close();
  });

  test('is read on while it is played', async () => {
    const parent = await newFolder();
    const folder = await newRun({ agent: policy('oracle'), parent, options: {} });
    const reader = await openRunReader(folder.path, ['n_hops']);
    expect(reader.isComplete).toBe(true);
    expect(reader.episodes).toEqual([]);
    expect(await reader.refresh()).toBe('same');
    await playRun(folder);
    expect(await reader.refresh()).toBe('grown');
    await readAll(reader);
    expect(reader.count).toBe(3);
    expect(reader.episodes.map(({ outcome }) => outcome?.correct)).toEqual([true, true, true]);
    await reader.close();
  });

  test('is read a line at a time', async () => {
    const reader = await openRunReader(writeRunFolder(await newFolder(), sketch), ['n_hops']);
    let lines = 0;
    await reader.read(() => ++lines > 2);
    expect(reader.isComplete).toBe(false);
    expect(reader.count).toBe(1);
    await reader.close();
  });

  test('counts what is no line of it', async () => {
    const folder = writeRunFolder(await newFolder(), sketch);
    const file = path.join(folder, 'steps.jsonl');
    writeFileSync(file, `nonsense\n${readFileSync(file, 'utf8')}{"type":"end","ta`);
    const reader = await openRunReader(folder, ['n_hops']);
    await readAll(reader);
    expect(reader).toMatchObject({ badLines: 2, count: 4 });
    await reader.close();
  });

  test('that was changed since cannot be looked into', async () => {
    const folder = writeRunFolder(await newFolder(), sketch);
    const reader = await openRunReader(folder, ['n_hops']);
    await readAll(reader);
    const file = path.join(folder, 'steps.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"type"', '"tape"'));
    await expect(reader.said(0)).rejects.toThrow('open the run again');
    await reader.close();
  });
});

describe('a run of another program', () => {
  const trace = (id: string, reward: number) => ({
    id,
    env: { id: 'navigator' },
    task: { key: id, hash: id },
    traces: [
      {
        nodes: [
          { message: { role: 'user', content: 'What?' }, sampled: false },
          { message: { role: 'assistant', content: 'This.' }, sampled: true },
        ],
        rewards: { reward: { score: reward, weight: 1 } },
      },
    ],
  });

  test.each<[string, readonly object[], string]>([
    ['traces', [trace('a', 1), trace('b', 0), trace('a', 1)], 'traces.jsonl'],
    [
      'results',
      [
        { example_id: 0, task: 7, reward: 1, completion: 'This.' },
        { example_id: 1, task: 7, reward: 0, completion: 'This.' },
        { example_id: 0, task: 7, reward: 1, completion: 'This.' },
      ],
      'results.jsonl',
    ],
  ])('%s are read like those of ours', async (_, lines, name) => {
    const folder = await newFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, name),
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnonsense\n`,
    );
    const reader = await openRunReader(folder, ['n_hops']);
    await readAll(reader);
    // Numbers in such files may be there twice.
    expect(reader.episodes.map(({ task, rollout }) => [task, rollout])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(reader).toMatchObject({ badLines: 1, info: { requested: 3 } });
    const said = await reader.said(1);
    expect(said.events).toMatchObject([{ text: 'This.' }]);
    expect(said.line).toEqual(lines[1]);
    await reader.close();
  });
});

test('where there is no run, that is said', async () => {
  const folder = await newFolder();
  expect(existsSync(folder)).toBe(true);
  await expect(openRunReader(folder, ['n_hops'])).rejects.toThrow('holds no run');
});
