/** What methods tell: retrieval by its formula, notes of bounded length, trials that read back. */
import { expect, test } from 'vitest';
import { indexOf, termsOf } from '../../../server/src/engine/environments/serving/methods/bm25.ts';
import { methods } from '../../../server/src/engine/environments/serving/methods/index.ts';
import { printTrial, readTrials } from '../../../server/src/engine/environments/serving/policies/trials.ts';
import type { Experience, Method } from '../../../server/src/engine/environments/streams.ts';

const texts = ['The gift card, the GIFT!', 'a refund to the card', 'nothing of the kind'];

test('scores are those of the formula', () => {
  const found = indexOf(texts.map(termsOf)).search('gift card', 8);
  // Lengths 5, 5 and 4; "gift" is in one text twice, "card" in two of three once each.
  const mean = 14 / 3;
  const idf = (df: number) => Math.log(1 + (3 - df + 0.5) / (df + 0.5));
  const part = (df: number, tf: number, length: number) =>
    (idf(df) * tf * 2.5) / (tf + 1.5 * (1 - 0.75 + (0.75 * length) / mean));
  expect(found.map(({ at }) => at)).toEqual([0, 1]);
  expect(found[0]?.score).toBeCloseTo(part(1, 2, 5) + part(2, 1, 5), 12);
  expect(found[1]?.score).toBeCloseTo(part(2, 1, 5), 12);
});

test('what has no word in common is not found, and of equals the earlier comes first', () => {
  expect(indexOf(texts.map(termsOf)).search('zebra', 8)).toEqual([]);
  expect(indexOf([]).search('gift', 8)).toEqual([]);
  const equal = indexOf(['a b', 'a b', 'a b'].map(termsOf)).search('a', 2);
  expect(equal.map(({ at }) => at)).toEqual([0, 1]);
});

function method(id: string): Method {
  const found = methods.find((it) => it.id === id);
  if (found === undefined) throw new Error(`There is no method ${id}.`);
  return found;
}

function experience(timestamp: number, record: string, reward = 1): Experience {
  return { taskId: `t${timestamp}`, instruction: 'exchange', timestamp, reward, record };
}

test('retrieval leaves its memory as it was', () => {
  const rag = method('rag');
  const memory = rag.start();
  const later = rag.update(memory, [experience(1, 'exchange a lamp'), experience(2, 'cancel')], null);
  const task = { taskId: 'x', instruction: 'exchange a rug', timestamp: 9 };
  expect(rag.context(memory, task)).toBe('');
  expect(rag.context(later, task)).toContain('[1] position 1');
  expect(rag.context(later, task)).not.toContain('position 2');
  expect(rag.traits?.(later, task)).toEqual({ n_retrieved: 1, retrieved_timestamps: [1] });
  const long = rag.update(memory, [experience(1, 'exchange '.repeat(20_000))], null);
  expect(rag.context(long, task).length).toBeLessThan(100_200);
});

test('a note is cut without leaving half of a character, and stays when nobody answered', () => {
  const notes = method('notes');
  const note = notes.update('', [], `  ${'x'.repeat(1999)}😀 tail`);
  expect(note).toBe('x'.repeat(1999));
  expect(notes.update(note, [], null)).toBe(note);
  expect(notes.context('', { taskId: '', instruction: '', timestamp: 1 })).toBe('');
});

test('trials read back as they were printed, and other lines are none', () => {
  const line = printTrial(12, 'exchange to FL; exchange audio', 'refuse service_not_offered', 100);
  const pitch = printTrial(3, 'price low; without eco eco', 'pitch', 33.33);
  expect(readTrials(`What was tried\n${line}\n${pitch}\n@x | y | z | 1\n`)).toEqual([
    { time: 3, features: ['price low'], absent: ['eco eco'], course: 'pitch', worked: false, score: 33.33 },
    {
      time: 12,
      features: ['exchange to FL', 'exchange audio'],
      absent: [],
      course: 'refuse service_not_offered',
      worked: true,
      score: 100,
    },
  ]);
});

test('only the oracle is privileged, and only learners are given tasks', () => {
  expect(methods.map(({ id, learns, privileged }) => [id, learns, privileged])).toEqual([
    ['blind', false, false],
    ['oracle', false, true],
    ['rag', true, false],
    ['notes', true, false],
    ['refusals', true, false],
  ]);
});
