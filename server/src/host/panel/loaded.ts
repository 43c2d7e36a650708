/** An episode that somebody looks at: what was said in it, and played again where its instance is to be had. */

import type { Explanation } from '../../engine/environments/commentary.ts';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { stepsOfResult, stepsOfTrace } from '../../engine/evals/panel/conversation.ts';
import { type FullStep, playedSteps, readSteps, saidSteps } from '../../engine/evals/panel/steps.ts';
import { type Asker, openAsker } from '../../engine/evals/responder.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { preparePrompt } from '../../engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../engine/prompts/step-prompt.ts';
import { clip } from '../../engine/text/clip.ts';
import { Failure } from '../failure.ts';
import { openRunInstances, type RunInstances } from '../run-instances.ts';
import type { Said } from './run-reader.ts';
import type { RunSession } from './session.ts';

export interface LoadedEpisode {
  readonly steps: readonly FullStep[];
  readonly explanation: Explanation | null;
  /** Why it could not be played again, as a sentence; null when it was. */
  readonly unplayed: string | null;
}

/** Episodes through all their states. */
export interface Player {
  readonly environment: Environment;
  /** Null when the episode cannot be played again. */
  states(
    episode: RunEpisode,
    said: Said,
  ): Promise<{ readonly instance: AnyInstance; readonly states: readonly unknown[] } | null>;
}

/** What plays the episodes of a run again; null when this version cannot. */
export async function openPlayer({ reader }: RunSession): Promise<Player | null> {
  let instances: RunInstances;
  try {
    instances = await openRunInstances({ info: reader.info, episodes: [] }, [], () => undefined);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
  return {
    environment: instances.environment,
    async states(episode, { events }) {
      const refolded = await instances.refold({ ...episode, events });
      return refolded.ok ? refolded.value : null;
    },
  };
}

/** Asks in the words of the run's prompt; null where it has none. */
function askerOf({ reader }: RunSession, environment: Environment): Asker<unknown> | null {
  const { prompt } = reader.info;
  if (prompt === null) return null;
  return openAsker(environment, preparePrompt(parseStepPrompt(prompt.text).prompt));
}

/** @throws Failure when what was said cannot be read. */
export async function loadEpisode(
  session: RunSession,
  player: Player | null,
  task: number,
): Promise<LoadedEpisode> {
  const episode = session.episode(task);
  const said = await session.reader.said(task);
  const read = stepsAsRead(session, said);
  const played = (await player?.states(episode, said)) ?? null;
  if (player === null || played === null) {
    const why = `The instance ${clip(episode.instanceId, 120)} is not to be had as it was, so steps are shown without what they did.`;
    return { steps: read, explanation: null, unplayed: why };
  }
  const { environment } = player;
  const { states } = played;
  const ask = askerOf(session, environment);
  const steps = playedSteps(environment, states, said.events, ask, said.costs);
  return {
    // What was really asked stands in lines of other programs.
    steps: steps.map((step, at) => ({ ...step, asked: ask === null ? (read[at]?.asked ?? []) : step.asked })),
    explanation: environment.explain?.(states) ?? null,
    unplayed: null,
  };
}

function stepsAsRead({ reader }: RunSession, { events, costs, line }: Said): readonly FullStep[] {
  const { format } = reader.place;
  if (format === 'hopscope' || format === 'stream') return saidSteps(events, costs);
  return readSteps(format === 'traces' ? stepsOfTrace(line) : stepsOfResult(line));
}
