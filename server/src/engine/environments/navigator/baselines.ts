/** How far shortcuts get without playing an episode: what an instance must not give away, and the upper bound. */
import { openStream } from '../../random/stream.ts';
import type { Baseline } from '../environment.ts';
import { answerMatches } from './answers.ts';
import type { Chunk, Instance } from './instance.ts';
import { contentWords, overlap } from './overlap.ts';
import { readThrough, valuesOf } from './policies/questions.ts';

/** What is answered by those who do not even look at the candidates. */
export const fixedGuess = '10000';

export const baselines: readonly Baseline<Instance>[] = [
  {
    id: 'no_read_fixed_guess',
    label: 'fixed guess',
    description: `Nothing is read; the answer is always ${fixedGuess}.`,
    score: (instance) => hit(instance, fixedGuess),
  },
  {
    id: 'no_read_chance',
    label: 'chance',
    description: 'Nothing is read; all candidate answers are known and one is guessed. An expectation.',
    score: ({ candidate_answers: candidates }) => share(candidates.length),
  },
  {
    id: 'single_chunk_oracle_expected',
    label: 'answer chunk, expected',
    description:
      'The answer chunk is given; one of its values of the asked field is guessed. An expectation.',
    score: (instance) => {
      const values = answerChunkValues(instance);
      return share(values.length) * values.filter((value) => hit(instance, value) === 1).length;
    },
  },
  {
    id: 'single_chunk_oracle_sampled',
    label: 'answer chunk, sampled',
    description: 'The same with one guess drawn for each instance.',
    score: (instance, seed) => {
      const values = answerChunkValues(instance);
      if (values.length === 0) return 0;
      return hit(instance, openStream('baseline', 'single-chunk', instance.id, seed).pick(values));
    },
  },
  {
    id: 'single_chunk_top_overlap_contains_answer',
    label: 'likest chunk has answer',
    description:
      'Share of instances in which the chunk most like the question, the first of equals, contains the answer.',
    score: (instance) => (likestChunk(instance)?.text.includes(instance.answer) ? 1 : 0),
  },
  {
    id: 'full_document_oracle',
    label: 'full document',
    description: 'The whole document is read at once and the chain followed in its text.',
    score: (instance) => hit(instance, readThrough(instance.question, instance.chunks)),
  },
];

/** Values of the asked field in the chunk of the last hop, which the instance names. */
export function answerChunkValues({ evidence, chunks, answer_type: field }: Instance): readonly string[] {
  const text = chunks[evidence.at(-1)?.chunk_idx ?? -1]?.text;
  return text === undefined ? [] : valuesOf(field.toLowerCase(), [text]);
}

function likestChunk({ question, chunks }: Instance): Chunk | undefined {
  const words = contentWords(question);
  let likest = chunks[0];
  let most = -1;
  for (const chunk of chunks) {
    const likeness = overlap(words, chunk.text);
    if (likeness <= most) continue;
    likest = chunk;
    most = likeness;
  }
  return likest;
}

function hit(instance: Instance, answer: string | null): number {
  return answerMatches(answer, instance.answer, instance.answer_aliases) ? 1 : 0;
}

/** The chance of one among `count`; 0 if there is none. */
function share(count: number): number {
  return count === 0 ? 0 : 1 / count;
}
