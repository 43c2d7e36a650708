/** Which files a method is made of: what decides whether a stream is gone on with. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf } from '../../../server/src/host/data/open.ts';
import { methodFiles, methodHash } from '../../../server/src/host/streams/method-files.ts';

function written(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hopscope-method-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), source);
  }
  return path.join(folder, Object.keys(files)[0] ?? '');
}

test('of a file alone it is the hash of its content', () => {
  const source = 'import fs from "node:fs"; import x from "package";';
  expect(methodHash(written({ 'mine.mjs': source }))).toBe(hashOf(Buffer.from(source)));
});

test.each([
  ['import x from "./dep.mjs";', 'dep.mjs'],
  ["import './dep.mjs';", 'dep.mjs'],
  ["import{x}from'./dep.mjs';", 'dep.mjs'],
  ['import {\n  x,\n  y,\n} from "./dep.mjs";', 'dep.mjs'],
  ['export * from "./dep.mjs";', 'dep.mjs'],
  ['await import("./dep.mjs");', 'dep.mjs'],
  ['await import(`./dep.mjs`);', 'dep.mjs'],
  ['import "./lib/dep.mjs?1";', 'lib/dep.mjs'],
  ['require("./dep")', 'dep.cjs'],
  ['require("./lib")', 'lib/index.js'],
  ['new URL("./words.txt", import.meta.url)', 'words.txt'],
  ['import x from "./words.json" with { type: "json" };', 'words.json'],
])('what %s names counts, and so does what that names', (source, name) => {
  const files = {
    'mine.mjs': source,
    [name]: 'import "./further.mjs"',
    'further.mjs': '1',
    'lib/further.mjs': '1',
  };
  const before = methodHash(written(files));
  expect(methodHash(written(files))).toBe(before);
  expect(methodHash(written({ ...files, [name]: 'import "./further.mjs" ' }))).not.toBe(before);
  const further = methodHash(written({ ...files, 'further.mjs': '2', 'lib/further.mjs': '2' }));
  if (/js$/.test(name)) expect(further).not.toBe(before);
  else expect(further).toBe(before);
});

test('what is not there, goes round or leads out of the folder does no harm', () => {
  const own = written({
    'a/mine.mjs':
      'import "./mine.mjs"; import "../dep.mjs"; import "./gone.mjs"; import "..//"; import "./";',
    'dep.mjs': 'import "./a/mine.mjs"',
  });
  expect(methodFiles(own).map((it) => path.basename(it.path))).toEqual(['mine.mjs', 'dep.mjs']);
  expect(() => methodHash(path.join(path.dirname(own), 'gone.mjs'))).toThrow('ENOENT');
});
