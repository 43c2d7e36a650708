/** Cuts a transcript at its marker lines. */
import type { Problem } from '../problem.ts';
import type { Line } from '../prompts/lines.ts';
import { nearestName } from '../text/nearest.ts';
import { isReservedLine, type Marker, markerWords, parseMarker } from './marker.ts';
import { withoutBlankLines } from './text.ts';

/** A marker line with the lines below it, up to the next one. */
export interface Section {
  readonly marker: Marker;
  readonly line: Line;
  readonly body: readonly Line[];
}

/**
 * The sections in `lines` of `file`. Text before the first marker is reported (`transcript.text-before-step`),
 * and so are lines that look like markers and are none (`transcript.unknown-marker`).
 */
export function splitSections(file: string, lines: readonly Line[], problems: Problem[]): Section[] {
  const markers: { marker: Marker; line: Line; index: number }[] = [];
  for (const [index, line] of lines.entries()) {
    // Most lines are text: they are told apart by their first letters.
    if (!file.startsWith('===', line.start)) continue;
    const content = file.slice(line.start, line.end);
    const marker = parseMarker(content);
    if (marker !== null) markers.push({ marker, line, index });
    else if (isReservedLine(content)) problems.push(unknownMarker(content, line));
  }
  const before = withoutBlankLines(file, lines.slice(0, markers[0]?.index ?? lines.length));
  const [first, last] = [before[0], before.at(-1)];
  if (first !== undefined && last !== undefined) {
    const message = 'This text belongs to no step: a line "=== step 1" begins one.';
    problems.push({
      code: 'transcript.text-before-step',
      severity: 'error',
      message,
      start: first.start,
      end: last.end,
    });
  }
  return markers.map(({ marker, line, index }, position) => ({
    marker,
    line,
    body: lines.slice(index + 1, markers[position + 1]?.index ?? lines.length),
  }));
}

function unknownMarker(content: string, { start, end }: Line): Problem {
  const word = /\p{L}+/u.exec(content)?.[0] ?? '';
  const nearest = nearestName(word, markerWords);
  const hint = nearest === null ? '' : ` Did you mean "=== ${nearest}"?`;
  const message = `This is no marker and counts as text.${hint}`;
  const data = nearest === null ? {} : { data: { nearest } };
  return { code: 'transcript.unknown-marker', severity: 'warning', message, start, end, ...data };
}
