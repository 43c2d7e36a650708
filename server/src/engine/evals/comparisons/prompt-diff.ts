/** What changed from one prompt to another. */
import { structuredPatch } from 'diff';

/** A line of a difference. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Lines that changed with some around them; line numbers count from 1. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

/** Unchanged lines that are shown around changed ones. */
const around = 3;

/** How long a difference may take to find, in edits: two prompts without a common line are shown whole instead. */
const mostEdits = 1000;

/** The hunks that lead from `before` to `after`, by lines; none when they are equal. Line ends, and one at the end, do not count. */
export function promptDiff(before: string, after: string): readonly DiffHunk[] {
  const [left, right] = [unixLines(before), unixLines(after)];
  if (left === right) return [];
  const patch = structuredPatch('', '', left, right, '', '', { context: around, maxEditLength: mostEdits });
  if (patch === undefined) return [whole(left, right)];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.flatMap((line): DiffLine[] => {
      const kind = kinds[line.charAt(0)];
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
    }),
  }));
}

function unixLines(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** By the first character of a line. */
const kinds: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '-': 'removed', '+': 'added' };

function whole(before: string, after: string): DiffHunk {
  const lines = (text: string, kind: DiffLine['kind']) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line): DiffLine => ({ kind, text: line }));
  return { oldStart: 1, newStart: 1, lines: [...lines(before, 'removed'), ...lines(after, 'added')] };
}
