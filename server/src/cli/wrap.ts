/** Breaking text into lines that fit. */

/** Columns that a text takes: code points, colour codes aside. Our texts hold no wide or combining characters. */
export function columnsOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colour codes begin with
  return [...text.replace(/\u001b\[\d+m/g, '')].length;
}

/**
 * `text` in lines of at most `width` columns, broken at blanks; all lines but the first begin with `indent`. A word that
 * is longer than a line has one to itself, since nobody could copy it otherwise.
 */
export function wrapText(text: string, width: number, indent = ''): string {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    const isEmpty = line.trim() === '';
    if (isEmpty || columnsOf(line) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** A command line broken at blanks outside of quotes, each line but the last ended so that a shell goes on reading. */
function wrapCommand(line: string, width: number): string {
  // An option stays with its value.
  const parts = line.trimStart().match(/(?:--?\S+ (?=[^-\s]))?(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(`  ${part}`);
    else if (columnsOf(last) + 1 + columnsOf(part) + 2 <= width) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`      ${part}`);
  }
  return lines.join(' \\\n');
}

/**
 * Makes a help text fit: what the argument parser laid out is left, paragraphs are broken, and examples (which stand after
 * a line `Examples:`) are broken so that they can be copied.
 */
export function fitHelp(text: string, width: number): string {
  const paragraphs = text.match(/(?:(?! ).+\n?)+|.*\n?/g) ?? [];
  let examples = false;
  return paragraphs
    .map((paragraph) => {
      if (/^[^ \n]/.test(paragraph)) examples = paragraph === 'Examples:\n';
      const line = paragraph.replace(/\n$/, '');
      if (line.split('\n').every((it) => columnsOf(it) <= width)) return paragraph;
      const end = paragraph.slice(line.length);
      if (examples) return wrapCommand(line, width) + end;
      const indent = ' '.repeat(hangingIndent(line, width));
      return wrapText(line.replaceAll('\n', ' '), width, indent) + end;
    })
    .join('');
}

/** Where the second column of a line of help begins; a little indent when it has none, or one too far to the right. */
function hangingIndent(line: string, width: number): number {
  const [head = ''] = /^ {2,}\S.*? {2,}(?=\S)/.exec(line) ?? [];
  if (head.length > 0 && head.length <= width / 2) return head.length;
  return line.startsWith(' ') ? 6 : 0;
}
