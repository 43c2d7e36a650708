import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerMatches, normalizeAnswer } from '../../../server/src/engine/environments/navigator/answers.ts';
import { describeShared, readVectors } from '../../support/shared.ts';

interface Row {
  readonly pred: string | null;
  readonly truth: string;
  readonly match: boolean;
  readonly aliases?: readonly string[];
}

describeShared('answer vectors', () => {
  const rows = readVectors<Row>('navigator/answers.jsonl', {
    required: ['pred', 'truth', 'match'],
    optional: ['aliases', 'note'],
  });
  it.each(
    rows.map((row, line) => ({ ...row, name: `${line + 1}: ${JSON.stringify(row.pred)} for ${row.truth}` })),
  )('line $name', ({ pred, truth, aliases, match }) => {
    expect(answerMatches(pred, truth, aliases)).toBe(match);
  });
});

describe('normalised answers', () => {
  it('are what is left of the lower-cased text in ASCII letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalizeAnswer(text)).toBe(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
      }),
    );
  });

  it('agree with lower-casing for every code unit', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = `A${String.fromCharCode(code)}9`;
      expect(normalizeAnswer(text)).toBe(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
    }
  });
});

describe('matching', () => {
  it('never accepts no answer', () => {
    expect(answerMatches(null, 'x')).toBe(false);
    expect(answerMatches(null, 'x', ['null'])).toBe(false);
  });

  it('counts digits of every script as runs of their own', () => {
    expect(answerMatches('x 5788 \u0665', '5788')).toBe(false);
    expect(answerMatches('x 5788\u{1d7cf}', '5788')).toBe(false);
    expect(answerMatches('x 5788\u00b2', '5788')).toBe(true);
  });

  it('takes a truth or an alias alike', () => {
    expect(answerMatches('b 12', 'a', ['', '—', '12'])).toBe(true);
    expect(answerMatches('b 12', '12', ['a'])).toBe(true);
    expect(answerMatches('b', 'a', ['', '—'])).toBe(false);
  });
});
