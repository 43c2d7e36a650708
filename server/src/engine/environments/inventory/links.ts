/**
 * What a document speaks of: keys. A key's GET is its entry, its DROP says that this no longer holds, and distractors are
 * values that nothing follows from. Operations are the chain, in their order.
 */
import {
  columns,
  type InstanceLinks,
  type LinkedDistractor,
  type LinkedEntity,
  type LinkedHop,
  MARKS,
  MENTION_ROLES,
  type MentionRole,
  NONE,
} from '../links.ts';
import type { InstanceText } from '../view.ts';
import { type Distractor, findOperations, type Instance } from './instance.ts';

const LABELS = ['GET', 'DROP', 'bare name', 'look-alike'] as const;

/** A place that names a key. */
interface Found {
  readonly start: number;
  readonly key: string;
  /** Of the chunk, from 1. */
  readonly chunk: number;
  readonly label: (typeof LABELS)[number];
}

/** Reads the document once. @param view of the same instance. */
export function linksOf(instance: Instance, view: InstanceText): InstanceLinks {
  const found = view.parts
    .flatMap((part) => (part.chunk === undefined ? [] : [{ ...part, number: part.chunk.number }]))
    .flatMap(({ number, nameEnd, end }) => placesIn(view.text, instance, number, nameEnd + 1, end));
  const { entities, numbers } = entitiesOf(found);
  const mentions = columns(found.length);
  for (const [at, { start, key, label }] of found.entries()) {
    const entity = numbers.get(key) ?? NONE;
    mentions.starts[at] = start;
    mentions.ends[at] = start + key.length;
    mentions.roles[at] = MENTION_ROLES.indexOf(roleOf(label));
    mentions.entities[at] = entity;
    mentions.owners[at] = label === 'GET' ? entity : NONE;
    mentions.labels[at] = LABELS.indexOf(label);
    mentions.marks[at] = label === 'GET' || label === 'DROP' ? MARKS.evidence : MARKS.nearMiss;
  }
  return {
    linkName: 'operation',
    entities,
    labels: LABELS,
    mentions,
    answer: instance.truth.length === 0 ? '(empty)' : instance.truth.join(', '),
    chain: chainOf(found, numbers),
    distractors: distractorsOf(instance, found, numbers),
  };
}

function roleOf(label: Found['label']): MentionRole {
  return label === 'GET' ? 'entry' : label === 'DROP' ? 'superseded value' : 'value';
}

/** Operations and distractors of one chunk, in text order. */
function placesIn(text: string, instance: Instance, chunk: number, from: number, to: number): Found[] {
  const body = text.slice(from, to);
  const tagged = findOperations(body).map(({ kind, key, start, end }) => ({
    found: { start: from + end - 1 - key.length, key, chunk, label: kind },
    start,
    end,
  }));
  const own = instance.distractors.filter((one) => one.chunk === chunk - 1);
  const others = [...new Map(own.map((one) => [one.text, one])).values()].flatMap((one) =>
    occurrences(body, one).map((at) => ({
      start: from + at + one.text.lastIndexOf(one.key),
      key: one.key,
      chunk,
      label: one.kind === 'bare' ? ('bare name' as const) : one.kind,
    })),
  );
  const free = others.filter(
    ({ start }) => !tagged.some((one) => from + one.start <= start && start < from + one.end),
  );
  const places = [...tagged.map(({ found }) => found), ...free].sort((a, b) => a.start - b.start);
  // A bare name within a look-alike tag is that tag's.
  return places.filter(({ start }, at) => start !== places[at - 1]?.start);
}

/** Where a distractor stands as a word, or as a tag, of its own. */
function occurrences(body: string, { text, kind }: Distractor): number[] {
  const places: number[] = [];
  for (let at = body.indexOf(text); at >= 0 && text !== ''; at = body.indexOf(text, at + text.length)) {
    const around = body.charAt(at - 1) + body.charAt(at + text.length);
    if (kind === 'look-alike' || /^\s*$/.test(around)) places.push(at);
  }
  return places;
}

/** Keys with their first GET, where they have one. */
function entitiesOf(found: readonly Found[]): {
  readonly entities: readonly LinkedEntity[];
  readonly numbers: ReadonlyMap<string, number>;
} {
  const first = new Map<string, Found | null>();
  for (const one of found) {
    if (one.label === 'GET' ? !first.get(one.key) : !first.has(one.key)) {
      first.set(one.key, one.label === 'GET' ? one : null);
    }
  }
  const entities = Array.from(first, ([name, entry]): LinkedEntity => {
    if (entry === null) return { name, type: 'key', chunk: NONE, start: 0, end: 0 };
    return { name, type: 'key', chunk: entry.chunk, start: entry.start, end: entry.start + name.length };
  });
  return { entities, numbers: new Map([...first.keys()].map((key, number) => [key, number])) };
}

function chainOf(found: readonly Found[], numbers: ReadonlyMap<string, number>): LinkedHop[] {
  return found.flatMap(({ key, chunk, label }, mention) =>
    label === 'GET' || label === 'DROP'
      ? [
          {
            entity: numbers.get(key) ?? NONE,
            chunk,
            label,
            value: key,
            nameMention: mention,
            valueMention: NONE,
          },
        ]
      : [],
  );
}

function distractorsOf(
  { operations }: Instance,
  found: readonly Found[],
  numbers: ReadonlyMap<string, number>,
): LinkedDistractor[] {
  return found.flatMap(({ key, chunk, label }, mention): LinkedDistractor[] => {
    if (label === 'GET' || label === 'DROP') return [];
    const after = operations.findIndex((one) => one.chunk >= chunk - 1);
    const hop = after < 0 ? Math.max(0, operations.length - 1) : after;
    const entity = numbers.get(key) ?? NONE;
    return [
      {
        kind: label,
        hop,
        entity,
        chunk,
        value: key,
        wrongAnswer: null,
        nameMention: NONE,
        valueMention: mention,
      },
    ];
  });
}
