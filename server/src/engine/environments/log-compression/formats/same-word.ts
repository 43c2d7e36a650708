/** Errors that all begin with the same word, so that a compressor which groups lines by it takes them for one. */

import { spring } from './applications.ts';
import { cargo, npm } from './builds.ts';
import type { Format, LineMaker } from './format.ts';
import { jest, pytest } from './tests.ts';
import { address, hex, noun, path, service, typeName } from './words.ts';

/** A record's errors, with the format whose other lines stand between them. */
export interface SameWord {
  readonly format: Format;
  readonly errors: readonly LineMaker[];
}

export const SAME_WORDS: readonly SameWord[] = [
  {
    format: pytest,
    errors: [
      (s) => `FAILED tests/${path(s)}.py::test_${noun(s)}_${s.between(2, 40)} - AssertionError`,
      (s) => `FAILED tests/${path(s)}.py::test_${noun(s)} - KeyError: '${noun(s)}'`,
      (s) => `FAILED tests/${path(s)}.py::test_empty_${noun(s)} - TypeError`,
      (s) => `FAILED tests/${path(s)}.py::test_${noun(s)}[${s.between(2, 40)}]`,
    ],
  },
  {
    format: jest,
    errors: [
      (s) => `Error: cannot open file src/${path(s)}.ts`,
      (s) => `Error: timeout of ${s.between(2, 9)}000 ms exceeded while loading ${noun(s)}`,
      (s) => `Error: listen EADDRINUSE: ${address(s)}:${s.between(3000, 9000)}`,
      (s) => `Error: ${noun(s)} of ${service(s)} must not be empty`,
      (s) => `Error: unexpected status ${s.between(500, 511)} from ${service(s)}/${noun(s)}`,
    ],
  },
  {
    format: spring,
    errors: [
      (s) => `ERROR ${service(s)}.${typeName(s)}Store: row ${s.between(1000, 9999)} violates ${noun(s)}_key`,
      (s) => `ERROR ${service(s)}.Mailer: message to ${noun(s)} bounced`,
      (s) => `ERROR ${service(s)}.Gateway: ${address(s)} hung up`,
      (s) => `ERROR ${service(s)}.Scheduler: run of ${noun(s)} skipped`,
    ],
  },
  {
    format: cargo,
    errors: [
      (s) => `error: cannot find macro \`${noun(s)}\` in src/${path(s)}.rs:${s.between(10, 400)}`,
      (s) => `error: linking with \`cc\` failed: exit status: ${s.between(1, 9)} (${service(s)})`,
      (s) => `error: unused result of \`${noun(s)}\`, src/${path(s)}.rs`,
      (s) => `error: could not compile \`${service(s)}-${noun(s)}\` (lib)`,
    ],
  },
  {
    format: npm,
    errors: [
      (s) => `ERR! code E${s.pick([401, 403, 404, 409])} for @${service(s)}/${noun(s)}`,
      (s) => `ERR! peer ${noun(s)}@"^${s.between(2, 19)}.0.0" from ${service(s)}-ui`,
      (s) => `ERR! command sh -c node build/${noun(s)}.js in /srv/${service(s)}`,
      (s) => `ERR! integrity check of ${noun(s)}-${hex(s, 6)}.tgz in ${service(s)}`,
    ],
  },
];
