/** Files of streams that are played side by side: each has its own, and finds it again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Placed, streamFileName, streamPlaces } from '../../../server/src/host/streams/stream-places.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'hopscope-places-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function placed(model: string, method: string, prompt: string | null, more: object = {}): Placed {
  const config = { scenario: 'mini_pitch', model, method, prompt, ...more };
  return { model, method, stream: 'mini_pitch', prompt, config };
}

function make(file: string, { config }: Placed): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ config })}\n`);
}

const single = placed('org/m', 'rag', 'terse');

test('what is played alone has the usual name', () => {
  expect(
    streamPlaces('out', [single, placed('org/m', 'blind', 'terse'), placed('n', 'rag', 'terse')]),
  ).toEqual(['out/m/mini_pitch_rag.jsonl', 'out/m/mini_pitch_blind.jsonl', 'out/n/mini_pitch_rag.jsonl']);
});

test.each<[string, readonly Placed[]]>([
  ['two step prompts', [single, placed('org/m', 'rag', 'long')]],
  ['two step prompts of one name', [single, { ...single, config: { ...single.config, prompt: 'other' } }]],
  ['two models whose names end alike', [single, placed('other/m', 'rag', 'terse')]],
  ['names that differ in capitals', [single, placed('org/M', 'rag', 'terse')]],
  [
    'a method and a file of its name',
    [single, placed('org/m', './a/rag.mjs', 'terse', { method_hash: '1' })],
  ],
  [
    'two files of one name',
    [
      placed('org/m', './a/mine.mjs', 'terse', { method_hash: '1' }),
      placed('org/m', './b/mine.mjs', 'terse', { method_hash: '2' }),
    ],
  ],
])('%s get a file each, and find it again, together and alone', (_, all) => {
  const out = folder();
  const files = streamPlaces(out, all);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(all.length);
  for (const [at, one] of all.entries()) make(files[at] ?? '', one);
  expect(streamPlaces(out, all)).toEqual(files);
  expect(streamPlaces(out, all.toReversed())).toEqual(files.toReversed());
  for (const [at, one] of all.entries()) expect(streamPlaces(out, [one])).toEqual([files[at]]);
});

test('what was begun alone is gone on with when others come beside it', () => {
  const out = folder();
  const [usual = ''] = streamPlaces(out, [single]);
  make(usual, single);
  const [first, second] = streamPlaces(out, [single, placed('org/m', 'rag', 'long')]);
  expect(first).toBe(usual);
  expect(second).toMatch(/org-m[\\/]mini_pitch_rag--long--[0-9a-f]{8}\.jsonl$/);
});

test('a file that was made otherwise is refused before anything is asked', () => {
  const out = folder();
  const [usual = ''] = streamPlaces(out, [single]);
  make(usual, placed('org/m', 'rag', 'terse', { windows: [0] }));
  expect(() => streamPlaces(out, [single])).toThrow(
    'was made with other windows; name another folder with --out',
  );
});

test.each([
  ['org/some-model', 'retail_l1', 'rag', 'some-model/retail_l1_rag.jsonl'],
  ['m', 'retail_l1', './x/mine.mjs', 'm/retail_l1_mine.jsonl'],
  ['a/..', 'retail_l1', 'rag', 'model/retail_l1_rag.jsonl'],
])('%s %s %s is kept in %s', (model, stream, method, name) => {
  expect(streamFileName(model, stream, method)).toBe(name);
});
