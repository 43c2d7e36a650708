/** The options, described for completion, hover and the documentation page. */
import type { OptionField } from '../option-fields.ts';
import { defaults, ranges, usualEpisodes } from './options.ts';

const bounds = ([min, max]: readonly [number, number]) => ({ min, max });

export const optionFields: readonly OptionField[] = [
  {
    key: 'n_chunks',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.n_chunks),
    default: String(defaults.n_chunks),
    example: '5',
    description: 'Chunks of an instance, one for each turn; at most 2,000,000 noise words in all.',
  },
  {
    key: 'chunk_size',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.chunk_size),
    default: String(defaults.chunk_size),
    example: '200',
    description: 'Noise words in each chunk; operations and distractors come on top.',
  },
  {
    key: 'n_ops',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.n_ops),
    default: String(defaults.n_ops),
    example: '12',
    description: 'Operations in all chunks together; with 0 the inventory stays empty.',
  },
  {
    key: 'seed',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.seed),
    default: String(defaults.seed),
    example: '7',
    description: 'Other instances in every split.',
  },
  {
    key: 'distractors',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.distractors),
    default: String(defaults.distractors),
    example: '6',
    description:
      'Keys in the noise, and tags in lower-case letters, in all chunks together: neither is an operation.',
  },
  {
    key: 'max_episodes',
    scope: 'instance',
    type: 'integer',
    ...bounds(ranges.max_episodes),
    default: `${usualEpisodes}, and fresh ones beyond`,
    example: '20',
    description: 'Instances of a split; there are none beyond.',
  },
  {
    key: 'answer_block',
    scope: 'episode',
    type: 'text',
    values: ['last', 'first'],
    default: defaults.answer_block,
    example: 'first',
    description: 'Which complete answer block of a reply is read when there are several.',
  },
];
