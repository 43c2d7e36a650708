/** What the codes mean with which an instance is found not to be sound. */
import type { Reason } from '../environment.ts';

/** In the order in which they are reported. */
export const reasons: readonly Reason[] = [
  { code: 'answer_refused', description: 'The grader does not take the answer itself for a right one.' },
  { code: 'answer_not_listed', description: 'The answer is not among the answers of its relation.' },
  {
    code: 'prior_not_listed',
    description: 'The most frequent answer is not among the answers of its relation.',
  },
  {
    code: 'person_not_in_question',
    description: 'The person the question is to be about is not named in it.',
  },
  {
    code: 'id_mismatch',
    description: 'The id names another place in the data than domain, relation and row do.',
  },
  {
    code: 'not_as_published',
    description: 'The data have something else in this place. Looked at only where the data are at hand.',
  },
];
