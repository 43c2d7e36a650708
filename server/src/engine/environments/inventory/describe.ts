/** An instance for a person who may know everything, as Markdown: its operations, and what is held after each turn. */
import { counted } from '../../text/numbers.ts';
import { named, visible } from '../../text/visible.ts';
import { findOperations, type Instance, printOperation, truthsOf } from './instance.ts';

/** The whole page, ending in a newline. */
export function describe(instance: Instance): string {
  const { id, chunks, operations, distractors, truth, generator } = instance;
  const facts = [
    `- ${counted(chunks.length, 'chunk')} of ${counted(generator.chunk_size, 'noise word')}`,
    `- ${counted(operations.length, 'operation')}, ${counted(distractors.length, 'distractor')}`,
    `- seed ${generator.seed}, index ${generator.index}`,
  ];
  const traps = distractors.map((one) => [String(one.chunk + 1), one.kind, one.text]);
  return [
    `# ${named(id)}`,
    visible(`Answer: ${setText(truth)}`),
    facts.join('\n'),
    '## Turn by turn',
    table(['turn', 'operations', 'held after it'], turnRows(instance)),
    '## Distractors',
    table(['chunk', 'kind', 'text'], traps),
    '',
  ].join('\n\n');
}

function turnRows(instance: Instance): readonly (readonly string[])[] {
  const truths = truthsOf(instance);
  return instance.chunks.map((chunk, at) => {
    const operations = findOperations(chunk).map(printOperation).join(' ');
    return [String(at + 1), operations === '' ? '–' : operations, setText(truths[at] ?? [])];
  });
}

/** Items as a person reads them. */
export function setText(items: readonly string[]): string {
  return items.length === 0 ? '(empty)' : items.join(', ');
}

/** A Markdown table. Bars and line ends in cells would break it, so they are replaced. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => visible(cell.replace(/\s+/g, ' ')).replace(/\|/g, '\\|')).join(' | ')} |`;
  if (rows.length === 0) return 'None.';
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
