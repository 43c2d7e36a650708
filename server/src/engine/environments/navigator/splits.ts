/** The published splits and the settings that every published instance was made with. */
import type { Split } from '../environment.ts';
import type { GeneratorRecord } from './instance.ts';

export interface NavigatorSplit extends Split {
  /** Hop counts, each with the same chance. */
  readonly hops: readonly number[];
  /** Document sizes aimed at, in tokens, each with the same chance. */
  readonly docTokens: readonly number[];
}

export const splits: readonly NavigatorSplit[] = [
  {
    id: 'train',
    size: 2000,
    test: false,
    description: '2 or 3 hops in 32k tokens, to iterate on',
    hops: [2, 3],
    docTokens: [32_000],
  },
  {
    id: 'id_test',
    size: 300,
    test: true,
    description: '2 or 3 hops in 32k tokens, held out',
    hops: [2, 3],
    docTokens: [32_000],
  },
  {
    id: 'ood_test',
    size: 300,
    test: true,
    description: '4 or 5 hops in 32k tokens: longer chains than in train',
    hops: [4, 5],
    docTokens: [32_000],
  },
  {
    id: 'scale_test',
    size: 150,
    test: true,
    description: '3 hops in 32k, 64k or 128k tokens: larger documents than in train',
    hops: [3],
    docTokens: [32_000, 64_000, 128_000],
  },
];

/** Settings of the published generator, without the attempt that was accepted. */
export const generatorSettings: Omit<GeneratorRecord, 'attempts'> = {
  chunk_min_tokens: 320,
  chunk_max_tokens: 480,
  entries_per_chunk_min: 4,
  entries_per_chunk_max: 7,
  min_separation: 1200,
  n_distractors: 1,
  superseded_prob: 0.6,
  near_miss_value_spread: 0.05,
  noise_ratio: 0.3,
  confound_tolerance: 0.06,
  max_regeneration_attempts: 50,
  tokenizer: 'whitespace',
};
