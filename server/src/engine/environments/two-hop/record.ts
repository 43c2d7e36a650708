/** An episode in the figures of the published evaluation, where −1 says that nothing can be said. */
import type { EpisodeRecords } from '../environment.ts';
import type { State } from './state.ts';
import { outcome } from './state.ts';

function rowOf(state: State): Readonly<Record<string, unknown>> {
  const { done, reward } = outcome(state);
  return { done, reward, ...state.answered?.grade };
}

export const record: EpisodeRecords<State> = { step: rowOf, final: rowOf };
