import { expect, test } from 'vitest';
import { generate } from '../../../server/src/engine/environments/navigator/generate.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { viewInstance } from '../../../server/src/engine/environments/navigator/view.ts';
import type { Part } from '../../../server/src/engine/environments/view.ts';
import { smallInstance } from '../../support/small-instance.ts';

function generated(split: string, index: number): Instance {
  const made = generate(split, index);
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

/** An outline as indented lines: kind, name, detail. */
function outline(parts: readonly Part[], indent = ''): string[] {
  return parts.flatMap((part) => [
    `${indent}${part.kind} ${part.name}${part.detail && ` (${part.detail})`}`,
    ...outline(part.children, `${indent}  `),
  ]);
}

/** Every part lies within its parent, after its elder sibling, on whole lines, and its name within itself. */
function checkNesting(text: string, parts: readonly Part[], start: number, end: number): void {
  let from = start;
  for (const part of parts) {
    expect(part.start).toBeGreaterThanOrEqual(from);
    expect(part.end).toBeLessThanOrEqual(end);
    expect(part.name).not.toBe('');
    expect(part.nameStart).toBeGreaterThanOrEqual(part.start);
    expect(part.nameEnd).toBeLessThanOrEqual(part.end);
    expect(part.start === 0 || text[part.start - 1] === '\n').toBe(true);
    expect(text[part.end - 1] === '\n' || text[part.end] === '\n').toBe(true);
    checkNesting(text, part.children, part.start, part.end);
    from = part.end;
  }
}

test('a small instance reads like this', () => {
  const { text, parts } = viewInstance(smallInstance);
  expect(text).toMatchInlineSnapshot(`
    "train-small (navigator, train)

    Question: What is the desk extension of the lead of project Coral Gull?

    Hops: 2
    Tokens: 2,195 in 7 chunks
    Ceiling: 600 tokens
    Step budget: 14
    Minimum steps: 4

    # Project Register (1 chunk, 300 tokens)

    [0] (300 tokens)
    Project Register · Amber Finch – Coral Gull
    Coral Gull — Lead: Ida Berg.

    # Canteen Minutes (2 chunks, 661 tokens)

    [1] (320 tokens)
    Canteen Minutes · entry 1
    2019 — The soup was discussed.

    [2] (341 tokens)
    Canteen Minutes · entry 2
    2020 — The soup was discussed again.

    # Personnel Directory (2 chunks, 600 tokens)

    [3] (310 tokens)
    Personnel Directory · Ida Berg – Ida Berg Jr
    Ida Berg — Desk extension: 4107.

    [4] (290 tokens)
    Personnel Directory · Otto Lind
    Otto Lind — Desk extension: 4117.

    # Stores Notices (1 chunk, 333 tokens)

    [5] (333 tokens)
    Stores Notices · entry 1
    2021 — The lift was oiled.

    # Project Register (1 chunk, 301 tokens)

    [6] (301 tokens)
    Project Register · Jade Stork
    Jade Stork — Lead: Otto Lind.
    "
  `);
  expect(outline(parts).join('\n')).toMatchInlineSnapshot(`
    "heading train-small (2 hops)
    section Project Register (1 chunk, 300 tokens)
      chunk [0] Amber Finch – Coral Gull (300 tokens)
        entry Coral Gull
    section Canteen Minutes (2 chunks, 661 tokens)
      chunk [1] entry 1 (320 tokens)
      chunk [2] entry 2 (341 tokens)
    section Personnel Directory (2 chunks, 600 tokens)
      chunk [3] Ida Berg – Ida Berg Jr (310 tokens)
        entry Ida Berg
      chunk [4] Otto Lind (290 tokens)
        entry Otto Lind
    section Stores Notices (1 chunk, 333 tokens)
      chunk [5] entry 1 (333 tokens)
    section Project Register (1 chunk, 301 tokens)
      chunk [6] Jade Stork (301 tokens)
        entry Jade Stork"
  `);
});

test.each([
  ['train', 17],
  ['ood_test', 3],
  ['scale_test', 2],
])('%s %i: every chunk stands verbatim, with its entries', (split, index) => {
  const instance = generated(split, index);
  const { text, parts } = viewInstance(instance);
  checkNesting(text, parts, 0, text.length);
  const chunks = parts.flatMap(({ children }) => children);
  expect(chunks).toHaveLength(instance.chunks.length);
  for (const [position, chunk] of instance.chunks.entries()) {
    const part = chunks[position];
    expect(text.slice((part?.nameEnd ?? 0) + 1, part?.end)).toBe(`${chunk.text}\n`);
    expect(part?.children.map(({ name }) => name)).toEqual(chunk.entity_names);
    for (const entry of part?.children ?? []) {
      expect(text.slice(entry.nameStart, entry.nameEnd)).toBe(entry.name);
    }
  }
});

test('nothing of what a player must find out is in the heading', () => {
  const instance = generated('train', 17);
  const { text, parts } = viewInstance(instance);
  const heading = text.slice(0, parts[0]?.end);
  expect(heading).toContain(instance.question);
  expect(heading).not.toContain(instance.answer);
  for (const { value } of instance.evidence) expect(heading).not.toContain(value);
});
