/** Fenced `hopscope-episode` code blocks of a Markdown document, by the rules of CommonMark. */

/** The lines between two fences. Offsets are UTF-16 code units. */
export interface FencedBlock {
  readonly start: number;
  readonly end: number;
}

/**
 * An opening fence, in a list item too. Not in a quotation: there every line begins with `>`, so that a reader of the
 * block would see other lines than the transcript's.
 */
const OPENING = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})[ \t]*([^\s`{,:?]*)/;

/** The blocks whose info string starts with `language`, in text order. An unclosed block runs to the end of the text. */
export function fencedBlocks(text: string, language: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly fence: string; readonly wanted: boolean; readonly start: number } | undefined;
  let offset = 0;
  for (const line of text.split('\n')) {
    const next = Math.min(offset + line.length + 1, text.length);
    if (open) {
      if (closes(line, open.fence)) {
        if (open.wanted) blocks.push({ start: open.start, end: offset });
        open = undefined;
      }
    } else {
      const match = OPENING.exec(line);
      if (match?.[1]) {
        open = { fence: match[1], wanted: match[2]?.toLowerCase() === language, start: next };
      }
    }
    offset = next;
  }
  if (open?.wanted) blocks.push({ start: open.start, end: text.length });
  return blocks;
}

/** A closing fence has the same character, is at least as long, and nothing follows it. */
function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}
