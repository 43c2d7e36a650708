/**
 * The links of a navigator document: entities are the names that open entries, links are the fields that name the
 * next register's entities. Everything is read from the text of the view, as a careful reader would, so that a
 * document from anywhere is served; only the chain and the distractors are taken from the record.
 */
import { type InstanceLinks, type LinkedEntity, NONE } from '../links.ts';
import type { InstanceText, Part } from '../view.ts';
import { type Span, scanFields } from './fields.ts';
import type { Chunk, Instance } from './instance.ts';
import { linkedChain, linkedDistractors, markAll } from './marks.ts';
import { MentionList } from './mention-list.ts';
import { type Register, registers } from './registers.ts';

const DASH = ' — ';
const RANGE = ' – ';
const AFTER_SECTION = ' · ';

const bySection = new Map<string, Register>(registers.map((register) => [register.section, register]));

/** An entry whose fields are still to be read. */
interface Line {
  readonly entity: number;
  readonly start: number;
  readonly end: number;
  /** Offset after the name and the dash. */
  readonly fields: number;
  readonly register: Register | undefined;
}

/** What is known of the names of a document while it is read. */
class Names {
  readonly entities: LinkedEntity[] = [];
  readonly #byName = new Map<string, number[]>();

  add(entity: LinkedEntity): number {
    const index = this.entities.push(entity) - 1;
    const same = this.#byName.get(entity.name);
    if (same === undefined) this.#byName.set(entity.name, [index]);
    else same.push(index);
    return index;
  }

  /** The first entity of that name, one of `type` before all others; {@link NONE} when there is none. */
  find(name: string, type?: string): number {
    const same = this.#byName.get(name);
    if (same === undefined) return NONE;
    return same.find((index) => this.entities[index]?.type === type) ?? same[0] ?? NONE;
  }
}

/**
 * Reads the document once.
 *
 * @param view of the same instance.
 * @returns mentions in the text of `view`; takes time by its length.
 */
export function linksOf(instance: Instance, view: InstanceText): InstanceLinks {
  const { text } = view;
  const names = new Names();
  const chunks = view.parts.flatMap((part) => part.children);
  const lines = chunks.map((part, position) => readLines(text, part, instance.chunks[position], names));

  const list = new MentionList();
  addQuestion(text, view.parts[0], names, list);
  chunks.forEach((part, position) => {
    const chunk = instance.chunks[position];
    if (chunk?.kind !== 'register') return;
    addHeader(text, part.nameEnd + 1, chunk, names, list);
    for (const line of lines[position] ?? []) addEntry(text, line, names, list);
  });

  const mentions = list.finish();
  const found = { entities: names.entities, labels: list.labels, mentions };
  const chain = linkedChain(instance, text, found);
  const distractors = linkedDistractors(instance, text, found);
  markAll(mentions, chain, distractors);
  return { ...found, answer: instance.answer, chain, distractors };
}

/** The entries of a register chunk; their entities become known. A name that comes again in a section is the first one's. */
function readLines(text: string, part: Part, chunk: Chunk | undefined, names: Names): Line[] {
  if (chunk?.kind !== 'register') return [];
  const register = bySection.get(chunk.section);
  const type = register?.type ?? 'entity';
  const lines: Line[] = [];
  let start = part.nameEnd + 1;
  while (start < part.end) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 || feed > part.end ? part.end : feed;
    const line = text.slice(start, end);
    const dash = line.indexOf(DASH);
    if (dash > 0) {
      const name = line.slice(0, dash);
      let entity = names.find(name, type);
      if (entity === NONE || names.entities[entity]?.type !== type) {
        entity = names.add({ name, type, chunk: chunk.idx, start, end });
      }
      lines.push({ entity, start, end, fields: start + dash + DASH.length, register });
    }
    start = end + 1;
  }
  return lines;
}

/** The longest names that the question contains. */
function addQuestion(text: string, heading: Part | undefined, names: Names, list: MentionList): void {
  if (heading === undefined) return;
  const line = text.indexOf('\n', heading.nameEnd + 1) + 1;
  const end = text.indexOf('\n', line);
  if (line <= 0 || end < 0 || end > heading.end) return;
  const question = text.slice(line, end);
  const found: { start: number; end: number; entity: number }[] = [];
  names.entities.forEach(({ name }, entity) => {
    const at = question.indexOf(name);
    if (at >= 0) found.push({ start: at, end: at + name.length, entity });
  });
  // Longest first, so that a twin is not taken for the one whose name it extends.
  found.sort((a, b) => b.end - b.start - (a.end - a.start));
  const taken: typeof found = [];
  for (const one of found) {
    if (taken.every((other) => one.end <= other.start || one.start >= other.end)) taken.push(one);
  }
  taken.sort((a, b) => a.start - b.start);
  for (const { start, end: stop, entity } of taken) list.add(line + start, line + stop, 'question', entity);
}

/** The names in a chunk's header, `Section · First – Last`. */
function addHeader(text: string, start: number, chunk: Chunk, names: Names, list: MentionList): void {
  const type = bySection.get(chunk.section)?.type;
  const header = text.slice(start, text.indexOf('\n', start));
  const separator = header.indexOf(AFTER_SECTION);
  if (separator < 0) return;
  let at = separator + AFTER_SECTION.length;
  for (const name of header.slice(at).split(RANGE)) {
    const entity = names.find(name, type);
    if (entity !== NONE) list.add(start + at, start + at + name.length, 'range', entity);
    at += name.length + RANGE.length;
  }
}

/** The name of an entry, then its fields: links to other entities, and values. */
function addEntry(text: string, line: Line, names: Names, list: MentionList): void {
  const { entity, start, end, fields } = line;
  list.add(start, fields - DASH.length, 'entry', entity, entity);
  const body = text.slice(start, end);
  for (const { label, value, superseded } of scanFields(body, fields - start)) {
    const isFirst = superseded !== null && superseded.start < value.start;
    if (isFirst) addValue(body, superseded, label, false, line, names, list);
    addValue(body, value, label, true, line, names, list);
    if (superseded !== null && !isFirst) addValue(body, superseded, label, false, line, names, list);
  }
}

/** One value of a field, the current or the superseded one. */
function addValue(
  body: string,
  span: Span,
  label: string,
  isCurrent: boolean,
  { entity, start, register }: Line,
  names: Names,
  list: MentionList,
): void {
  const from = start + span.start;
  const to = start + span.end;
  const isLink = label === register?.link;
  // In a register that is known, only its link names anybody.
  const target =
    isLink || register === undefined
      ? targetOf(names, body.slice(span.start, span.end), isLink ? register : undefined)
      : NONE;
  if (target === NONE) list.add(from, to, isCurrent ? 'value' : 'superseded value', entity, entity, label);
  else list.add(from, to, isCurrent ? 'link' : 'superseded link', target, entity, label);
}

/** The entity of that name; in a link it is one even without an entry. */
function targetOf(names: Names, name: string, link: Register | undefined): number {
  const known = names.find(name, link?.next);
  if (known !== NONE || link === undefined) return known;
  return names.add({ name, type: link.next, chunk: NONE, start: 0, end: 0 });
}
