/** What tests of log compression share: records by index, played candidates, and a record small enough to read. */
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { logCompression } from '../../../server/src/engine/environments/log-compression/index.ts';
import type { Instance } from '../../../server/src/engine/environments/log-compression/instance.ts';

type Options = Parameters<typeof logCompression.generate>[2];
type State = ReturnType<typeof logCompression.start>;

/** The record at `index` of `split`. */
export function recordAt(split: string, index: number, options: Options = {}): Instance {
  const made = logCompression.generate(split, index, options);
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

/** Records of a split from the first one on, 200 unless said otherwise. */
export function records(split: string, count = 200, options: Options = {}): readonly Instance[] {
  return Array.from({ length: count }, (_, index) => recordAt(split, index, options));
}

/** The state after `candidate` was replied. */
export function played(instance: Instance, candidate: string): State {
  return logCompression.advance(logCompression.start(instance, {}), reply(candidate));
}

/** The reply of a policy. */
export function replyOf(policy: string, instance: Instance): string {
  const found = logCompression.policies.find(({ id }) => id === policy);
  if (found === undefined) throw new Error(`no policy ${policy}`);
  return found.begin(instance, '0')(logCompression.start(instance, {})).text;
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Three errors, two of which begin alike, one of which is printed twice. */
export const small: Instance = {
  id: 'small',
  split: 'file',
  case: 'req_id',
  raw: [
    'req-a1: GET /tea 200 4ms',
    'req-a2: Error: kettle "blue" is empty',
    'req-a3: worker 7 was started',
    'req-a4: Error: kettle "red" leaks at the handle',
    'req-a5: Error: kettle "blue" is empty',
    'req-a6: fatal: no more water in the house',
    'req-a7: GET /tea 200 5ms',
    'req-a8: worker 8 was started by worker 7 for the tea of the afternoon',
    'req-a9: worker 9 was started by worker 8 for the tea of the evening',
    'req-b1: worker 10 was started by worker 9 for the tea of tomorrow morning',
  ].join('\n'),
  critical: [
    { line: 2, text: 'req-a2: Error: kettle "blue" is empty' },
    { line: 4, text: 'req-a4: Error: kettle "red" leaks at the handle' },
    { line: 5, text: 'req-a5: Error: kettle "blue" is empty' },
    { line: 6, text: 'req-a6: fatal: no more water in the house' },
  ],
  prefix_regex: String.raw`^\s*req-[\w-]+\s*:?\s*`,
  reference_ratio: 0.3,
  ideal_ratio: 0.2193,
};

export const blue = 'Error: kettle "blue" is empty';
export const red = 'Error: kettle "red" leaks at the handle';
export const water = 'fatal: no more water in the house';
