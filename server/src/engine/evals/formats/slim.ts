/**
 * Lines and episodes without what was said in them, for figures over large runs: everything that is counted stays as it is,
 * texts of which only the presence counts do not stay in memory.
 */
import type { Event } from '../../environments/chat.ts';
import type { RunEpisode } from '../run-data.ts';
import type { StepLine } from './step-lines.ts';

/** The line with its texts taken out. */
export function slimLine(line: StepLine): StepLine {
  return line.type === 'event' ? { ...line, event: slimEvent(line.event) } : line;
}

/** The episode with its texts taken out. */
export function slimEpisode(episode: RunEpisode): RunEpisode {
  return { ...episode, events: episode.events.map(slimEvent) };
}

function slimEvent(event: Event): Event {
  if (event.kind === 'verdict') return { ...event, value: null };
  const { reasoning: _, toolCalls, ...reply } = event;
  return {
    ...reply,
    text: event.text.trim() === '' ? '' : '…', // whether it is empty is counted
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: '' })) }),
  };
}
