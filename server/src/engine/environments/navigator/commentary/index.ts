/** What the navigator says about its episodes in an editor. */
import type { Reply } from '../../chat.ts';
import type { Commentary, Note } from '../../commentary.ts';
import { scanAction } from '../action-scan.ts';
import { canonicalAction } from '../actions.ts';
import { rewardOf } from '../reward.ts';
import type { State } from '../state.ts';
import { bestReplies } from './best.ts';
import { complete } from './complete.ts';
import { describeState } from './describe-state.ts';
import { about, references } from './references.ts';
import { reviewNotes } from './review.ts';
import { ruleNotes } from './rules.ts';

export const commentary: Required<Commentary<State>> = {
  gauge: ({ used, settings }) => ({ used, limit: settings.contextCeiling, unit: 'tokens' }),
  held: ({ held }) => held.flatMap(({ kind, id }) => (kind === 'chunk' ? [Number(id)] : [])),
  standing: (state) => ({
    done: state.ended !== null,
    reward: rewardOf(state),
    stop: state.ended ?? 'unfinished',
  }),
  label,
  describe: describeState,
  notes,
  bestReplies,
  references,
  about,
  complete,
};

/** Enough of an answer or a summary for an outline. */
const longestLabel = 60;

function label({ last, notes: made }: State): string {
  if (last === null) return '';
  const { action, error } = last;
  if (action.kind === 'error') return 'no action';
  const whole = canonicalAction({ ...action, text: action.kind === 'COMPRESS' ? null : action.text });
  const short = whole.length > longestLabel ? `${whole.slice(0, longestLabel)}…` : whole;
  if (error !== null) return `${short} (failed)`;
  return action.kind === 'COMPRESS' ? `${short} → ${made.at(-1)?.id}` : short;
}

function notes(before: State, { text }: Reply, after: State): readonly Note[] {
  const scan = scanAction(text);
  if (scan === null) {
    // A blank reply has no parts; what it does to the episode is said about all of it.
    const all = { start: 0, end: text.length };
    const nothing = { code: null, tag: null, ignored: [], action: all, firstWord: all, verb: null } as const;
    const parts = { ...nothing, ids: [], bad: null, lost: [], separator: null, text: null } as const;
    return notesOf({ before, after, text, scan: parts });
  }
  return notesOf({ before, after, text, scan });
}

function notesOf(step: Parameters<typeof ruleNotes>[0]): readonly Note[] {
  return [...ruleNotes(step), ...reviewNotes(step)].sort((a, b) => a.start - b.start);
}
