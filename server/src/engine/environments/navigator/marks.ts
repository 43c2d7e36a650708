/** Where the evidence and the distractors that an instance records stand in its document. */
import {
  findMention,
  type InstanceLinks,
  type LinkedDistractor,
  type LinkedHop,
  MARKS,
  type Mentions,
  NONE,
  roleOf,
} from '../links.ts';
import type { Instance } from './instance.ts';

/** What has been read from the text. */
type Found = Pick<InstanceLinks, 'entities' | 'labels' | 'mentions'>;

/** The kinds of distractors, in words. */
const KINDS: Readonly<Record<string, string>> = {
  near_miss_entity: 'twin',
  near_miss_value: 'near value',
  superseded_link: 'superseded link',
  superseded_value: 'superseded value',
};

const SUPERSEDED = new Set(['superseded_link', 'superseded_value']);

/** The recorded evidence, hop by hop. A hop that the text does not bear out has no mentions. */
export function linkedChain(instance: Instance, text: string, found: Found): LinkedHop[] {
  return instance.evidence.map(({ chunk_idx, entity: name, field, value }) => {
    const entity = findEntity(found, name, chunk_idx);
    const valueMention = findInEntry(text, found, entity, value, ['link', 'value'], field);
    return {
      entity,
      chunk: chunk_idx,
      label: field,
      value,
      nameMention: nameOf(found, entity),
      valueMention,
    };
  });
}

/** The recorded distractors in their order. */
export function linkedDistractors(instance: Instance, text: string, found: Found): LinkedDistractor[] {
  return instance.distractors.map(({ kind, hop, chunk_idx, entity: name, value, wrong_answer }) => {
    const entity = findEntity(found, name, chunk_idx);
    const roles = SUPERSEDED.has(kind) ? ['superseded link', 'superseded value'] : ['link', 'value'];
    return {
      kind: KINDS[kind] ?? kind,
      hop,
      entity,
      chunk: chunk_idx,
      value,
      wrongAnswer: wrong_answer,
      // A superseded value stands in the entry of the evidence itself: that entry's name is no distractor.
      nameMention: SUPERSEDED.has(kind) ? NONE : nameOf(found, entity),
      valueMention: findInEntry(text, found, entity, value, roles),
    };
  });
}

/** Sets the marks of evidence, answer and near misses. */
export function markAll(
  { marks }: Mentions,
  chain: readonly LinkedHop[],
  distractors: readonly LinkedDistractor[],
): void {
  const mark = (mention: number, bit: number): void => {
    if (mention !== NONE) marks[mention] = (marks[mention] ?? 0) | bit;
  };
  chain.forEach(({ nameMention, valueMention }, hop) => {
    mark(nameMention, MARKS.evidence);
    mark(valueMention, MARKS.evidence);
    if (hop + 1 === chain.length) mark(valueMention, MARKS.answer);
  });
  for (const { nameMention, valueMention } of distractors) {
    mark(nameMention, MARKS.nearMiss);
    // A superseded value is told from its role.
    if (nameMention !== NONE) mark(valueMention, MARKS.nearMiss);
  }
}

/** The entity of that name with its entry in that chunk, else any of that name; {@link NONE} when there is none. */
function findEntity({ entities }: Found, name: string, chunk: number): number {
  const there = entities.findIndex((entity) => entity.name === name && entity.chunk === chunk);
  return there >= 0 ? there : entities.findIndex((entity) => entity.name === name);
}

/** The mention that opens the entity's entry. */
function nameOf({ entities, mentions }: Found, entity: number): number {
  const entry = entities[entity];
  return entry === undefined || entry.chunk === NONE ? NONE : findMention(mentions, entry.start);
}

/** The first mention in the entity's entry that reads `said`, is of one of `roles` and, if given, in that field. */
function findInEntry(
  text: string,
  found: Found,
  entity: number,
  said: string,
  roles: readonly string[],
  label?: string,
): number {
  const { entities, labels, mentions } = found;
  const first = nameOf(found, entity);
  const end = entities[entity]?.end ?? 0;
  for (let at = first; at !== NONE && at < mentions.count; at++) {
    const start = mentions.starts[at] ?? 0;
    if (start >= end) break;
    const isIt =
      roles.includes(roleOf(mentions, at)) &&
      text.slice(start, mentions.ends[at]) === said &&
      (label === undefined || labels[mentions.labels[at] ?? NONE] === label);
    if (isIt) return at;
  }
  return NONE;
}
