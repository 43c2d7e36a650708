import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditRows } from '../../../server/src/engine/environments/navigator/audit.ts';
import {
  contentWords,
  leadsAlone,
  overlap,
} from '../../../server/src/engine/environments/navigator/overlap.ts';
import { type SurfaceRow, surfaceRows } from '../../../server/src/engine/environments/navigator/surface.ts';
import { describeShared, readShared, splitInstances } from '../../support/shared.ts';

type PublishedRow = Omit<SurfaceRow, 'is_evidence' | 'is_answer' | 'in_answer_section' | 'n_hops'> &
  Record<'is_evidence' | 'is_answer' | 'in_answer_section', number> & { section: string };

interface Published {
  readonly surface_features_id_test_0: readonly PublishedRow[];
  readonly confound_first_6_id_test: {
    readonly n_chunks: number;
    readonly auc: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly violations: readonly string[];
    readonly passed: boolean;
  };
}

describeShared('the audit of the original instances', () => {
  const published: Published = JSON.parse(readShared('vectors/navigator/published.json'));
  const instances = splitInstances('id_test');

  it('sees the published features of every register chunk', () => {
    const first = instances.find(({ id }) => id === published.surface_features_id_test_0[0]?.instance);
    const rows = first === undefined ? [] : surfaceRows(first);
    expect(rows).toHaveLength(published.surface_features_id_test_0.length);
    for (const [at, { section, ...expected }] of published.surface_features_id_test_0.entries()) {
      const row = rows[at];
      expect(row).toMatchObject({
        instance: expected.instance,
        pos_global: expect.closeTo(expected.pos_global, 12),
        pos_in_section: expect.closeTo(expected.pos_in_section, 12),
        length: expected.length,
        n_entries: expected.n_entries,
        overlap: expect.closeTo(expected.overlap, 12),
        is_evidence: expected.is_evidence === 1,
        is_answer: expected.is_answer === 1,
        in_answer_section: expected.in_answer_section === 1,
      });
    }
  });

  it('finds the published figures and violations', () => {
    const expected = published.confound_first_6_id_test;
    const report = auditRows(instances.flatMap(surfaceRows));
    expect(report.rows).toBe(expected.n_chunks);
    expect(report.passed).toBe(expected.passed);
    for (const [pool, { n_pos, ...features }] of Object.entries(expected.auc)) {
      const ours = report.figures.filter((figure) => figure.pool === pool);
      expect(Object.fromEntries(ours.map(({ feature, auc }) => [feature, auc]))).toEqual(
        Object.fromEntries(
          Object.entries(features).map(([feature, auc]) => [feature, expect.closeTo(auc, 12)]),
        ),
      );
    }
    const violations = report.figures.filter((figure) => figure.violated);
    expect(violations.map(({ pool, feature, auc }) => `${pool}:${feature}=${auc.toFixed(3)}`)).toEqual(
      expected.violations,
    );
  });
});

it('passes when there is nothing to audit', () => {
  expect(auditRows([])).toEqual({ passed: true, tolerance: 0.06, rows: 0, figures: [] });
});

/** Share of the question's content words in a text, against a count by hand. */
const shares: readonly { question: string; words: string[]; text: string; share: number }[] = [
  { question: '', words: [], text: 'anything', share: 0 },
  { question: 'What is the of?', words: [], text: 'what is the of', share: 0 },
  { question: 'the lead of Ada Ada', words: ['lead', 'ada'], text: 'LEAD: aDa.', share: 1 },
  { question: 'lead', words: ['lead'], text: 'leader mislead lead-in in-lead', share: 0 },
  { question: 'lead', words: ['lead'], text: '7lead', share: 1 },
  { question: 'lead', words: ['lead'], text: '--lead', share: 1 },
  { question: 'lead', words: ['lead'], text: 'lead-', share: 0 },
  { question: 'Roy Field-Oakes', words: ['roy', 'field-oakes'], text: 'Roy Field Oakes', share: 0.5 },
  { question: 'x of PJ-7 y', words: ['pj-'], text: 'PJ-9', share: 1 },
  { question: 'Zoë Ærø', words: ['zo'], text: 'Zoé', share: 1 },
];

it.each(shares)('overlap of "$question" with "$text"', ({ question, words, text, share }) => {
  expect(contentWords(question)).toEqual(words);
  expect(overlap(words, text)).toBe(share);
});

/** Few letters, so that random words meet often. */
const prose = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '-', ' ', '7', 'é'), maxLength: 30 });

it('finds the words that a tokenizer would find', () => {
  fc.assert(
    fc.property(prose, prose, (question, text) => {
      const asked = contentWords(question);
      const there = new Set([...text.matchAll(/[A-Za-z][A-Za-z-]+/g)].map(([found]) => found.toLowerCase()));
      const found = asked.filter((each) => there.has(each)).length;
      expect(overlap(asked, text)).toBe(asked.length === 0 ? 0 : found / asked.length);
    }),
  );
});

it('knows the chunk that alone is most like the question', () => {
  const chunk = { section: '', header: '', kind: 'register', tokens: 0, entity_names: [] } as const;
  fc.assert(
    fc.property(prose, fc.array(prose, { minLength: 1, maxLength: 5 }), fc.nat(5), (question, texts, at) => {
      const words = contentWords(question);
      const shares = texts.map((text) => overlap(words, text));
      const others = shares.filter((_, index) => index !== at);
      const own = shares[at];
      const expected = own !== undefined && others.every((share) => share < own);
      const chunks = texts.map((text, idx) => ({ ...chunk, idx, text }));
      expect(leadsAlone(words, chunks, at)).toBe(expected);
    }),
  );
});
