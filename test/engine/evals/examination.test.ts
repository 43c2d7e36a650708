import { expect, test } from 'vitest';
import type { AuditReport } from '../../../server/src/engine/environments/environment.ts';
import { describeFindings, type Findings } from '../../../server/src/engine/evals/examination.ts';

const nothing: Findings = { label: 'a.jsonl', instances: 3, unsound: [], problems: [], audit: null };
const unsound = [{ id: 'x', reasons: ['co_located', 'separation'] }];

const report = (passed: boolean): AuditReport => ({
  passed,
  tolerance: 0.06,
  rows: 90,
  figures: [
    { pool: 'all', feature: 'length', auc: passed ? 0.51 : 0.75, gated: true, violated: !passed },
    { pool: 'all', feature: 'overlap', auc: 0.8, gated: false, violated: false },
  ],
});
const figures = (first: string) => [`all  length   ${first}`, 'all  overlap  0.800  not gated'];

test.each<[string, Partial<Findings>, boolean, string, readonly string[]]>([
  ['sound', {}, true, '3 instances of a.jsonl are sound.', []],
  ['one', { instances: 1 }, true, '1 instance of a.jsonl is sound.', []],
  ['none', { instances: 0 }, false, 'There is no instance in a.jsonl.', []],
  [
    'unsound',
    { unsound },
    false,
    '1 of 3 instances of a.jsonl is not sound.',
    ['x is not sound: co_located, separation'],
  ],
  [
    'unread',
    { problems: ['Line 2 is not valid JSON.', 'Line 3 is not valid JSON.'] },
    false,
    '3 instances of a.jsonl are sound, and 2 problems kept others from being read.',
    ['Line 2 is not valid JSON.', 'Line 3 is not valid JSON.'],
  ],
  [
    'an audit that passes',
    { audit: { report: report(true), minimum: 3 } },
    true,
    'a.jsonl: Audit of 3 instances (90 chunks): passed, every gated figure within 0.5 ± 0.06.',
    figures('0.510  ok'),
  ],
  [
    'an audit that fails by chance',
    { audit: { report: report(false), minimum: 300 } },
    false,
    'a.jsonl: Audit of 3 instances (90 chunks): failed, outside 0.5 ± 0.06: length in all (0.750). Sets of fewer than 300 instances fail by chance: audit more of them.',
    figures('0.750  violated'),
  ],
  [
    'an audit without the unsound',
    { unsound, audit: { report: report(true), minimum: 1 } },
    false,
    'a.jsonl: Audit of 2 instances (90 chunks): passed, every gated figure within 0.5 ± 0.06. 1 of 3 instances of a.jsonl is not sound. Those were left out.',
    [...figures('0.510  ok'), 'x is not sound: co_located, separation'],
  ],
])('%s', (_, findings, passed, sentence, lines) => {
  expect(describeFindings({ ...nothing, ...findings })).toEqual({ passed, sentence, lines });
});

test('of many problems only the first are listed', () => {
  const problems = Array.from({ length: 1234 }, (_, line) => `Line ${line} is not valid JSON.`);
  const { lines } = describeFindings({ ...nothing, problems });
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toBe('… and 1,184 more');
});
