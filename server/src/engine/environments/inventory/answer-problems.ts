/** What is malformed in a reply, with exact ranges, for the editor. Malformed replies are played all the same. */
import type { Problem } from '../../problem.ts';
import { findBlocks } from './answer.ts';

const anyTag = /<\/?\s*answer\b[^<>\n]{0,200}>/gi;

/** Problems of `text[start, end)`, in text order: the part is read as if it were a reply. */
export function answerProblems(text: string, start = 0, end = text.length): Problem[] {
  const part = text.slice(start, end);
  const blocks = findBlocks(part);
  const found = [...tagProblems(part), ...blockProblems(part, blocks.length), ...innerProblems(part)];
  return found
    .sort((a, b) => a.start - b.start)
    .map((problem) => ({ ...problem, start: problem.start + start, end: problem.end + start }));
}

/** Tags that are none to the letter. */
function tagProblems(part: string): Problem[] {
  return Array.from(part.matchAll(anyTag)).flatMap(({ 0: tag, index }): Problem[] => {
    if (tag === '<answer>' || tag === '</answer>') return [];
    const right = tag.startsWith('</') ? '</answer>' : '<answer>';
    return [
      {
        code: 'answer.tag',
        severity: 'error',
        message: `This is not read as a tag: write ${right}, in lower case and without anything else.`,
        start: index,
        end: index + tag.length,
        data: { replacement: right },
      },
    ];
  });
}

function blockProblems(part: string, blocks: number): Problem[] {
  if (blocks > 0) return [];
  const open = part.indexOf('<answer>');
  if (open >= 0) {
    const message = 'The answer block is not closed, so nothing is reported: end it with </answer>.';
    return [
      { code: 'answer.unclosed', severity: 'error', message, start: open, end: open + '<answer>'.length },
    ];
  }
  const message = 'There is no answer block, so nothing is carried on: write <answer>…</answer>.';
  return [{ code: 'answer.missing', severity: 'error', message, start: 0, end: part.length }];
}

/** An opening tag inside of a block becomes a part of its first item. */
function innerProblems(part: string): Problem[] {
  return findBlocks(part).flatMap(({ start, end }): Problem[] => {
    const at = part.slice(start, end).indexOf('<answer>');
    if (at < 0) return [];
    const message = 'A second opening tag spoils the item after it: blocks do not nest.';
    const from = start + at;
    return [
      { code: 'answer.nested', severity: 'error', message, start: from, end: from + '<answer>'.length },
    ];
  });
}
