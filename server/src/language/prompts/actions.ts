/**
 * `ACTION:` lines that a step prompt shows as examples. Each such line is checked by itself, since a prompt is not a
 * reply: what follows an example is prose. Placeholders stand for whatever the agent will write there.
 */
import type { Problem } from '../../engine/problem.ts';

/** Problems of a whole reply, as an environment finds them. */
export type ReplyCheck = (reply: string) => readonly Problem[];

/** A line of a prompt that an agent could send as its action. Inline code starts with a back-tick and is none. */
const EXAMPLE = /^[ \t]*ACTION:[^\r\n]*/gim;

/** `<id>`, `‹summary›`, `{{held}}`, `[ids…]` with nothing but an ellipsis or a word in the brackets. */
const PLACEHOLDER = /\{\{[^\r\n]*?\}\}\}?|<[^<>\r\n]+>|‹[^‹›\r\n]+›|\[[^\W\d][^[\]\r\n]*\]/g;

/** A verb that is itself left open: such a line shows a form, not an action. */
const OPEN_VERB = /^[ \t]*ACTION:[ \t]*(?:\{\{|[<‹[(]|…|\.\.\.|$)/i;

/** Malformed example actions of the prompt `text`, in text order. */
export function promptActionProblems(text: string, check: ReplyCheck): Problem[] {
  const problems: Problem[] = [];
  for (const match of text.matchAll(EXAMPLE)) {
    if (OPEN_VERB.test(match[0])) continue;
    for (const problem of lineProblems(match[0], match.index, check)) problems.push(problem);
  }
  return problems;
}

/** Problems of one line that starts at `offset` of the prompt. */
function lineProblems(line: string, offset: number, check: ReplyCheck): readonly Problem[] {
  // A digit is both an id and a text, so it fits wherever a placeholder may stand; lengths stay, and so do ranges.
  const filled = line.replace(PLACEHOLDER, (placeholder) => '1'.repeat(placeholder.length));
  const problems: Problem[] = [];
  for (const problem of check(filled)) {
    const { start, end, severity, code } = problem;
    // That something else is missing is true of a whole reply only.
    if (!code.startsWith('action.')) continue;
    const written = line.slice(start, end);
    const touchesPlaceholder = filled.slice(start, end) !== written;
    // Whether a placeholder means one id, several or a text is anybody's guess, so nothing is advised about it.
    if (touchesPlaceholder && severity !== 'error') continue;
    const message = problem.message.replaceAll(`"${filled.slice(start, end)}"`, () => `"${written}"`);
    problems.push({ ...problem, message, start: start + offset, end: end + offset });
  }
  return problems;
}
