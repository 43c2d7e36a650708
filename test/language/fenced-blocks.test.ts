import { expect, test } from 'vitest';
import { fencedBlocks } from '../../server/src/language/fenced-blocks.ts';

/** Contents of the fenced transcripts of a text. */
function check(lines: readonly string[], contents: readonly string[], lineBreak = '\n'): void {
  const text = lines.join(lineBreak);
  const found = fencedBlocks(text, 'hopscope-episode').map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(contents.map((content) => content.replaceAll('\n', lineBreak)));
}

test('back-ticks and tildes', () => {
  check(['```hopscope-episode', 'A', '```', '~~~ hopscope-episode', 'B', '~~~~'], ['A\n', 'B\n']);
});

test('CRLF', () => {
  check(['```hopscope-episode', 'A', 'B', '```', 'C'], ['A\nB\n'], '\r\n');
});

test('other languages, and none', () => {
  check(['```yaml', 'hopscope-episode', '```', '```', 'x', '```', '```hopscope-episodes', 'y', '```'], []);
});

test('a fence inside another', () => {
  check(
    ['````markdown', '```hopscope-episode', 'A', '```', '````', '```hopscope-episode', 'B', '```'],
    ['B\n'],
  );
});

test('a shorter fence, or another one, does not close', () => {
  check(['````hopscope-episode', '```', '~~~~', 'A', '````'], ['```\n~~~~\nA\n']);
});

test('in a list, indented', () => {
  check(
    ['- text', '  ```hopscope-episode', '  A', '  ```', '1. ```hopscope-episode', '   B', '   ```'],
    ['  A\n', '   B\n'],
  );
});

test('attributes after the language', () => {
  check(['```Hopscope-Episode title="x"', 'A', '```', '```hopscope-episode{1}', 'B', '```'], ['A\n', 'B\n']);
});

test('never closed', () => {
  check(['```hopscope-episode', 'A'], ['A']);
  check(['```hopscope-episode'], ['']);
  check(['```hopscope-episode', ''], ['']);
});
