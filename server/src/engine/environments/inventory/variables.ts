/** What step prompts may use: the values of an observation, described for completion and hover. */
import type { Variable } from '../variables.ts';

export const variables: readonly Variable[] = [
  { name: 'turn', type: 'number', description: 'Number of the chunk that is shown, from 1.', example: '3' },
  { name: 'n_chunks', type: 'number', description: 'How many chunks there are, one a turn.', example: '10' },
  { name: 'turns_left', type: 'number', description: 'Chunks that come after this one.', example: '7' },
  {
    name: 'is_first_turn',
    type: 'boolean',
    description: 'It is the first chunk: nothing is carried yet.',
    example: 'false',
  },
  {
    name: 'is_last_turn',
    type: 'boolean',
    description: 'It is the last chunk: what is reported now is scored.',
    example: 'false',
  },
  {
    name: 'chunk',
    type: 'text',
    description: 'The chunk: noise words, with operations between them.',
    example: 'later quiet [GET: mossy-urn] harbour …',
    required: true,
  },
  {
    name: 'carried',
    type: 'list',
    description: 'What the last reply reported, item by item: all that is known of earlier turns.',
    example: 'mossy-urn, teal-lute',
    required: true,
    alternatives: ['carried_text'],
  },
  {
    name: 'carried_text',
    type: 'text',
    description: 'The same as one ready-made text, `(empty)` when nothing is carried.',
    example: 'mossy-urn, teal-lute',
    required: true,
    alternatives: ['carried'],
  },
  { name: 'carried_count', type: 'number', description: 'How many items are carried.', example: '2' },
  { name: 'is_empty', type: 'boolean', description: 'Nothing is carried.', example: 'false' },
  {
    name: 'operations',
    type: 'list',
    description: 'The operations of this chunk, in order.',
    example: '1 item',
    privileged: true,
    items: [
      { name: 'kind', type: 'text', description: 'GET or DROP.', example: 'GET' },
      { name: 'key', type: 'text', description: 'What it is done with.', example: 'mossy-urn' },
    ],
  },
  {
    name: 'truth',
    type: 'list',
    description: 'What should be reported in this turn, item by item.',
    example: 'mossy-urn, teal-lute',
    privileged: true,
  },
  {
    name: 'truth_text',
    type: 'text',
    description: 'The same as one ready-made text, `(empty)` when nothing is held.',
    example: 'mossy-urn, teal-lute',
    privileged: true,
  },
];
