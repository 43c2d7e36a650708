import { describe, expect, it } from 'vitest';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { parseInstance } from '../../../server/src/engine/environments/navigator/parse-instance.ts';
import { readEntry } from '../../../server/src/engine/environments/navigator/reading.ts';
import { reasons as explanations } from '../../../server/src/engine/environments/navigator/reasons.ts';
import { minimumSchedule } from '../../../server/src/engine/environments/navigator/schedule.ts';
import { validate } from '../../../server/src/engine/environments/navigator/validate.ts';
import { describeShared, readShared, readVectors, sharedInstances } from '../../support/shared.ts';
import { smallInstance } from '../../support/small-instance.ts';

interface Row {
  note: string;
  base: string;
  ops: { path: string; value: unknown }[];
  reasons?: string[];
  reasons_nonempty?: boolean;
  generator_overrides?: { min_separation?: number };
  env_overrides?: { context_ceiling?: number; assumed_summary_tokens?: number };
}

/** A copy of `instance` with the values at some JSON pointers replaced. */
function patched(instance: Instance, ops: Row['ops']): unknown {
  const copy: unknown = structuredClone(instance);
  for (const { path, value } of ops) {
    const keys = path.split('/').slice(1);
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((node, key) => Reflect.get(Object(node), key), copy);
    Reflect.set(Object(parent), last, value);
  }
  return copy;
}

describeShared('validator vectors', () => {
  const instances = sharedInstances();
  const rows = readVectors<Row>('navigator/validator.jsonl', {
    required: ['note', 'base', 'ops'],
    optional: ['reasons', 'reasons_nonempty', 'generator_overrides', 'env_overrides'],
  });
  it.each(rows.map((row, line) => ({ row, name: `${line + 1}: ${row.note} (${row.base})` })))(
    'line $name',
    ({ row }) => {
      const base = instances.get(row.base);
      if (base === undefined) throw new Error(`no instance ${row.base}`);
      const parsed = parseInstance(patched(base, row.ops));
      if (!parsed.ok) throw new Error(parsed.error);
      const reasons = validate(parsed.value, { ...row.generator_overrides, ...row.env_overrides });
      if (row.reasons_nonempty) expect(reasons).not.toEqual([]);
      else expect(reasons).toEqual(row.reasons);
      const explained = explanations.map(({ code }) => code);
      for (const reason of reasons) expect(explained).toContain(reason.replace(/:.*/, ''));
    },
  );

  it('accepts every published instance, and reading one loses nothing', () => {
    for (const instance of instances.values()) {
      const parsed = parseInstance(instance);
      if (!parsed.ok) throw new Error(parsed.error);
      expect(validate(parsed.value)).toEqual([]);
      expect(JSON.parse(JSON.stringify(parsed.value))).toEqual(instance);
    }
  });
});

describeShared('minimum schedule vectors', () => {
  interface Case {
    chunks: number[];
    ceiling: number;
    summary: number;
    result: [number, boolean, boolean];
  }
  const { min_step_schedule_cases: cases } = JSON.parse(readShared('vectors/navigator/published.json')) as {
    min_step_schedule_cases: Case[];
  };
  it.each(cases)('$chunks under $ceiling', ({ chunks, ceiling, summary, result }) => {
    const { steps, compression, solvable } = minimumSchedule(chunks, ceiling, summary);
    expect([steps, compression, solvable]).toEqual(result);
  });
});

describe('reading an entry back', () => {
  const fields = (line: string) => {
    const entry = readEntry(line, 0);
    return entry === null ? null : Object.fromEntries(entry.fields);
  };

  it.each([
    ['A B — Lead: C D. Status: on.', { Lead: ['C D', null], Status: ['on', null] }],
    ['A — Lead: C [current since 2019; previously D from 2017 to 2019].', { Lead: ['C', 'D'] }],
    ['A — Lead: D from 2017 to 2019, then C [current since 2019].', { Lead: ['C', 'D'] }],
    ['A — Lead: C. Lead: E.', { Lead: ['E', null] }],
    ['A — Lead: C. Notes: Code: X.', { Lead: ['C', null] }],
  ])('%s', (line, expected) => {
    const wanted = Object.entries(expected).map(([k, [value, superseded]]) => [k, { value, superseded }]);
    expect(fields(line)).toEqual(Object.fromEntries(wanted));
  });

  it.each(['no dash. Lead: C.', '2019 — Nothing to see here.', 'A – Lead: C.', ''])('%j is none', (line) => {
    expect(fields(line)).toBeNull();
  });
});

describe('instances from outside', () => {
  it.each([
    [null, 'it must be an object, not null'],
    ['text', 'it must be an object, not "text"'],
    [{}, 'it has no id'],
    [{ ...smallInstance, id: '' }, 'id must not be empty'],
    [{ ...smallInstance, seed: '1' }, 'seed must be a number, not "1"'],
    [{ ...smallInstance, seed: 0.5 }, 'seed must be a whole number, not 0.5'],
    [{ ...smallInstance, n_hops: 1e9 }, 'n_hops must be 1000 or less, not 1000000000'],
    [{ ...smallInstance, min_steps: 0 }, 'min_steps must be 1 or more, not 0'],
    [{ ...smallInstance, chunks: 'many' }, 'chunks must be a list, not "many"'],
    [{ ...smallInstance, chunks: [[]] }, 'it has no chunks.0.idx'],
    [{ ...smallInstance, env: 7 }, 'env must be an object, not 7'],
    [
      { ...smallInstance, compression_required: null },
      'compression_required must be true or false, not null',
    ],
    [
      { ...smallInstance, chunks: [{ ...smallInstance.chunks[0], kind: 'x'.repeat(99) }] },
      `chunks.0.kind must be "register" or "noise", not "${'x'.repeat(39)}…`,
    ],
    [
      { ...smallInstance, distractors: [{ ...smallInstance.distractors[0], wrong_answer: {} }] },
      'distractors.0.wrong_answer must be a text, not an object',
    ],
    [
      { ...smallInstance, chunks: smallInstance.chunks.toReversed() },
      "chunks.0.idx is 6, but must be the chunk's position",
    ],
  ])('%j is refused', (raw, error) => {
    expect(parseInstance(raw)).toEqual({ ok: false, error });
  });
});
