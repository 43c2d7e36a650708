/** What the codes mean with which validation rejects a record. */
import type { Reason } from '../environment.ts';

/** In the order in which they are reported. */
export const reasons: readonly Reason[] = [
  {
    code: 'no_critical_lines',
    description: 'The record names no critical line, so that nothing can be lost.',
  },
  {
    code: 'line_mismatch',
    description: 'The log has another text than the recorded one at the line of the number after the colon.',
  },
  {
    code: 'empty_content',
    description: 'Nothing is left of the critical line of that number when its prefix is taken off.',
  },
  {
    code: 'prefix_twice',
    description:
      'The content of the critical line of that number begins like a prefix itself, so that an output without the prefix would not be recognised.',
  },
  {
    code: 'white_space',
    description: 'The log holds white space on which Python and JavaScript do not agree.',
  },
  {
    code: 'ideal_ratio_mismatch',
    description: 'The recorded ideal ratio is not that of the critical contents.',
  },
  {
    code: 'reference_ratio_mismatch',
    description: 'The recorded reference ratio is not that of the reference compressor. Own records only.',
  },
  {
    code: 'reference_unfaithful',
    description:
      'The reference compressor loses a critical line. Own records only, unless it is to be lossy.',
  },
  {
    code: 'grader_rejects_ideal',
    description:
      'The ideal output does not pass the grader, or scores neither near 1 nor, where there is no headroom, near 0.',
  },
  {
    code: 'grader_accepts_loss',
    description: 'The grader rewards an output that lacks a critical line.',
  },
  { code: 'grader_rewards_copy', description: 'The grader rewards the log as it is.' },
];
