import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Grade, grade, standsAlone } from '../../../server/src/engine/environments/two-hop/grade.ts';
import type { Condition } from '../../../server/src/engine/environments/two-hop/instance.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

interface Row {
  readonly id: string;
  readonly note: string;
  readonly condition: Condition;
  readonly gold: string;
  readonly bridge: string | null;
  readonly pool: readonly string[];
  readonly reply: string;
  readonly expected: Grade;
}

describeShared('two-hop grading', () => {
  const rows = readVectors<Row>('two-hop.jsonl', {
    required: ['id', 'note', 'condition', 'gold', 'bridge', 'pool', 'reply', 'expected'],
  });
  test.each(rows)('$id $note', ({ condition, gold, bridge, pool, reply, expected }) => {
    expect(grade({ split: condition, answer: gold, bridge, answers: pool }, reply)).toEqual(expected);
  });
});

const rain = { split: 'nocot', answer: 'Rain', bridge: 'Oslo', answers: ['Rain', 'Snow', 'Sun'] } as const;

test.each<[string, Partial<Grade>]>([
  ['rain', { correct: 1, strict_answer: 1, answer_spam: 0 }],
  ['\u0085Rain\u001c,', { strict_answer: 1 }], // white space to Python
  ['\ufeffRain', { correct: 1, strict_answer: 0 }], // none to Python
  ['R.a.i.n', { correct: 0, strict_answer: 0 }],
  ['Oslo: rain', { valid_cot: 1, first_hop_mentioned: 1 }],
  ['Rain, Oslo: rain', { valid_cot: 0, first_hop_mentioned: 1 }],
  ['snow_sun', { answer_spam: 0 }],
  ['snow—sun', { answer_spam: 2 }],
  ['ésnow sun\u0301', { answer_spam: 1 }], // a combining mark is no word character
  ['𝒜snow 𐐀sun', { answer_spam: 0 }],
  ['snow snow SNOW', { answer_spam: 1 }],
  ['\u00a0', { answered: 0 }],
])('%j scores %j', (reply, expected) => {
  expect(grade(rain, reply)).toMatchObject(expected);
});

test('any reply can be scored, and naming a name alone is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const figures = grade(rain, `${before} Rain ${after}`);
      expect(figures.correct).toBe(1);
      expect(figures.answered).toBe(1);
      expect(standsAlone(`${before} rain ${after}`, 'rain')).toBe(true);
    }),
  );
});
