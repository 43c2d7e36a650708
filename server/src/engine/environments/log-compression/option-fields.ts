/** The options of log-compression, described for completion, hover and the documentation page. */
import type { OptionField } from '../option-fields.ts';
import { CASES } from './instance.ts';

export const optionFields: readonly OptionField[] = [
  {
    key: 'cases',
    scope: 'instance',
    type: 'texts',
    values: CASES,
    default: 'all five',
    example: '["timestamp", "false_positive"]',
    description: 'Which families of logs there are; their order is always the published one.',
  },
  {
    key: 'lossy_reference',
    scope: 'instance',
    type: 'boolean',
    default: 'false',
    example: 'true',
    description:
      'Whether the reference is one that merges errors which begin alike. Where there are such it is shorter than anything faithful, so faithful outputs lose against it.',
  },
];
