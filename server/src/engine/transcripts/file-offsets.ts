/**
 * From offsets in the text of a part to offsets in the file it stands in, for what was found in the text. Lines may be
 * longer in the file (white space at their ends, CR LF) and escaped characters are.
 */
import { type Line, linesOf } from '../prompts/lines.ts';
import { unescapeLine } from './text.ts';
import type { TextPart } from './transcript.ts';

interface PartLine {
  /** Where it begins in the text. */
  readonly at: number;
  /** Where it begins in the file. */
  readonly start: number;
  /** As it stands in the file, without white space at its end. */
  readonly written: string;
  /** What it is in the text, its line break included. */
  readonly length: number;
  readonly isJson: boolean;
}

/**
 * The offset in `file` of an offset in the text of `part`; the end of the part for what lies behind. The part is looked
 * through once, however much is asked for.
 */
export function fileOffsets(file: string, part: TextPart): (at: number) => number {
  let lines: readonly PartLine[] | undefined;
  const known = { line: -1, unit: 0, index: 0 };
  return (at) => {
    lines ??= readLines(file, part);
    const number = lastAt(lines, at);
    const line = lines[number];
    if (line === undefined) return part.content.end;
    const { start, written, length, isJson } = line;
    const unit = at - line.at;
    // A line break cannot be told from the end of its line.
    if (unit >= length) return start + written.length;
    if (!isJson) return start + unit;
    // Places mostly come in the order of the text, so that reading goes on from the last one.
    if (known.line !== number || known.unit > unit) {
      Object.assign(known, { line: number, unit: 0, index: written.indexOf('"') + 1 });
    }
    known.index = skipUnits(written, known.index, unit - known.unit);
    known.unit = unit;
    return start + known.index;
  };
}

function readLines(file: string, { content, escaped }: TextPart): PartLine[] {
  let at = 0;
  return linesOf(file.slice(0, content.end), content.start).map((line: Line) => {
    const written = file.slice(line.start, line.end).trimEnd();
    // An escaped line that is no JSON string counts as it is written.
    const text = escaped ? unescapeLine(written) : null;
    const length = text?.length ?? written.length + 1;
    const result = { at, start: line.start, written, length, isJson: text !== null };
    at += length;
    return result;
  });
}

/** The last line that begins at or before `at`. */
function lastAt(lines: readonly PartLine[], at: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where in a JSON string the code unit is written that is `count` after the one at `index`. */
function skipUnits(json: string, index: number, count: number): number {
  const unit = /\\u[0-9a-fA-F]{4}|\\.|[\s\S]/g;
  unit.lastIndex = index;
  for (let left = count; left > 0; left--) unit.exec(json);
  return unit.lastIndex;
}
