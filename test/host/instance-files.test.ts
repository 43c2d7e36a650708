/** Files that a transcript may name, and that nobody is to wait for: nothing of them is read. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openInput } from '../../server/src/host/input.ts';
import { createInstanceFiles } from '../../server/src/host/instance-files.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'instance-files-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const empty = path.join(folder, 'empty.jsonl');
fs.writeFileSync(empty, '');
const huge = path.join(folder, 'huge.jsonl');
fs.writeFileSync(huge, '');
fs.truncateSync(huge, 3 * 2 ** 30); // a hole
const pipe = path.join(folder, 'pipe.jsonl');
const isPosix = process.platform !== 'win32';
if (isPosix) execFileSync('mkfifo', [pipe]);

test.each<[file: string, sentence: string, where?: boolean]>([
  [empty, 'empty.jsonl holds no instance. It is empty.'],
  [huge, 'huge.jsonl is larger than 2 GB, so it was not read.'],
  [folder, `${folder} is no file.`],
  [pipe, `${pipe} is no file.`, isPosix],
  ['/dev/zero', '/dev/zero is no file.', isPosix],
  ['/proc/kmsg', 'kmsg holds no instance. It is empty.', fs.existsSync('/proc/kmsg')],
])('%s', async (file, sentence, there = true) => {
  if (!there) return;
  const files = createInstanceFiles('/no/worker.js'); // a worker would be in vain
  expect(await files.index(pathToFileURL(file).href)).toEqual({ ok: false, error: sentence });
});

test('a log of the kernel is read without waiting for it to go on', async () => {
  if (!fs.existsSync('/proc/kmsg')) return;
  try {
    for await (const _ of await openInput('/proc/kmsg'));
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(EAGAIN|EPERM|EACCES|EIO)$/) });
  }
});
