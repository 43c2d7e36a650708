/** An instance as a text document: a heading, then chunk after chunk. What is held in the end is not in the text. */
import { counted, grouped } from '../../text/numbers.ts';
import type { InstanceText, Part } from '../view.ts';
import { findOperations, type Instance, printOperation } from './instance.ts';

/** The text of `instance` and its outline: heading, then chunks with their operations. Chunks stand verbatim. */
export function viewInstance(instance: Instance): InstanceText {
  const heading = headingText(instance);
  const firstLine = heading.indexOf('\n');
  const parts: Part[] = [
    {
      kind: 'heading',
      name: instance.id,
      detail: counted(instance.operations.length, 'operation'),
      start: 0,
      end: heading.length,
      nameStart: 0,
      nameEnd: firstLine < 0 ? heading.length : firstLine,
      children: [],
    },
  ];
  const pieces = [heading];
  let offset = heading.length;
  for (const [at, raw] of instance.chunks.entries()) {
    const chunk = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    const title = `# Chunk ${at + 1}`;
    const text = `${title}\n${chunk}\n`;
    const start = offset + 1;
    parts.push(chunkPart(chunk, { at, title, start, end: start + text.length }));
    pieces.push('\n', text);
    offset = start + text.length;
  }
  return { text: pieces.join(''), parts };
}

function headingText({ id, split, chunks, operations, distractors }: Instance): string {
  return [
    `${id} (inventory, ${split})`,
    '',
    `Chunks: ${grouped(chunks.length)}, one a turn`,
    `Operations: ${grouped(operations.length)}`,
    ...(distractors.length === 0 ? [] : [`Distractors: ${grouped(distractors.length)}`]),
    '',
  ].join('\n');
}

interface Place {
  /** Position of the chunk, from 0. */
  readonly at: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

function chunkPart(chunk: string, { at, title, start, end }: Place): Part {
  const body = start + title.length + 1;
  const operations = findOperations(chunk);
  const words = chunk.split(/\s+/).filter((word) => word !== '').length;
  return {
    kind: 'chunk',
    name: `Chunk ${at + 1}`,
    detail: operations.length === 0 ? '' : counted(operations.length, 'operation'),
    start,
    end,
    nameStart: start,
    nameEnd: start + title.length,
    children: lineParts(chunk, body),
    chunk: { number: at + 1, tokens: words },
  };
}

/** The lines of a chunk that hold operations, as entries. Entries are whole lines and do not overlap. */
function lineParts(chunk: string, offset: number): Part[] {
  const parts: Part[] = [];
  let start = offset;
  for (const line of chunk.split('\n')) {
    const found = findOperations(line);
    const [first] = found;
    if (first !== undefined) {
      parts.push({
        kind: 'entry',
        name: found.map(printOperation).join(' '),
        detail: '',
        start,
        end: start + line.length,
        nameStart: start + first.start,
        nameEnd: start + first.end,
        children: [],
      });
    }
    start += line.length + 1;
  }
  return parts;
}
