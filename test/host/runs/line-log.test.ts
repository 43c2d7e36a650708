import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type LogFile, openLineLog, startLineLog } from '../../../server/src/host/runs/line-log.ts';
import { newFolder } from '../../support/played-runs.ts';

test('lines are there as soon as they are appended, after what was there', async () => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, 'before\n');
  const log = openLineLog(file);
  let expected = 'before\n';
  for (let i = 0; i < 100; i++) {
    const line = `line ${i} ü\u2028 ${'x'.repeat(i)}\n`;
    log.append(line);
    expected += line;
    expect(await readFile(file, 'utf8')).toBe(expected);
  }
  log.close();
  expect(await readFile(file, 'utf8')).toBe(expected);
});

/** A disk with room for `room` more bytes, which takes what fits, `most` bytes at a time, before it says so. */
function fullDisk(file: string, room: number, most = Number.POSITIVE_INFINITY): LogFile {
  const handle = openSync(file, 'r+');
  let left = room;
  return {
    write(bytes, offset, length, position) {
      if (left === 0) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      const fitting = Math.min(length, left, most);
      left -= fitting;
      return writeSync(handle, bytes, offset, fitting, position);
    },
    truncate: (length) => ftruncateSync(handle, length),
    sync: (done) => done(null),
    syncNow: () => fdatasyncSync(handle),
    close: () => closeSync(handle),
    stat: () => fstatSync(handle),
  };
}

test.each([0, 1, 7, 8, 9, 15])('a disk that is full after %i bytes keeps whole lines only', async (room) => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, 'before\n');
  const log = startLineLog(file, fullDisk(file, room));
  const appended: string[] = [];
  for (const line of ['first..\n', 'second.\n', 'third..\n']) {
    try {
      log.append(line);
      appended.push(line);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'run', message: expect.stringMatching(/disk is full/) });
    }
  }
  log.close();
  expect(await readFile(file, 'utf8')).toBe(`before\n${appended.join('')}`);
  expect(appended.length).toBe(Math.floor(room / 8));
});

test('a write that takes a few bytes at a time is gone on with', async () => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, '');
  const log = startLineLog(file, fullDisk(file, 1000, 3));
  log.append('one line\n');
  log.append('another line\n');
  log.close();
  expect(await readFile(file, 'utf8')).toBe('one line\nanother line\n');
});

test('a disk that fails when it is to keep what it took: the next line tells', async () => {
  const file = path.join(await newFolder(), 'log');
  await writeFile(file, '');
  const disk = fullDisk(file, 1000);
  const failing: LogFile = {
    ...disk,
    sync: (done) => done(Object.assign(new Error('bad'), { code: 'EIO' })),
  };
  const log = startLineLog(file, failing, { syncEvery: 0 });
  log.append('one line\n');
  expect(() => log.append('another line\n')).toThrow(/^Cannot write .*: bad\.$/);
  log.close();
});

test.runIf(process.platform === 'linux')('the full device of the system', async () => {
  const file = path.join(await newFolder(), 'log');
  await symlink('/dev/full', file);
  const log = openLineLog(file);
  expect(() => log.append('a line\n')).toThrow(/^Cannot write .*log: the disk is full; make room/);
  log.close();
});

test.each(['deleted', 'moved', 'replaced'])('a file that was %s takes no more lines', async (what) => {
  const folder = path.join(await newFolder(), 'run');
  await mkdir(folder);
  const file = path.join(folder, 'log');
  const log = openLineLog(file, { lookEvery: 0 });
  log.append('kept\n');
  if (what === 'deleted') await rm(folder, { recursive: true });
  else await rename(file, `${file}.old`);
  if (what === 'replaced') await writeFile(file, 'of somebody else\n');
  const gone = /has been deleted or moved, so nothing more can be kept/;
  expect(() => log.append('lost\n')).toThrow(gone);
  expect(() => log.append('lost\n')).toThrow(gone);
  log.close();
  if (what === 'replaced') expect(await readFile(file, 'utf8')).toBe('of somebody else\n');
  if (what === 'moved') expect(await readFile(`${file}.old`, 'utf8')).toBe('kept\n');
  if (what === 'deleted') await expect(stat(folder)).rejects.toThrow();
});

test.each([
  ['a folder that is not there', 'missing/log', /there is no such file or folder/],
  ['a file in the place of a folder', 'file/log', /not a folder/],
  ['a folder in the place of the file', '.', /it is a folder/],
])('%s', async (_, name, message) => {
  const folder = await newFolder();
  await appendFile(path.join(folder, 'file'), '');
  expect(() => openLineLog(path.join(folder, name))).toThrow(message);
});
