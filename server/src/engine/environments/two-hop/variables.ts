/** What step prompts for two-hop may use: the values of an observation, described for completion and hover. */
import type { Variable } from '../variables.ts';

export const variables: readonly Variable[] = [
  {
    name: 'question',
    type: 'text',
    description: 'The question to answer: the user message of the data.',
    example: 'Consider the lighthouse where Nora Quist works. In which county is it located?',
    required: true,
  },
  {
    name: 'system',
    type: 'text',
    description: 'The system message of the data: how to answer, with or without reasoning.',
    example: 'Give the county and nothing else.',
  },
  { name: 'domain', type: 'text', description: 'What the bridge entity is one of.', example: 'lighthouses' },
  { name: 'relation', type: 'text', description: 'What is asked of the bridge entity.', example: 'county' },
  {
    name: 'condition',
    type: 'text',
    description: 'The split: nocot, cot or nocot_shuffled.',
    example: 'nocot',
  },
  { name: 'is_cot', type: 'boolean', description: 'Reasoning comes before the answer.', example: 'false' },
  { name: 'is_nocot', type: 'boolean', description: 'The answer is to come at once.', example: 'true' },
  {
    name: 'person',
    type: 'text',
    description: 'Whom the question is about; empty when it has a shape that is not known.',
    example: 'Nora Quist',
  },
  {
    name: 'answer',
    type: 'text',
    description: 'The right answer: the assistant message of the data.',
    example: 'Kerry',
    privileged: true,
  },
  {
    name: 'bridge',
    type: 'text',
    description: 'The entity in between; empty when no fact says what it is.',
    example: 'Skellig Light',
    privileged: true,
  },
  {
    name: 'answers',
    type: 'list',
    description: 'All answers of the relation.',
    example: 'Cork, Kerry, Mayo',
    privileged: true,
  },
  {
    name: 'prior',
    type: 'text',
    description: 'The most frequent answer of the relation.',
    example: 'Cork',
    privileged: true,
  },
  {
    name: 'hazards',
    type: 'list',
    description: 'Why a score on this question may mean less than it seems, a sentence each.',
    example: 'The answer is a part of the question: repeating the question is scored as correct.',
    privileged: true,
  },
];
