import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { checkData, dataProblem } from '../../../server/src/host/data/check.ts';
import { cachedIn, cacheFolder, nameFolder, placesOf } from '../../../server/src/host/data/folders.ts';
import { openDataFiles } from '../../../server/src/host/data/open.ts';
import { lay, scratch, set, texts, withVariables } from './fixtures.ts';

let cache: string;
beforeEach(() => {
  cache = scratch();
  withVariables({ HOPSCOPE_CACHE: cache, HOPSCOPE_DATA: undefined });
});

const absent =
  'the data "some numbers" are not on this machine: get them once with "hopscope data fetch numbers" (0.0 MB, in the ' +
  'editor "Hopscope: Get Data…"), or name a folder that has them with --data, HOPSCOPE_DATA or the setting ' +
  'hopscope.dataFolder';

describe('files are found', () => {
  test.each([
    ['by the name of the data set', 'numbers'],
    ['in the folder itself', ''],
    ['in a checkout of the source', 'deep/down'],
    ['in a checkout by the name of the data set', 'numbers/deep/down'],
  ])('%s', (_, below) => {
    const folder = scratch();
    lay(path.join(folder, below));
    nameFolder(folder);
    const files = openDataFiles(set);
    for (const [name, text] of Object.entries(texts)) {
      expect(files.text(name)).toEqual({ ok: true, value: text });
    }
    expect(checkData(set)).toMatchObject({
      good: 3,
      missing: [],
      bad: [],
      folders: [path.join(folder, below)],
    });
  });

  it('in the cache, and there when the named folder has none', () => {
    lay(cachedIn(set));
    expect(dataProblem(set)).toBe(null);
    nameFolder(scratch());
    expect(openDataFiles(set).text('a/one.txt')).toEqual({ ok: true, value: 'one\n' });
    nameFolder(path.join(cache, 'nowhere'));
    expect(openDataFiles(set).text('a/one.txt')).toEqual({ ok: true, value: 'one\n' });
  });

  it('as soon as they are there', () => {
    const files = openDataFiles(set);
    expect(files.text('a/one.txt')).toEqual({ ok: false, error: absent });
    expect(dataProblem(set)).toBe(`T${absent.slice(1)}.`);
    lay(cachedIn(set));
    expect(files.text('a/one.txt')).toEqual({ ok: true, value: 'one\n' });
    nameFolder('');
    expect(placesOf(set)).toEqual([cachedIn(set)]);
  });
});

describe('files are refused', () => {
  it('that are not declared', () => {
    expect(openDataFiles(set).text('../../etc/passwd')).toEqual({
      ok: false,
      error: 'numbers has no file ../../etc/passwd',
    });
  });

  test.each([
    ['that are longer', 'one\n\n', 'it has 5 bytes in place of 4'],
    ['that are cut off', 'on', 'it has 2 bytes in place of 4'],
    ['that are empty', '', 'it has 0 bytes in place of 4'],
    ['that hold something else', 'uno\n', /its SHA-256 begins with [0-9a-f]{12} in place of [0-9a-f]{12}/],
  ])('%s', (_, text, how) => {
    const folder = scratch();
    lay(folder, { ...texts, 'a/one.txt': text });
    nameFolder(folder);
    const read = openDataFiles(set).text('a/one.txt');
    expect(read).toMatchObject({
      ok: false,
      error: expect.stringMatching(/not the published file.*data fetch numbers/),
    });
    expect(read).toMatchObject({ error: expect.stringMatching(how) });
    expect(checkData(set)).toMatchObject({ good: 2, missing: [] });
    expect(checkData(set).bad).toHaveLength(1);
    // The others are still good.
    expect(openDataFiles(set).text('b/three.txt').ok).toBe(true);
  });

  it.skipIf(process.platform === 'win32').each([
    ['pipes', (file: string) => execFileSync('mkfifo', [file])],
    ['devices', (file: string) => symlinkSync('/dev/zero', file)],
  ])('that are %s, without waiting for them', (_, make) => {
    const folder = scratch();
    lay(folder);
    const file = path.join(folder, 'a/one.txt');
    rmSync(file);
    make(file);
    nameFolder(folder);
    expect(openDataFiles(set).text('a/one.txt')).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^cannot read .*one\.txt: it is a pipe or a device, not a file; take it away/,
      ),
    });
    expect(dataProblem(set)).toMatch(
      /^Cannot read [^ ]*one\.txt: it is a pipe or a device, .*fetch numbers"\.$/,
    );
  });

  it('that are missing among others, which are named', () => {
    const folder = scratch();
    lay(folder, { 'b/three.txt': texts['b/three.txt'] ?? '' });
    nameFolder(folder);
    expect(openDataFiles(set).text('a/one.txt')).toEqual({
      ok: false,
      error:
        'the data "some numbers" lack the file a/one.txt; get what is not there with "hopscope data fetch numbers"',
    });
    expect(dataProblem(set)).toBe(
      '2 of the 3 files of the data "some numbers" are missing: a/one.txt, a/two words.txt; get what is not there ' +
        'with "hopscope data fetch numbers".',
    );
  });

  it('that cannot be read', () => {
    const folder = scratch();
    mkdirSync(path.join(folder, 'a/one.txt'), { recursive: true });
    nameFolder(folder);
    expect(openDataFiles(set).text('a/one.txt')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^cannot read .*one\.txt: it is a folder/),
    });
  });

  it('when their place is no folder', () => {
    const file = path.join(scratch(), 'file');
    writeFileSync(file, '');
    nameFolder(file);
    expect(openDataFiles(set).text('a/one.txt')).toEqual({ ok: false, error: absent });
    rmSync(file);
  });
});

test.each([
  ['linux', { XDG_CACHE_HOME: '/x' }, '/x/hopscope/data'],
  ['linux', { XDG_CACHE_HOME: 'x', HOPSCOPE_CACHE: '' }, /\/\.cache\/hopscope\/data$/],
  ['linux', {}, /\/\.cache\/hopscope\/data$/],
  ['darwin', {}, /Library\/Caches\/hopscope\/data$/],
  ['win32', { LOCALAPPDATA: 'C:/l' }, /^C:\/l\/hopscope\/cache\/data$/],
  ['linux', { HOPSCOPE_CACHE: '/c' }, '/c/data'],
] as const)('the cache on %s with %j', (platform, env, expected) => {
  expect(cacheFolder(env, platform)).toMatch(expected);
});
