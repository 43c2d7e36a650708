/** Notes beside a run: written whole, kept apart, and never in the way of anything. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readNotes, showNotes, writeNote } from '../../../server/src/host/runs/notes.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { newFolder } from '../../support/played-runs.ts';

test('a note about the run and one about an episode', async () => {
  const folder = await newFolder();
  expect(await readNotes(folder)).toEqual({ text: '', tags: [], episodes: new Map() });
  await writeNote(folder, null, { text: ' a run\n', tags: ['x', ' X', '', 'y'] });
  const written = await writeNote(folder, 7, { text: 'an episode', tags: [] });
  const all = { text: 'a run', tags: ['x', 'y'], episodes: new Map([[7, { text: 'an episode', tags: [] }]]) };
  expect(written).toEqual({ ok: true, value: all });
  expect(await readNotes(folder)).toEqual(all);
  await writeNote(folder, 7, { text: '', tags: [] });
  expect(await readNotes(folder)).toEqual({ ...all, episodes: new Map() });
  expect(await readdir(folder)).toEqual(['notes.json']);
});

test('what is too long is refused, and nothing is written', async () => {
  const folder = await newFolder();
  expect(await writeNote(folder, null, { text: 'x'.repeat(30_000), tags: [] })).toMatchObject({ ok: false });
  expect(existsSync(path.join(folder, 'notes.json'))).toBe(false);
});

test('a file that is none is not written over, and in nobody’s way', async () => {
  const folder = await newFolder();
  const file = path.join(folder, 'notes.json');
  await writeFile(file, 'my own notes');
  await expect(writeNote(folder, null, { text: 'x', tags: [] })).rejects.toThrow(
    `${file} is not valid JSON; mend it or delete it.`,
  );
  expect(await readFile(file, 'utf8')).toBe('my own notes');
  const told: string[] = [];
  expect(await showNotes(folder, (sentence) => told.push(sentence))).toMatchObject({ text: '' });
  expect(told).toHaveLength(1);
  const row = { example_id: 0, prompt: [], completion: [], reward: 1, info: {}, task: 'navigator' };
  await writeFile(path.join(folder, 'results.jsonl'), `${JSON.stringify(row)}\n`);
  expect((await readRun(folder)).episodes).toHaveLength(1);
});

test('there must be a folder, and what is in the way is told of', async () => {
  const folder = await newFolder();
  const gone = path.join(folder, 'gone');
  await expect(writeNote(gone, null, { text: 'x', tags: [] })).rejects.toThrow('There is no run');
  const closed = path.join(folder, 'closed');
  await mkdir(closed);
  await mkdir(path.join(closed, 'notes.json'));
  await expect(writeNote(closed, null, { text: 'x', tags: [] })).rejects.toThrow(/Cannot read .*folder/);
});
