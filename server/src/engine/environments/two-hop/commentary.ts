/** What two-hop says about its episodes in an editor. */
import { clip } from '../../text/clip.ts';
import { named } from '../../text/visible.ts';
import type { Reply } from '../chat.ts';
import type { Commentary, Note } from '../commentary.ts';
import { describeState } from './describe.ts';
import { grade, otherAnswers, placeOfName } from './grade.ts';
import type { State } from './state.ts';

/** Enough of a reply for an outline. */
const longestLabel = 60;

export const commentary: Commentary<State> = {
  label({ answered }) {
    if (answered === null) return '';
    const text = answered.reply.replace(/\s+/g, ' ').trim();
    return text === '' ? 'blank' : clip(text, longestLabel);
  },
  describe: describeState,
  notes: (before, reply) => notesOf(before, reply),
  bestReplies: ({ instance, answered }) => (answered === null ? [bestReply(instance)] : []),
  complete({ instance, answered }, text, _offset, privileged) {
    if (answered !== null || !privileged) return [];
    return instance.answers.map((answer) => ({
      kind: 'text',
      label: answer,
      detail: answer === instance.answer ? 'the answer' : 'another answer of the relation',
      documentation: '',
      filter: answer,
      insert: answer,
      start: 0,
      end: text.length,
    }));
  },
};

function bestReply({ split, bridge, answer }: State['instance']): string {
  return split === 'cot' && bridge !== null ? `${bridge}: ${answer}` : answer;
}

/** What the figures do not say by themselves: why a reply scores as it does. */
function notesOf({ instance }: State, { text, finish }: Reply): readonly Note[] {
  const figures = grade(instance, text);
  const all = { start: 0, end: text.length };
  const lower = text.toLowerCase();
  const notes: Note[] = [];
  const note = (code: string, severity: Note['severity'], message: string, place = all) =>
    notes.push({ code: `two-hop.${code}`, severity, message, ...place, privileged: true });
  /** The same offsets only where lower case takes as many code units. */
  const placeOf = (name: string, at: number) =>
    at < 0 || lower.length !== text.length ? all : { start: at, end: at + name.length };

  if (figures.answered === 0) {
    notes.push({
      code: 'two-hop.blank',
      severity: 'warning',
      message: 'A blank reply is never right.',
      ...all,
    });
  }
  if (finish === 'length') {
    const message = 'The output limit cut this reply off.';
    notes.push({ code: 'two-hop.cut-off', severity: 'warning', message, ...all });
  }
  const others = otherAnswers(instance, text);
  for (const other of others.slice(0, shownOthers)) {
    const name = other.toLowerCase();
    const message = `${named(other)} is another answer of the relation.`;
    note(
      'other-answer',
      figures.correct === 1 ? 'info' : 'warning',
      message,
      placeOf(name, placeOfName(lower, name)),
    );
  }
  const gold = instance.answer.toLowerCase();
  if (figures.correct === 1 && placeOfName(lower, gold) < 0) {
    const message = `This counts as correct only because ${named(instance.answer)} stands inside of another word.`;
    note('inside-word', 'info', message, placeOf(gold, lower.indexOf(gold)));
  }
  if (figures.correct === 1 && others.length > 1) {
    note(
      'enumerated',
      'warning',
      `Correct, but it names ${others.length} other answers of the relation, too.`,
    );
  }
  return notes.sort((a, b) => a.start - b.start);
}

/** A reply that enumerates is one thing to say, not dozens. */
const shownOthers = 5;
