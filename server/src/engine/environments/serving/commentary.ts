/** What is said about an episode in an editor. */
import type { Reply } from '../chat.ts';
import type { Commentary, Note } from '../commentary.ts';
import { bulletin } from './bulletin.ts';
import { rewardOf } from './episode.ts';
import { actionText, outcomeLine } from './record.ts';
import type { State } from './state.ts';

/** Enough of a call for an outline. */
const longestLabel = 60;

export const commentary: Commentary<State> = {
  gauge: ({ calls, options }) => ({ used: calls, limit: options.tool_calls, unit: 'tool calls' }),
  label({ turns }) {
    const last = turns.filter(({ reply }) => reply !== null).at(-1);
    const text = last === undefined ? '' : actionText(last);
    return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
  },
  describe: describeState,
  notes: (_before, reply, after) => notesOf(reply, after),
};

function describeState(state: State, privileged: boolean): string {
  const { instance, replies, options, calls, stop, turns } = state;
  const last = turns.at(-1);
  const lines = [
    `${replies} of ${options.turns} replies, ${calls} of ${options.tool_calls} tool calls.`,
    ...(last === undefined || last.observation === ''
      ? []
      : ['', '```', last.observation.replaceAll('```', "'''"), '```']),
    ...(stop === null ? [] : ['', `Ended (${stop}). ${outcomeLine(rewardOf(state))}`]),
    ...(privileged ? ['', `${instance.category} · ${instance.evaluator.slice}`, '', bulletin(instance)] : []),
  ];
  return lines.join('\n');
}

/** Turns that counted for nothing, and calls that were refused. */
function notesOf({ text }: Reply, { turns }: State): readonly Note[] {
  const turn = turns.filter(({ reply }) => reply !== null).at(-1);
  if (turn === undefined) return [];
  const place = { start: 0, end: text.length };
  if (turn.kind === 'invalid') {
    const message = `This reply counted for nothing (${turn.reason}): ${turn.observation}`;
    return [{ code: `serving.${turn.reason.replaceAll('_', '-')}`, severity: 'warning', message, ...place }];
  }
  if (turn.kind === 'tool' && !turn.ok) {
    return [{ code: 'serving.refused-call', severity: 'info', message: turn.observation, ...place }];
  }
  return [];
}
