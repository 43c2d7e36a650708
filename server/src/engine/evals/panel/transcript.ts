/** An episode of a run as a transcript, and where in it to look. */
import type { Event } from '../../environments/chat.ts';
import { parseTranscript } from '../../transcripts/parse-transcript.ts';
import { printTranscript } from '../../transcripts/print-transcript.ts';
import type { RunEpisode, RunInfo } from '../run-data.ts';

export interface EpisodeTranscript {
  readonly text: string;
  /** The line, from 0, of the marker of the wanted step; of the first step when none is wanted. */
  readonly line: number;
}

/**
 * @param events everything that was said.
 * @param file that holds the instance, for one that was not generated.
 * @param step to look at, from 1; the one that shows the cause when absent.
 */
export function episodeTranscript(
  info: RunInfo,
  episode: RunEpisode,
  events: readonly Event[],
  file: string | null,
  step: number | null = null,
): EpisodeTranscript {
  const { outcome, instanceId, instanceHash, split, index } = episode;
  const { agent } = info;
  const text = printTranscript({
    environment: info.environment,
    instance: instanceId,
    instanceHash,
    split: file === null ? split : null,
    index: file === null ? index : null,
    instances: file,
    options: info.options,
    prompt: null, // its path was relative to wherever the run was begun, and a hash alone tells nobody anything
    promptHash: null,
    model: agent.kind === 'model' && agent.model !== '' ? agent.model : null,
    policy: agent.kind === 'policy' ? agent.policy : null,
    sampling: agent.kind === 'model' ? agent.sampling : {},
    outcome:
      outcome === null
        ? null
        : {
            reward: outcome.reward,
            correct: outcome.correct,
            stop: outcome.stop,
            steps: outcome.steps,
          },
    events,
  });
  const wanted = step ?? episode.causeStep ?? 1;
  const steps = parseTranscript(text).layout.blocks.filter(({ kind }) => kind === 'step');
  const block = steps[Math.min(Math.max(1, wanted), steps.length) - 1];
  return { text, line: block === undefined ? 0 : lineOf(text, block.start) };
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
