/**
 * What tells the five cases apart: which formats a log mixes, how many lines of each kind it has, and what stands in
 * front of every line. Numbers are ranges, both ends included.
 */
import type { Stream } from '../../random/stream.ts';
import { openstack, spring } from './formats/applications.ts';
import { cargo, docker, gradle, npm } from './formats/builds.ts';
import type { Format } from './formats/format.ts';
import { klog, nginx, systemd } from './formats/services.ts';
import { actions, jest, pytest } from './formats/tests.ts';
import { hex, padded } from './formats/words.ts';
import type { Case } from './instance.ts';

type Range = readonly [least: number, most: number];

export interface Family {
  /** Formats of which a log has one; several lists of them make it a mixture of one from each. */
  readonly formats: readonly (readonly Format[])[];
  readonly errors: Range;
  /** How often each error is printed. */
  readonly repeats: Range;
  readonly noise: Range;
  readonly neutral: Range;
  /** All errors begin with the same word. */
  readonly sameWord?: true;
  /** Every so many-th record has each error once and no neutral lines, which leaves the reference nothing to lose. */
  readonly bareEvery?: number;
  /** Opens a log: the function returned gives what stands in front of each line. */
  prefixes(stream: Stream): () => string;
}

export const FAMILIES: Readonly<Record<Case, Family>> = {
  timestamp: {
    formats: [[klog, systemd, nginx, spring]],
    errors: [2, 4],
    repeats: [6, 12],
    noise: [10, 22],
    neutral: [5, 9],
    prefixes(stream) {
      let ms = stream.between(0, 20 * 3_600_000);
      return () => {
        ms += stream.between(3, 1900);
        return `${clock(ms)}.${padded(ms % 1000, 3)} `;
      };
    },
  },
  req_id: {
    formats: [[openstack, spring]],
    errors: [2, 4],
    repeats: [6, 12],
    noise: [10, 22],
    neutral: [5, 9],
    prefixes: (stream) => () => `req-${hex(stream, 7)}: `,
  },
  line_num: {
    formats: [[npm, cargo, docker, jest]],
    errors: [2, 3],
    repeats: [8, 16],
    noise: [8, 18],
    neutral: [3, 6],
    prefixes(stream) {
      let line = stream.between(0, 300);
      // Some entries go on over several lines, which then have one number.
      return () => `${padded(stream.chance(0.15) ? line : ++line, 4)}: `;
    },
  },
  false_positive: {
    formats: [],
    errors: [6, 10],
    repeats: [1, 2],
    noise: [16, 28],
    neutral: [0, 2],
    sameWord: true,
    bareEvery: 10,
    prefixes: () => () => '',
  },
  mixed_noise: {
    formats: [[actions], [gradle, npm, docker], [pytest, jest, klog]],
    errors: [3, 5],
    repeats: [1, 3],
    noise: [26, 44],
    neutral: [7, 12],
    prefixes(stream) {
      const day = `2025-${padded(stream.between(1, 12), 2)}-${padded(stream.between(1, 28), 2)}`;
      let ms = stream.between(0, 20 * 3_600_000);
      return () => {
        ms += stream.between(1, 900);
        return `${day}T${clock(ms)}.${padded(ms % 1000, 3)}${padded(stream.below(10_000), 4)}Z `;
      };
    },
  },
};

/** The time of day, e.g. `08:02:43`; `ms` counts from midnight and stays below a day. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  return `${padded(hours, 2)}:${padded(Math.floor(seconds / 60) % 60, 2)}:${padded(seconds % 60, 2)}`;
}
