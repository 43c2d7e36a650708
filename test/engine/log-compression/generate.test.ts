/** The records we make: always the same, of the published make-up, and none of them a trap for the reference. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  collapse,
  missingContents,
} from '../../../server/src/engine/environments/log-compression/fidelity.ts';
import * as applications from '../../../server/src/engine/environments/log-compression/formats/applications.ts';
import * as builds from '../../../server/src/engine/environments/log-compression/formats/builds.ts';
import { SAME_WORDS } from '../../../server/src/engine/environments/log-compression/formats/same-word.ts';
import * as services from '../../../server/src/engine/environments/log-compression/formats/services.ts';
import * as testRunners from '../../../server/src/engine/environments/log-compression/formats/tests.ts';
import { logCompression } from '../../../server/src/engine/environments/log-compression/index.ts';
import { CASES } from '../../../server/src/engine/environments/log-compression/instance.ts';
import { NOISE, PREFIX, SIGNAL } from '../../../server/src/engine/environments/log-compression/patterns.ts';
import { compress, firstWord } from '../../../server/src/engine/environments/log-compression/reference.ts';
import { estimateTokens } from '../../../server/src/engine/environments/log-compression/scoring.ts';
import { openStream } from '../../../server/src/engine/random/stream.ts';
import { recordAt, records } from './kit.ts';

/** Bytes that may change only together with the generator version. */
const sums: Readonly<Record<string, string>> = {
  train: '5e09f1fc982fa6a830566f358485f8c2c7cedc009a6df2e515665bd903f2626f',
  test: '7a2d19ba247ba74e3c838a341bfb0cbb545a4b0103e31bae1d9387ae205b3843',
};

describe.each(['train', 'test'])('split %s', (split) => {
  const all = records(split);

  it('has the bytes it always had', () => {
    const hash = createHash('sha256');
    for (const record of all) hash.update(`${JSON.stringify(record)}\n`);
    expect(hash.digest('hex')).toBe(sums[split]);
  });

  it('has forty records of each case, in the published order, each with its own id and log', () => {
    expect(all.map((record) => record.case)).toEqual(CASES.flatMap((name) => Array(40).fill(name)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(200);
    expect(new Set(all.map(({ raw }) => raw)).size).toBe(200);
  });

  it('has logs of the published sizes', () => {
    const lines = all.map(({ raw }) => raw.split('\n').length);
    const tokens = all.map(({ raw }) => estimateTokens(raw));
    expect([Math.min(...lines), Math.max(...lines)]).toEqual([
      expect.toSatisfy((n) => n >= 18),
      expect.toSatisfy((n) => n <= 80),
    ]);
    expect(Math.min(...tokens)).toBeGreaterThan(200);
    expect(Math.max(...tokens)).toBeLessThan(1500);
  });

  it('is sound', () => {
    expect(all.flatMap((record) => logCompression.validate(record, {}))).toEqual([]);
  });
});

it('shares no log between the splits', () => {
  const train = new Set(records('train').map(({ raw }) => raw));
  expect(records('test').filter(({ raw }) => train.has(raw))).toEqual([]);
});

it.each([false, true])(
  'records the ratio of the reference compressor, which knows nothing of the record (lossy: %s)',
  (lossy_reference) => {
    for (let index = 0; index < 1200; index++) {
      const { id, raw, reference_ratio } = recordAt('train', index * 7, { lossy_reference });
      const output = compress(raw, { lossy: lossy_reference });
      expect([id, estimateTokens(output) / estimateTokens(raw)]).toEqual([id, reference_ratio]);
    }
  },
);

it('makes no record whose reference loses a line', () => {
  for (let index = 200; index < 2200; index++) {
    const record = recordAt('test', index);
    expect([record.id, missingContents(record, compress(record.raw))]).toEqual([record.id, []]);
  }
});

it('makes the same record whichever cases are chosen', () => {
  const some = logCompression.parseOptions({ cases: ['mixed_noise', 'req_id'] });
  if (!some.ok) throw new Error(some.error);
  expect(logCompression.sizeOf?.('train', some.value)).toBe(80);
  const chosen = records('train', 80, some.value);
  const all = records('train');
  expect(chosen).toEqual([...all.slice(40, 80), ...all.slice(160, 200)]);
  expect(recordAt('train', 80, some.value)).toEqual(recordAt('train', 240));
});

it('lists and locates what it makes', () => {
  for (const lossy_reference of [undefined, true]) {
    for (const index of [0, 39, 40, 199, 200, 399, 12_345, 999_999_799]) {
      const options = lossy_reference === undefined ? {} : { lossy_reference };
      const record = recordAt('train', index, options);
      expect(logCompression.listing?.('train', index, options)).toEqual({
        ok: true,
        value: { id: record.id, groups: { case: record.case } },
      });
      expect(logCompression.locate?.(record.id)).toEqual({ split: 'train', index, options });
      expect(logCompression.origin?.(record)).toBe('hopscope 1');
    }
  }
});

it.each([
  'hs2-logs-train-req_id-1',
  'hs1-logs-train-req_id-01',
  'hs1-logs-train-req_id-1-',
  'hs1-logs-train-reqid-1',
  'hs1-logs-train-req_id-999999999',
  'hs1-train-1',
  'small',
  '',
])('does not take %s for an id of its own', (id) => {
  expect(logCompression.locate?.(id)).toBeNull();
});

it.each([
  ['nowhere', 0, 'there is no split "nowhere"'],
  ['train', -1, 'index -1 is out of range'],
  ['train', 0.5, 'index 0.5 is out of range'],
  ['train', 1e9, 'index 1000000000 is out of range'],
])('refuses %s %s', (split, index, error) => {
  expect(logCompression.generate(split, index, {})).toEqual({
    ok: false,
    error: expect.stringContaining(error),
  });
});

describe('what programs write', () => {
  const formats = [applications, builds, services, testRunners].flatMap((module) =>
    Object.values(module).flatMap((it) => (typeof it === 'object' ? [it] : [])),
  );
  const stream = openStream('lines of the formats');
  const draw = (makers: readonly ((s: typeof stream) => string)[]) =>
    makers.flatMap((make) => Array.from({ length: 300 }, () => make(stream)));

  it('comes in all the formats that there are to be', () => {
    const ids = 'spring openstack npm cargo gradle docker nginx systemd klog pytest jest actions'.split(' ');
    expect(formats.map(({ id }) => id)).toEqual(ids);
  });

  it.each(formats)('as $id: the reference tells errors, noise and the rest apart', (format) => {
    const errors = [...draw(format.errors), ...draw(format.decoys)];
    expect(errors.filter((line) => !SIGNAL.test(line))).toEqual([]);
    expect(draw(format.noise).filter((line) => SIGNAL.test(line) || !NOISE.test(line))).toEqual([]);
    expect(draw(format.neutral).filter((line) => SIGNAL.test(line) || NOISE.test(line))).toEqual([]);
  });

  it.each(formats)('as $id: nothing but noise needs white space or begins like a prefix', (format) => {
    const lines = draw([...format.errors, ...format.decoys, ...format.neutral]);
    expect(lines.filter((line) => collapse(line) !== line || PREFIX.test(line))).toEqual([]);
  });

  it.each(SAME_WORDS.map((it, at) => [at, it] as const))('errors that begin alike, %s', (_, { errors }) => {
    const lines = draw(errors);
    expect(new Set(lines.map(firstWord)).size).toBe(1);
    expect(lines.filter((line) => !SIGNAL.test(line) || collapse(line) !== line)).toEqual([]);
  });
});
