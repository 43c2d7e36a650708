/** Finding out what a folder holds, and reading it, whoever wrote it. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateRun, readRun } from '../../../server/src/host/runs/read-run.ts';
import { newFolder, newRun, policy } from '../../support/played-runs.ts';

/** A folder with these files in it. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newFolder();
  await mkdir(path.join(folder, 'configs'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

const result = (id: number, text: string) =>
  JSON.stringify({
    example_id: id,
    completion: [{ role: 'assistant', content: text }],
    reward: 1,
    error: null,
  });
const foreignConfig = JSON.stringify({ model: 'm', taskset: { id: 'two-hop' }, num_tasks: 3 });
const trace = JSON.stringify({
  id: 'e',
  env: { id: 'two-hop' },
  task: { key: 'k' },
  traces: [{ nodes: [], rewards: { r: 0.5 } }],
});

describe('what a folder holds', () => {
  it('a run that has just been made', async () => {
    const { path: folder } = await newRun({ agent: policy('oracle'), parent: await newFolder() });
    expect(await locateRun(folder)).toMatchObject({ format: 'hopscope' });
    expect(await readRun(folder)).toMatchObject({ info: { requested: 3 }, episodes: [] });
  });

  it.each([
    [
      'traces with a configuration of another program',
      { 'configs/eval.json': foreignConfig, 'traces.jsonl': trace },
      'traces',
    ],
    ['traces without', { 'traces.jsonl': trace }, 'traces'],
    ['results', { 'results.jsonl': result(0, 'x') }, 'results'],
    ['both: the newer format', { 'traces.jsonl': trace, 'results.jsonl': result(0, 'x') }, 'traces'],
  ])('%s', async (_, files, format) => {
    expect(await locateRun(await folderOf(files))).toMatchObject({ format, config: null });
  });

  it('a file that is named decides', async () => {
    const folder = await folderOf({ 'traces.jsonl': trace, 'results.jsonl': result(0, 'x') });
    expect(await locateRun(path.join(folder, 'results.jsonl'))).toMatchObject({ folder, format: 'results' });
  });

  it.each([
    ['nothing', {}, /holds no run: there is neither/],
    ['something else', { 'data.jsonl': '{}' }, /holds no run: there is neither/],
    [
      'steps of a run whose configuration is not ours',
      { 'configs/eval.json': foreignConfig, 'steps.jsonl': '' },
      /eval\.json is no run of this program/,
    ],
  ])('%s is refused', async (_, files, message) => {
    await expect(locateRun(await folderOf(files))).rejects.toThrow(message);
  });
});

describe('lines of another program', () => {
  it('end at line feeds and nowhere else; what is none is told and left out', async () => {
    const odd = 'a\u2028b\u2029c\u0085d\re';
    // Other programs write these characters as they are.
    const raw = result(1, odd).replace('\\r', '\\r');
    const lines = [
      result(0, 'x'),
      raw,
      '',
      'torn {"example_id":',
      '{"completion":[]}',
      `${result(0, 'y')}\r`,
    ];
    const folder = await folderOf({
      'results.jsonl': `${lines.join('\n')}\n${result(2, 'last, without a line feed')}`,
    });
    const told: string[] = [];
    const { info, episodes } = await readRun(folder, { problem: (sentence) => told.push(sentence) });
    const file = path.join(folder, 'results.jsonl');
    expect(told).toEqual([
      expect.stringContaining(`${file} line 4 is not valid JSON`),
      `${file} line 5 is no episode.`,
    ]);
    const said = episodes.map(({ task, instanceId, rollout, events: [event] }) => [
      ...[task, instanceId, rollout],
      event?.kind === 'reply' ? event.text : '',
    ]);
    expect(said).toEqual([
      [0, '0', 0, 'x'],
      [1, '1', 0, odd],
      [2, '0', 1, 'y'],
      [3, '2', 0, 'last, without a line feed'],
    ]);
    expect(info).toMatchObject({ format: 'results', requested: 4 });
  });

  it('what the folder says of the run as a whole', async () => {
    const folder = await folderOf({
      'configs/eval.json': foreignConfig,
      'traces.jsonl': `${trace}\n${trace}\n`,
    });
    expect((await readRun(folder)).info).toMatchObject({
      environment: 'two-hop',
      rollouts: 2,
      requested: 2,
      agent: { model: 'm' },
    });
    const metadata = JSON.stringify({ env_id: 'e', model: 'n', num_examples: 4, rollouts_per_example: 2 });
    const older = await folderOf({ 'metadata.json': metadata, 'results.jsonl': result(0, 'x') });
    expect((await readRun(older)).info).toMatchObject({
      environment: 'e',
      rollouts: 2,
      requested: 8,
      agent: { model: 'n' },
    });
  });
});
