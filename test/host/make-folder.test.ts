/** Folders are made with those above them, or it is said why not. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../server/src/host/make-folder.ts';

function scratch(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'folder-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

test('all that is missing is made, and what is there stays', () => {
  const folder = scratch();
  const deep = path.join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  fs.writeFileSync(path.join(deep, 'file'), '');
  makeFolder(deep);
  makeFolder(path.join(deep, '..'));
  makeFolder(path.parse(folder).root);
  expect(fs.readdirSync(deep)).toEqual(['file']);
});

test('a folder behind a link is one', () => {
  const folder = scratch();
  fs.mkdirSync(path.join(folder, 'real'));
  fs.symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'), 'dir');
  makeFolder(path.join(folder, 'link', 'below'));
  expect(fs.readdirSync(path.join(folder, 'real'))).toEqual(['below']);
});

test.each([
  ['a file', (folder: string) => fs.writeFileSync(path.join(folder, 'x'), '')],
  [
    'a link to nothing',
    (folder: string) => fs.symlinkSync(path.join(folder, 'gone'), path.join(folder, 'x')),
  ],
])('%s in the way is an error', (_, put) => {
  const folder = scratch();
  put(folder);
  expect(() => makeFolder(path.join(folder, 'x'))).toThrow();
  expect(() => makeFolder(path.join(folder, 'x', 'below'))).toThrow();
});

test.skipIf(!fs.existsSync('/proc/self'))('where nothing can be made it ends and says so', () => {
  expect(() => makeFolder('/proc/nope/deep')).toThrow(
    /no folder can be made in \/proc; choose another place/,
  );
});
