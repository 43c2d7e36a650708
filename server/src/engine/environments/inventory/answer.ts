/**
 * Reading the inventory out of a reply. Only a complete block counts, `<answer>` and `</answer>` to the letter, the inner
 * side of which is a list. A block ends at the first closing tag after its opening one.
 */
import type { AnswerBlock } from './options.ts';

const OPEN = '<answer>';
const CLOSE = '</answer>';

/** The content of a block, in UTF-16 code units of the reply. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/** All complete blocks, in text order; takes time by the length of the text. */
export function findBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; ; ) {
    const open = text.indexOf(OPEN, from);
    if (open < 0) return blocks;
    const start = open + OPEN.length;
    const end = text.indexOf(CLOSE, start);
    if (end < 0) return blocks;
    blocks.push({ start, end });
    from = end + CLOSE.length;
  }
}

/** The block that counts; null without any. */
export function chooseBlock(text: string, which: AnswerBlock): Block | null {
  const blocks = findBlocks(text);
  return (which === 'first' ? blocks[0] : blocks.at(-1)) ?? null;
}

/** The items that a reply reports, normalised, each once, in its order; null when it has no complete block. */
export function parseAnswer(reply: string, which: AnswerBlock = 'last'): readonly string[] | null {
  const block = chooseBlock(reply, which);
  return block === null ? null : parseItems(reply.slice(block.start, block.end));
}

/** What a list may hold to be carried on. Far more than any inventory, and little enough for a prompt to print it. */
export const mostCarried = { items: 10_000, characters: 200_000 } as const;

/** Whether a list of items passes a limit of {@link mostCarried}. */
export function isTooLong(items: readonly string[]): boolean {
  if (items.length > mostCarried.items) return true;
  return items.reduce((sum, item) => sum + item.length, 0) > mostCarried.characters;
}

const enclosing = new Map([
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
]);
const emptyWords: ReadonlySet<string> = new Set(['empty', 'none', 'nothing']);

/** The items of a list: separated by commas, semicolons or line breaks. */
export function parseItems(content: string): readonly string[] {
  const list = withoutBrackets(content.trim());
  const items = list.split(/[,;\n\r]/).flatMap((part) => {
    const item = normalizeItem(part);
    return item === '' ? [] : [item];
  });
  const [only = ''] = items;
  return items.length === 1 && emptyWords.has(only) ? [] : [...new Set(items)];
}

/** Takes off brackets around the whole list; those of single items stay, as an operation that is copied has them. */
function withoutBrackets(list: string): string {
  const close = enclosing.get(list.charAt(0));
  if (close === undefined || !list.endsWith(close) || list.length < 2) return list;
  const inner = list.slice(1, -1);
  return /[[\](){}]/.test(inner) ? list : inner;
}

const bullets = /^(?:[-*•]\s*)+/;
const quotes = '"\'`“”‘’«»';

/** An item as it is compared: without bullet and quotes, in lower case, with single blanks. */
export function normalizeItem(item: string): string {
  const bare = withoutQuotes(item.trim().replace(bullets, '').trim());
  return bare.trim().toLowerCase().replace(/\s+/g, ' ');
}

function withoutQuotes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && quotes.includes(text.charAt(start))) start++;
  while (end > start && quotes.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
