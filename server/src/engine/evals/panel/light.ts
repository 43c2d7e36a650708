/**
 * Episodes without what was said in them: all that a table and its figures need, so that a run of gigabytes can be held
 * whole. The texts are read again when somebody looks at an episode.
 */
import type { Event } from '../../environments/chat.ts';
import type { StepLine } from '../formats/step-lines.ts';
import type { RunEpisode } from '../run-data.ts';

/** The event without its texts; what became of a reply and what it cost stays to be told. */
function lightEvent(event: Event): Event {
  if (event.kind === 'verdict') return { kind: 'verdict', judge: '', value: null };
  const { text, finish, usage, toolCalls = [] } = event;
  const isSaid = text.trim() !== '' || toolCalls.length > 0;
  return {
    kind: 'reply',
    text: isSaid ? '.' : '',
    ...(finish === undefined ? {} : { finish }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** The episode without its texts. */
export function lightEpisode(episode: RunEpisode): RunEpisode {
  return { ...episode, events: episode.events.map(lightEvent) };
}

/** The line of a run's log without its texts. */
export function lightLine(line: StepLine): StepLine {
  return line.type === 'event' ? { ...line, event: lightEvent(line.event) } : line;
}
