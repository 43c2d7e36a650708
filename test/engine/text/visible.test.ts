import { expect, it } from 'vitest';
import { named, visible } from '../../../server/src/engine/text/visible.ts';

it.each([
  ['Sorrel Curlew — 東京 é😀', 'Sorrel Curlew — 東京 é😀'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31mred\u0007', '\\u001b[31mred\\u0007'],
  ['\u0085\u009b1m\u007f', '\\u0085\\u009b1m\\u007f'],
  ['\u202egpj.exe\u2066', '\\u202egpj.exe\\u2066'],
  ['a\u2028b\ufeff', 'a\\u2028b\\ufeff'],
  ['\ud800', '\\ud800'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['', ''],
])('%j becomes %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(named(text)).toBe(shown === '' ? '""' : shown);
});
