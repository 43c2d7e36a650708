/** The rubric against recorded values, and the deterministic judge. */
import { describe, expect, test } from 'vitest';
import pitch from '../../../prompts/serving/pitch.json' with { type: 'json' };
import { readVerdict } from '../../../server/src/engine/environments/serving/pitch/judge.ts';
import { judgeByPhrases, wordingOf } from '../../../server/src/engine/environments/serving/pitch/lexicon.ts';
import { type Mark, pointsOf } from '../../../server/src/engine/environments/serving/pitch/rubric.ts';
import {
  type Attribute,
  attributes,
  type Fact,
  type Sheet,
} from '../../../server/src/engine/environments/serving/pitch/tastes.ts';
import { outcomeLine } from '../../../server/src/engine/environments/serving/record.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

interface Vector {
  id: string;
  note: string;
  classes: ('strong' | 'pos' | 'neu' | 'neg' | 'red')[];
  verdicts: Mark[];
  invented: string[];
  word_count: number;
  expected: {
    coverage: number;
    neg_touch: number;
    red_touch: number;
    lies: number;
    invented: number;
    score: number;
    reward: number;
    score_line: string;
  };
}

const weights = { strong: 2, pos: 1, neu: 0, neg: -1, red: -3 } as const;

describeShared('rubric of pitches', () => {
  test.each(readVectors<Vector>('pitch.jsonl'))(
    '$id',
    ({ classes, verdicts, invented, word_count, expected }) => {
      const points = pointsOf({
        weights: classes.map((it) => weights[it]),
        marks: verdicts,
        invented,
        words: word_count,
      });
      expect(points.coverage).toBeCloseTo(expected.coverage, 12);
      expect(points.disliked).toBe(expected.neg_touch);
      expect(points.redLines).toBe(expected.red_touch);
      expect(points.lies).toBe(expected.lies);
      expect(points.invented).toBe(expected.invented);
      expect(points.score).toBeCloseTo(expected.score, 10);
      expect(points.score / 100).toBeCloseTo(expected.reward, 12);
      expect(outcomeLine(points.score / 100)).toBe(expected.score_line);
    },
  );
});

const everything = Object.entries(attributes).flatMap(([attribute, values]) =>
  values.map((value) => ({ attribute: attribute as Attribute, value })),
);

function sheetOf(facts: readonly Pick<Fact, 'attribute' | 'value'>[]): Sheet {
  const lined = facts.map(({ attribute, value }) => ({
    attribute,
    value,
    line: wordingOf(attribute, value)?.lines.serving[0] ?? '',
  }));
  return { name: 'Tempo 1', category: 'wrist watches', facts: lined };
}

describe('the judge by phrases', () => {
  test.each(everything)('finds $attribute $value in every wording of it, and nothing else', (fact) => {
    const wording = wordingOf(fact.attribute, fact.value);
    const others = Object.entries(attributes).flatMap(([attribute, [value]]) =>
      attribute === fact.attribute ? [] : [{ attribute: attribute as Attribute, value }],
    );
    const sheet = sheetOf([fact, ...others]);
    for (const text of [
      wording?.say ?? '',
      ...(wording?.lines.serving ?? []),
      ...(wording?.lines.test ?? []),
    ]) {
      const { marks, invented } = judgeByPhrases(sheet, `Look at this: ${text}.`);
      expect([text, marks.join('')]).toEqual([text, `M${'N'.repeat(others.length)}`]);
      expect([text, invented]).toEqual([text, []]);
    }
  });

  const handmade = sheetOf([
    { attribute: 'origin', value: 'hand' },
    { attribute: 'price', value: 'high' },
  ]);
  test.each([
    ['It is handmade.', 'MN', []],
    ['It is not handmade.', 'CN', []],
    ['It is factory made.', 'CN', []],
    ['Not cheap. Handmade.', 'MN', []],
    ['It is never mass produced.', 'NN', []],
    ['A HANDMADE piece at a premium price', 'MM', []],
    ['Handmade and waterproof, with an award', 'MN', ['award', 'water']],
    ['Handmade. Lasts 10 hours at 20% off', 'MN', ['a measured figure: 10 hours', 'a measured figure: 20%']],
    ['A limited edition', 'NN', ['availability']],
    ['', 'NN', []],
  ])('%s', (text, marks, invented) => {
    const judged = judgeByPhrases(handmade, text);
    expect(judged.marks.join('')).toBe(marks);
    expect(judged.invented).toEqual(invented);
  });

  test('every phrase is in the form in which texts are looked through', () => {
    for (const { attribute, value } of everything) {
      for (const phrase of wordingOf(attribute, value)?.said ?? [])
        expect(phrase).toMatch(/^[a-z']+( [a-z']+)*$/);
    }
    expect(Object.keys(pitch.categories)).toHaveLength(20);
  });
});

describe('the verdict of a model', () => {
  const sheet = sheetOf([
    { attribute: 'origin', value: 'hand' },
    { attribute: 'price', value: 'high' },
  ]);
  const good = { verdicts: { origin: 'M', price: 'N' }, invented: ['a prize'] };
  test.each([
    [good, 'MN'],
    [JSON.stringify(good), 'MN'],
    [`Here it is:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``, 'MN'],
    [{ verdicts: { origin: 'M' }, invented: [] }, 'the judge gave no verdict on price'],
    [{ verdicts: { origin: 'M', price: 'X' }, invented: [] }, 'the judge gave no verdict on price'],
    [{ verdicts: { origin: 'M', price: 'N' } }, 'the judge gave no list of invented claims'],
    [{ verdicts: { origin: 'M', price: 'N' }, invented: [1] }, 'the judge gave no list of invented claims'],
    ['no idea', 'the judge gave no JSON object'],
    [null, 'the judge gave no JSON object'],
  ])('%j', (value, expected) => {
    const read = readVerdict(sheet, value);
    expect(read.ok ? read.value.marks.join('') : read.error).toBe(expected);
  });
});
