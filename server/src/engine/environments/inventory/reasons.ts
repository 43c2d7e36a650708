/** What the codes mean with which the validator rejects an instance, and the generator an attempt. */
import type { Reason } from '../environment.ts';

/** In the order in which they are reported. */
export const reasons: readonly Reason[] = [
  { code: 'no_chunk', description: 'There is no chunk, and so no turn.' },
  {
    code: 'operations_mismatch',
    description: 'The chunk after the colon does not hold exactly the recorded operations in their order.',
  },
  {
    code: 'illegal_operation',
    description: 'The operation after the colon gets what is held, or drops what is not.',
  },
  { code: 'truth_mismatch', description: 'The recorded truth is not what the operations lead to.' },
  {
    code: 'distractor_missing',
    description: 'The distractor after the colon does not stand in its chunk, or is an operation.',
  },
  {
    code: 'key_in_noise',
    description:
      'The noise of the chunk after the colon names a key of the operations, and no distractor says so.',
  },
  {
    code: 'grader_refuses_truth',
    description: 'The grader does not accept the truth in the form after the colon.',
  },
  {
    code: 'grader_accepts_wrong',
    description: 'The grader accepts what is wrong in the way after the colon.',
  },
  { code: 'no_drop', description: 'No operation is a DROP, so that never dropping would do. Attempts only.' },
];
