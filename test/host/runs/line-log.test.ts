import { appendFile, mkdir, open, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type LogFile, openLineLog, startLineLog } from '../../../server/src/host/runs/line-log.ts';
import { newFolder } from '../../support/played-runs.ts';

test('lines are there in the order in which they were appended, after what was there', async () => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, 'before\n');
  const log = await openLineLog(file);
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i} ü\u2028 ${'x'.repeat(i)}\n`);
  await Promise.all(lines.map((line) => log.append(line)));
  expect(await readFile(file, 'utf8')).toBe(`before\n${lines.join('')}`);
  await log.append('last\n');
  await log.close();
  expect(await readFile(file, 'utf8')).toBe(`before\n${lines.join('')}last\n`);
});

test('an appended line is in the file when the promise resolves', async () => {
  const file = path.join(await newFolder(), 'log');
  const log = await openLineLog(file);
  for (const line of ['one\n', 'two\n', 'three\n']) {
    await log.append(line);
    expect((await readFile(file, 'utf8')).endsWith(line)).toBe(true);
  }
  await log.close();
});

/** A disk with room for `room` more bytes, which takes what fits before it says so. */
async function fullDisk(file: string, room: number, most = Number.POSITIVE_INFINITY): Promise<LogFile> {
  const handle = await open(file, 'r+');
  let left = room;
  return {
    async write(buffer, offset, length, position) {
      if (left === 0) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      const fitting = Math.min(length, left, most);
      left -= fitting;
      return handle.write(buffer, offset, fitting, position);
    },
    truncate: (length) => handle.truncate(length),
    datasync: () => handle.datasync(),
    close: () => handle.close(),
    stat: () => handle.stat(),
  };
}

test.each([0, 1, 7, 8, 9, 15])('a disk that is full after %i bytes keeps whole lines only', async (room) => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, 'before\n');
  const log = await startLineLog(file, await fullDisk(file, room));
  const appended: string[] = [];
  for (const line of ['first..\n', 'second.\n', 'third..\n']) {
    await log.append(line).then(
      () => appended.push(line),
      (error: unknown) =>
        expect(error).toMatchObject({ kind: 'run', message: expect.stringMatching(/disk is full/) }),
    );
  }
  await log.close();
  expect(await readFile(file, 'utf8')).toBe(`before\n${appended.join('')}`);
  expect(appended.length).toBe(Math.floor(room / 8));
});

test('a write that takes a few bytes at a time is gone on with', async () => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, '');
  const log = await startLineLog(file, await fullDisk(file, 1000, 3));
  await Promise.all([log.append('one line\n'), log.append('another line\n')]);
  await log.close();
  expect(await readFile(file, 'utf8')).toBe('one line\nanother line\n');
});

test.runIf(process.platform === 'linux')('the full device of the system', async () => {
  const file = path.join(await newFolder(), 'log');
  await symlink('/dev/full', file);
  const log = await openLineLog(file);
  await expect(log.append('a line\n')).rejects.toThrow(/^Cannot write .*log: the disk is full; make room/);
  await log.close();
});

test.each(['deleted', 'moved', 'replaced'])('a file that was %s takes no more lines', async (what) => {
  const folder = path.join(await newFolder(), 'run');
  await mkdir(folder);
  const file = path.join(folder, 'log');
  const log = await openLineLog(file);
  await log.append('kept\n');
  if (what === 'deleted') await rm(folder, { recursive: true });
  else await rename(file, `${file}.old`);
  if (what === 'replaced') await writeFile(file, 'of somebody else\n');
  await expect(log.append('lost\n')).rejects.toThrow(
    /has been deleted or moved, so nothing more can be kept/,
  );
  await expect(log.append('lost\n')).rejects.toThrow(/deleted or moved/);
  await log.close();
  if (what === 'replaced') expect(await readFile(file, 'utf8')).toBe('of somebody else\n');
  if (what === 'moved') expect(await readFile(`${file}.old`, 'utf8')).toBe('kept\n');
  if (what === 'deleted') await expect(stat(folder)).rejects.toThrow();
});

test.each([
  ['a folder that is not there', 'missing/log', /there is no such file or folder/],
  ['a file in the place of a folder', 'file/log', /not a folder/],
])('%s', async (_, name, message) => {
  const folder = await newFolder();
  await appendFile(path.join(folder, 'file'), '');
  await expect(openLineLog(path.join(folder, name))).rejects.toThrow(message);
});
