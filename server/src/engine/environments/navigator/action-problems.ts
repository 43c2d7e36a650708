/** What is wrong with the action of a reply, for the editor: exact ranges, and what to do about it. */
import type { Problem } from '../../problem.ts';
import { nearestName } from '../../text/nearest.ts';
import { type ScannedAction, type Span, scanAction } from './action-scan.ts';
import { type ParseCode, verbs } from './actions.ts';

/**
 * Problems of the reply `start`–`end` of `text`, in text order. There is an error exactly when the reply cannot
 * be played; warnings and infos are about what is silently left out.
 */
export function actionProblems(text: string, start = 0, end: number = text.length): Problem[] {
  const scan = scanAction(text, start, end);
  if (scan === null) return [error('empty-reply', { start, end }, 'The reply is empty: write an action.')];
  const problems = [...ignoredLines(scan), ...leftOutIds(scan, text)];
  if (scan.code !== null) problems.push(refusal(scan, scan.code, text));
  return problems.sort((a, b) => a.start - b.start);
}

type Data = NonNullable<Problem['data']>;

function problem(
  severity: Problem['severity'],
  code: string,
  span: Span,
  message: string,
  data?: Data,
): Problem {
  const { start, end } = span;
  return { code: `action.${code}`, severity, message, start, end, ...(data === undefined ? {} : { data }) };
}

function error(code: string, span: Span, message: string, data?: Data): Problem {
  return problem('error', code, span, message, data);
}

const verbList = 'READ, COMPRESS, DROP or ANSWER';

/** Why the action cannot be played. */
function refusal(scan: ScannedAction, code: ParseCode, text: string): Problem {
  const whole = scan.verb ?? scan.firstWord;
  const verb = scan.verb?.name ?? '';
  switch (code) {
    case 'empty-reply':
      return error(code, scan.action, 'The reply is empty: write an action.');
    case 'unknown-verb':
      return unknownVerb(scan, text);
    case 'no-ids': {
      if (scan.bad === null) return error(code, whole, `${verb} needs an id after it, as in ${verb} 12.`);
      const piece = quote(text, scan.bad);
      return error(
        code,
        scan.bad,
        `${piece} is no id: write a chunk number or a summary id such as S1, nothing attached.`,
      );
    }
    case 'read-needs-chunk': {
      const span = scan.ids[0] ?? whole;
      return error(code, span, `READ loads a chunk by its number; ${quote(text, span)} is a summary.`);
    }
    case 'missing-separator': {
      const end = scan.ids.at(-1)?.end ?? whole.end;
      const span = { start: whole.start, end };
      return error(code, span, 'COMPRESS needs two colons (::) between the ids and the summary.', {
        insertAt: end,
      });
    }
    case 'empty-summary':
      return error(
        code,
        scan.separator ?? whole,
        'The summary is empty: write what is to be kept after the two colons.',
      );
    case 'empty-answer':
      return error(code, whole, 'The answer is empty: write it after ANSWER.');
  }
}

/** Something before or inside the tag that keeps it from being one, such as bold marks or a blank before the colon. */
const almostTag = /^[^\p{L}\p{N}]*ACTION[^\p{L}\p{N}]*:/iu;

function unknownVerb(scan: ScannedAction, text: string): Problem {
  const { tag, action, firstWord } = scan;
  if (tag !== null && action.start === action.end) {
    return error('unknown-verb', tag, `Nothing follows ACTION:. Write ${verbList} after it.`);
  }
  // Only the beginning matters, and a line may be millions of characters long.
  const beginning = text.slice(action.start, Math.min(action.end, action.start + 80));
  if (tag === null && almostTag.test(beginning)) {
    const message =
      'This is not read as ACTION:. The line must begin with that word and a colon, without marks or blanks.';
    return error('unknown-verb', firstWord, message);
  }
  const word = text.slice(firstWord.start, Math.min(firstWord.end, firstWord.start + 40));
  const letters = /^\P{L}*(\p{L}*)/u.exec(word)?.[1] ?? '';
  const guess = nearestName(letters, verbs);
  const known =
    tag === null ? `Write ${verbList}, after ACTION: if the action has several lines.` : `Write ${verbList}.`;
  if (guess === null)
    return error('unknown-verb', firstWord, `No action begins with ${quote(text, firstWord)}. ${known}`);
  const message =
    letters.toUpperCase() === guess
      ? `${quote(text, firstWord)} is not read as ${guess}: the bare word must stand first, with a blank after it.`
      : `No action begins with ${quote(text, firstWord)}. Did you mean ${guess}?`;
  return error('unknown-verb', firstWord, message, { verb: guess });
}

function ignoredLines(scan: ScannedAction): Problem[] {
  const message = 'Only the last ACTION: line of a reply counts: this one is ignored.';
  return scan.ignored.map((span) => problem('warning', 'ignored-line', span, message));
}

/** What people write between two ids when they mean both. */
const connector = /^(?:-|–|—|to|and|or|&|\+|\/|;|\.{2,}|…|through)$/i;

/** Ids that were written but do not count. */
function leftOutIds(scan: ScannedAction, text: string): Problem[] {
  const { verb, ids, bad, lost } = scan;
  const [first] = ids;
  if (verb === null || first === undefined || scan.code !== null) return [];
  if (verb.name === 'READ') {
    const second = ids[1];
    if (second !== undefined) {
      const span = { start: second.start, end: ids.at(-1)?.end ?? second.end };
      return [extraIds(span, first.id ?? '')];
    }
    const meant = bad !== null && connector.test(text.slice(bad.start, Math.min(bad.end, bad.start + 9)));
    const [next] = lost;
    return meant && next !== undefined ? [extraIds({ start: bad.start, end: next.end }, first.id ?? '')] : [];
  }
  if (bad === null) return [];
  const piece = quote(text, bad);
  if (lost.length === 0)
    return [problem('info', 'bad-id', bad, `${piece} is no id: the list of ids ends before it.`)];
  const message = `${piece} is no id, so the list of ids ends before it and ${quote(text, lost[0] ?? bad)} is ignored.`;
  return [problem('warning', 'bad-id', bad, message)];
}

function extraIds(span: Span, first: string): Problem {
  const message = `READ loads one chunk: ${first} is read and the rest is ignored.`;
  return problem('warning', 'extra-ids', span, message);
}

/** A piece of the text as it stands in a sentence; long ones are cut. */
function quote(text: string, { start, end }: Span): string {
  return end - start > 30 ? `"${text.slice(start, start + 30)}…"` : `"${text.slice(start, end)}"`;
}
