/** What the probes keep of one finished episode. */
import { capturedBy, countWords, isDegenerate, retention } from '../facts.ts';
import { abstains, isCorrect } from '../reward.ts';
import type { State } from '../state.ts';
import { type ReadCounts, sortReads } from './reads.ts';

/** Plain JSON. Counts are of this episode alone. */
export interface ProbeRow {
  readonly stop: string;
  readonly correct: boolean;
  readonly answered: boolean;
  readonly steps: number;
  readonly hops: number;
  /** Fewest reads that give the answer. */
  readonly minReads: number;
  /** Where in the document the chunks of the answer and of the first hop lie, as fifths from 0 to 4; null without evidence. */
  readonly answerFifth: number | null;
  readonly firstFifth: number | null;
  readonly compressions: number;
  readonly degenerate: number;
  readonly summaryWords: number;
  /** Evidence facts that were compressed directly from their chunks, and those that the summaries kept. */
  readonly facts: number;
  readonly factsKept: number;
  /** Answered, but neither right nor an abstention that is allowed. */
  readonly wrong: boolean;
  /** Kind of the distractor that a wrong answer repeats. */
  readonly captured: string | null;
  readonly reads: ReadCounts;
}

/** Position of a chunk in the document as one of this many equal parts. */
export const positionBuckets = 5;

/** The row of an episode that ended in `state`. */
export function probeRow(state: State): ProbeRow {
  const { instance, notes, answer, settings } = state;
  const { evidence, chunks } = instance;
  const fifthOf = (chunk: number | undefined): number | null =>
    chunk === undefined ? null : Math.floor((chunk * positionBuckets) / chunks.length);
  const { kept, total } = retention(state);
  const correct = isCorrect(state);
  const wrong = answer !== null && !correct && !abstains(settings.reward, answer);
  return {
    stop: state.ended ?? 'unfinished',
    correct,
    answered: answer !== null,
    steps: state.steps,
    hops: evidence.length,
    minReads: instance.min_reads,
    answerFifth: fifthOf(evidence.at(-1)?.chunk_idx),
    firstFifth: fifthOf(evidence[0]?.chunk_idx),
    compressions: notes.length,
    degenerate: notes.filter(isDegenerate).length,
    summaryWords: notes.reduce((sum, note) => sum + countWords(note.text), 0),
    facts: total,
    factsKept: kept,
    wrong,
    captured: wrong && answer !== null ? (capturedBy(instance, answer)?.kind ?? null) : null,
    reads: sortReads(instance, state.reads),
  };
}
