/** Two texts in columns. */
import { visible } from '../../engine/text/visible.ts';

/**
 * The texts beside each other, line by line, long lines broken between words where that is possible.
 *
 * @param width code points of one column; between the two stand three more.
 */
export function sideBySide(left: string, right: string, width: number): readonly string[] {
  const [first, second] = [wrap(left, width), wrap(right, width)];
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => {
    const line = first[i] ?? '';
    const blanks = ' '.repeat(Math.max(0, width - [...line].length));
    return `${line}${blanks} | ${second[i] ?? ''}`.trimEnd();
  });
}

/** Lines of at most `width` code points. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').split('\n')) {
    let rest = [...visible(line)];
    while (rest.length > width) {
      const blank = rest.lastIndexOf(' ', width);
      const cut = blank > 0 ? blank : width;
      lines.push(rest.slice(0, cut).join(''));
      rest = rest.slice(blank > 0 ? cut + 1 : cut);
    }
    lines.push(rest.join(''));
  }
  return lines;
}
