/**
 * A record as a text document: a heading with what a player may know, then the log, line by line. Which lines are critical
 * is not in the text: a person can play from it.
 */
import { counted } from '../../text/numbers.ts';
import { visible } from '../../text/visible.ts';
import type { InstanceText, Part } from '../view.ts';
import type { Instance } from './instance.ts';
import { estimateTokens } from './scoring.ts';

/** The text of `instance` and its outline. Linear in the log's size. */
export function viewInstance({ id, split, raw }: Instance): InstanceText {
  const lines = raw.split('\n');
  const detail = `${counted(lines.length, 'line')}, ${counted(estimateTokens(raw), 'token')}`;
  const title = `${visible(id)} (log-compression, ${visible(split)})`;
  const heading = `${title}\n\nCompress the log below: as few tokens as possible, every critical line in full.\n`;
  const section = `\n# Log (${detail})\n\n`;
  const start = heading.length + 1;
  const text = `${heading}${section}${lines.map(shownLine).join('\n')}\n`;
  const nameStart = start + '# '.length;
  const parts: readonly Part[] = [
    {
      kind: 'heading',
      name: id,
      detail: '',
      start: 0,
      end: heading.length,
      nameStart: 0,
      nameEnd: title.length,
      children: [],
    },
    {
      kind: 'section',
      name: 'Log',
      detail,
      start,
      end: text.length,
      nameStart,
      nameEnd: nameStart + 'Log'.length,
      children: [],
    },
  ];
  return { text, parts };
}

/** A line of the log as the document has it: control characters are written so that they can be read. */
export function shownLine(line: string): string {
  return line.replace(/[^\t]+/g, visible);
}
