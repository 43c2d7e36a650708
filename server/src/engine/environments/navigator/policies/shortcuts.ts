/** Privileged policies that are handed what the task is about finding: how much each part of it is worth. */
import { openStream } from '../../../random/stream.ts';
import type { Policy } from '../../environment.ts';
import { answerChunkValues } from '../baselines.ts';
import type { State } from '../episode.ts';
import type { Instance } from '../instance.ts';
import { readThrough } from './questions.ts';
import { say } from './say.ts';

export const singleChunkOracle: Policy<Instance, State> = {
  id: 'single-chunk-oracle',
  description:
    'Is told the answer chunk, but not whose entry counts: reads it and guesses one of its values.',
  privileged: true,
  begin(instance, seed) {
    const stream = openStream('policy', 'single-chunk-oracle', instance.id, seed);
    const chunk = instance.evidence.at(-1)?.chunk_idx ?? 0;
    return (state) => {
      if (state.reads.length === 0) return say('The answer stands in this chunk.', `READ ${chunk}`);
      const values = answerChunkValues(instance);
      const value = values.length === 0 ? 'unknown' : stream.pick(values);
      return say('One of the values in it is the answer.', `ANSWER ${value}`);
    };
  },
};

export const fullDocumentOracle: Policy<Instance, State> = {
  id: 'full-document-oracle',
  description: 'Sees the whole document at once, follows the chain in its text and answers without reading.',
  privileged: true,
  begin: (instance) => () => {
    const answer = readThrough(instance.question, instance.chunks);
    return say('With everything in view the chain is easily followed.', `ANSWER ${answer ?? 'unknown'}`);
  },
};
