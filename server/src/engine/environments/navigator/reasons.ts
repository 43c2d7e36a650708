/** What the codes mean with which the validator rejects an instance, and the generator an attempt. */
import type { Reason } from '../environment.ts';

/** In the order in which they are reported. */
export const reasons: readonly Reason[] = [
  {
    code: 'evidence_missing',
    description: 'The chunk of a hop (named after the colon) does not hold its entity and its value.',
  },
  {
    code: 'unreachable',
    description: 'Following the question through the text does not end at the recorded answer.',
  },
  {
    code: 'evidence_path_mismatch',
    description: 'Following the question goes through other chunks than those recorded as evidence.',
  },
  { code: 'co_located', description: 'Two hops have their evidence in the same chunk.' },
  { code: 'separation', description: 'The evidence of two hops stands closer together than is allowed.' },
  {
    code: 'distractor_reaches_answer',
    description: 'A distractor of the kind after the colon offers the right answer, or leads to it.',
  },
  {
    code: 'superseded_path_reaches_answer',
    description: 'Following the superseded statement of a hop ends at the right answer.',
  },
  {
    code: 'near_miss_path_reaches_answer',
    description: 'Following the twin of a hop ends at the right answer.',
  },
  {
    code: 'answer_not_unique',
    description: 'The document states the answer as often as the number after the colon says, not once.',
  },
  {
    code: 'anchor_in_answer_chunk',
    description: 'The chunk that holds the answer names the entity of the question, too.',
  },
  {
    code: 'answer_chunk_is_top_overlap',
    description: 'No other chunk shares as many words with the question as the one that holds the answer.',
  },
  {
    code: 'unsolvable_under_ceiling',
    description: 'The evidence cannot be read one chunk after the other without breaking the ceiling.',
  },
  {
    code: 'min_steps_mismatch',
    description: 'The recorded fewest steps, or whether compression is needed, are not what they should be.',
  },
  {
    code: 'name_space_exhausted',
    description: 'There are not enough names for all entities of so large a document. Attempts only.',
  },
  {
    code: 'no_free_chunk',
    description: 'A register has no chunk left in which no other hop of the chain is. Attempts only.',
  },
  {
    code: 'value_space_exhausted',
    description:
      'No room is left in the range of an attribute for one more cluster of near values. Attempts only.',
  },
  {
    code: 'chunk_overflow',
    description: 'The entries of a chunk take more tokens than a chunk may have. Attempts only.',
  },
];
