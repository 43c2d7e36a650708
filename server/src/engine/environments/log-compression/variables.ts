/** What step prompts for log-compression may use. */
import type { Variable } from '../variables.ts';

const lineItems: readonly Variable[] = [
  { name: 'number', type: 'number', description: 'The line’s number, from 1.', example: '12' },
  { name: 'text', type: 'text', description: 'The line as it was printed.', example: '08:02:43.511 …' },
];

export const variables: readonly Variable[] = [
  {
    name: 'log',
    type: 'text',
    description: 'The log to compress, all of it.',
    example: '08:02:43.511 …',
    required: true,
    alternatives: ['lines'],
  },
  {
    name: 'lines',
    type: 'list',
    description: 'The same line by line.',
    example: '47 lines',
    items: lineItems,
  },
  { name: 'n_lines', type: 'number', description: 'How many lines the log has.', example: '47' },
  {
    name: 'log_tokens',
    type: 'number',
    description: 'The log’s size as the score counts it: a quarter of its characters.',
    example: '958',
  },
  {
    name: 'case',
    type: 'text',
    description: 'The family that the log belongs to.',
    example: 'timestamp',
    privileged: true,
  },
  {
    name: 'critical',
    type: 'list',
    description: 'What must not be lost: the contents of the critical lines, each once.',
    example: '3 lines',
    privileged: true,
  },
  {
    name: 'prefix_regex',
    type: 'text',
    description: 'What is taken off the beginning of lines before they are compared.',
    example: '^\\s*req-[\\w-]+',
    privileged: true,
  },
  {
    name: 'reference_ratio',
    type: 'number',
    description: 'The ratio of the reference compressor, which scores 0.',
    example: '0.2',
    privileged: true,
  },
];
