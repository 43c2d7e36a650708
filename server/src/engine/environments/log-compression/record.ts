/** An episode as flat rows: what `replay` prints. Names are those of the published score. */
import type { EpisodeRecords } from '../environment.ts';
import { scoreOf } from './scored.ts';
import type { State } from './state.ts';

function row(state: State): Readonly<Record<string, unknown>> {
  const score = scoreOf(state);
  if (score === null) return { done: false };
  return {
    done: true,
    gate: score.missing.length === 0,
    missing: score.missing,
    raw_tokens: score.rawTokens,
    candidate_tokens: score.candidateTokens,
    ratio: score.ratio,
    reference_ratio: state.instance.reference_ratio,
    ideal_ratio: state.instance.ideal_ratio,
    branch: score.branch,
    span: score.span,
    score: score.score,
    reward: score.reward,
  };
}

/** The one step says all there is. */
export const records: EpisodeRecords<State> = { step: row, final: row };
