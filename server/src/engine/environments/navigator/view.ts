/**
 * A navigator instance as a text document: a heading with what a player may know, then the document itself, section
 * by section. Chunk texts stand verbatim (but for carriage returns, which no editor would keep), so that what is found
 * in the one can be pointed at in the other.
 *
 * The answer, the evidence and the distractors are not in the text: a person can play from it.
 */
import type { InstanceText, Part } from '../view.ts';
import type { Chunk, Instance } from './instance.ts';

/** Between an entry's name and its fields, as the registers write it. */
const NAME_END = ' — ';

/** Adjacent chunks of one section. A document has each section once; one that has not is shown as it is. */
interface Group {
  readonly section: string;
  readonly chunks: Chunk[];
}

/**
 * The text of `instance` and its outline: heading, then section > chunk > entry.
 *
 * @returns text of about 4 % more code units than the chunks have; linear in the document's size.
 */
export function viewInstance(instance: Instance): InstanceText {
  const heading = headingText(instance);
  const parts: Part[] = [
    {
      kind: 'heading',
      name: instance.id,
      detail: counted(instance.n_hops, 'hop'),
      start: 0,
      end: heading.length,
      nameStart: 0,
      nameEnd: firstLineEnd(heading),
      children: [],
    },
  ];
  const pieces = [heading];
  let offset = heading.length;
  for (const group of groupBySection(instance.chunks)) {
    const section = viewSection(group, offset + 1);
    pieces.push('\n', section.text);
    offset += 1 + section.text.length;
    parts.push(section.part);
  }
  return { text: pieces.join(''), parts, ceiling: instance.env.context_ceiling };
}

function headingText(instance: Instance): string {
  const { context_ceiling, step_budget } = instance.env;
  return [
    `${instance.id} (navigator, ${instance.split})`,
    '',
    `Question: ${instance.question}`,
    '',
    `Hops: ${instance.n_hops}`,
    `Tokens: ${grouped(instance.doc_tokens)} in ${counted(instance.chunks.length, 'chunk')}`,
    `Ceiling: ${counted(context_ceiling, 'token')}`,
    `Step budget: ${step_budget}`,
    `Minimum steps: ${instance.min_steps}`,
    '',
  ].join('\n');
}

function groupBySection(chunks: readonly Chunk[]): readonly Group[] {
  const groups: Group[] = [];
  for (const chunk of chunks) {
    const last = groups.at(-1);
    if (last?.section === chunk.section) last.chunks.push(chunk);
    else groups.push({ section: chunk.section, chunks: [chunk] });
  }
  return groups;
}

/** A section from its title line on; `start` is the offset of that line in the document. */
function viewSection(group: Group, start: number): { readonly text: string; readonly part: Part } {
  const tokens = group.chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  const detail = `${counted(group.chunks.length, 'chunk')}, ${counted(tokens, 'token')}`;
  const title = `# ${group.section} (${detail})\n`;
  const pieces = [title];
  const children: Part[] = [];
  let offset = start + title.length;
  for (const chunk of group.chunks) {
    const body = chunk.text.includes('\r') ? chunk.text.replace(/\r\n?/g, '\n') : chunk.text;
    const text = `\n[${chunk.idx}] (${counted(chunk.tokens, 'token')})\n${body}\n`;
    children.push(chunkPart(chunk, text, offset));
    pieces.push(text);
    offset += text.length;
  }
  const nameStart = start + '# '.length;
  const part: Part = {
    kind: 'section',
    name: group.section || '(no section)',
    detail,
    start,
    end: offset,
    nameStart,
    nameEnd: nameStart + group.section.length,
    children,
  };
  return { text: pieces.join(''), part };
}

/** `text` is the chunk with its id line, after one empty line; `offset` is where that empty line stands. */
function chunkPart(chunk: Chunk, text: string, offset: number): Part {
  const start = offset + 1;
  const nameEnd = offset + text.indexOf('\n', 1);
  const separator = chunk.header.indexOf(' · ');
  const range = separator < 0 ? chunk.header : chunk.header.slice(separator + ' · '.length);
  return {
    kind: 'chunk',
    name: `[${chunk.idx}] ${range}`,
    detail: counted(chunk.tokens, 'token'),
    start,
    end: offset + text.length,
    nameStart: start,
    nameEnd,
    children:
      chunk.kind === 'register' ? entryParts(chunk, text.slice(nameEnd + 1 - offset), nameEnd + 1) : [],
    chunk: { number: chunk.idx, tokens: chunk.tokens },
  };
}

/** The lines of a register chunk's `text` that open with one of its names; `offset` is where that text begins. */
function entryParts(chunk: Chunk, text: string, offset: number): Part[] {
  // The record's own strings: a slice would keep this whole text in memory.
  const names = new Map(chunk.entity_names.map((name) => [name, name]));
  const parts: Part[] = [];
  let start = offset;
  for (const line of text.split('\n')) {
    const nameLength = line.indexOf(NAME_END);
    const name = names.get(line.slice(0, Math.max(0, nameLength)));
    if (name !== undefined) {
      parts.push({
        kind: 'entry',
        name,
        detail: '',
        start,
        end: start + line.length,
        nameStart: start,
        nameEnd: start + nameLength,
        children: [],
      });
    }
    start += line.length + 1;
  }
  return parts;
}

function firstLineEnd(text: string): number {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** 32954 as `32,954`, on any machine. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
