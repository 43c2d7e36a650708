import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findMention,
  type InstanceLinks,
  MARKS,
  NONE,
  roleOf,
} from '../../../server/src/engine/environments/links.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { linksOf } from '../../../server/src/engine/environments/navigator/links.ts';
import { viewInstance } from '../../../server/src/engine/environments/navigator/view.ts';
import type { InstanceText } from '../../../server/src/engine/environments/view.ts';
import { population } from '../../support/population.ts';
import { smallInstance } from '../../support/small-instance.ts';
import { toldInstance } from '../../support/told-instance.ts';
import { sharedInstances } from '../../support/vectors.ts';

function read(instance: Instance): { readonly view: InstanceText; readonly links: InstanceLinks } {
  const view = viewInstance(instance);
  return { view, links: linksOf(instance, view) };
}

const MARK_NAMES = Object.entries(MARKS);

/** A mention as `role [of owner.label] "text" -> entity marks`. */
function tell({ view, links }: ReturnType<typeof read>, mention: number): string {
  const { mentions, entities, labels } = links;
  const said = view.text.slice(mentions.starts[mention], mentions.ends[mention]);
  const owner = entities[mentions.owners[mention] ?? NONE]?.name;
  const label = labels[mentions.labels[mention] ?? NONE];
  const of = label === undefined ? '' : ` of ${owner}.${label}`;
  const marks = MARK_NAMES.filter(([, bit]) => ((mentions.marks[mention] ?? 0) & bit) !== 0);
  const names = marks.map(([name]) => ` ${name}`).join('');
  return `${roleOf(mentions, mention)}${of} "${said}" -> ${entities[mentions.entities[mention] ?? NONE]?.name}${names}`;
}

test('a small document speaks of these', () => {
  const found = read(toldInstance);
  const all = Array.from({ length: found.links.mentions.count }, (_, mention) => tell(found, mention));
  expect(all).toEqual([
    'question "Coral Gull" -> Coral Gull',
    'range "Coral Gull" -> Coral Gull',
    'entry "Coral Gull" -> Coral Gull evidence',
    'link of Coral Gull.Lead "Ida Berg" -> Ida Berg evidence',
    'superseded link of Coral Gull.Lead "Otto Lind" -> Otto Lind',
    'value of Coral Gull.Cost centre "CC-7" -> Coral Gull',
    'range "Ida Berg" -> Ida Berg',
    'range "Ida Berg Jr" -> Ida Berg Jr',
    'entry "Ida Berg" -> Ida Berg evidence',
    'superseded value of Ida Berg.Desk extension "4100" -> Ida Berg',
    'value of Ida Berg.Desk extension "4107" -> Ida Berg evidence answer',
    'link of Ida Berg.Unit "Quiet Optics" -> Quiet Optics',
    'entry "Ida Berg Jr" -> Ida Berg Jr nearMiss',
    'value of Ida Berg Jr.Desk extension "4119" -> Ida Berg Jr nearMiss',
    'range "Otto Lind" -> Otto Lind',
    'entry "Otto Lind" -> Otto Lind',
    'value of Otto Lind.Desk extension "4117" -> Otto Lind',
    'range "Jade Stork" -> Jade Stork',
    'entry "Jade Stork" -> Jade Stork',
    'link of Jade Stork.Lead "Otto Lind" -> Otto Lind',
  ]);
  expect(found.links.entities.map(({ name, type, chunk }) => `${name}: ${type} in ${chunk}`)).toEqual([
    'Coral Gull: project in 0',
    'Ida Berg: person in 3',
    'Ida Berg Jr: person in 3',
    'Otto Lind: person in 4',
    'Jade Stork: project in 6',
    `Quiet Optics: department in ${NONE}`,
  ]);
});

test('the distractors stand where the record says', () => {
  const found = read(toldInstance);
  expect(
    found.links.distractors.map(({ kind, hop, wrongAnswer, nameMention, valueMention }) => ({
      kind,
      hop,
      wrongAnswer,
      name: nameMention === NONE ? null : tell(found, nameMention),
      value: tell(found, valueMention),
    })),
  ).toEqual([
    {
      kind: 'twin',
      hop: 1,
      wrongAnswer: '4119',
      name: 'entry "Ida Berg Jr" -> Ida Berg Jr nearMiss',
      value: 'value of Ida Berg Jr.Desk extension "4119" -> Ida Berg Jr nearMiss',
    },
    {
      kind: 'superseded link',
      hop: 0,
      wrongAnswer: '4117',
      name: null,
      value: 'superseded link of Coral Gull.Lead "Otto Lind" -> Otto Lind',
    },
  ]);
});

/** Mentions are in order and apart, say what they name, and lead to entries that open with it. */
function checkMentions({ view, links }: ReturnType<typeof read>): void {
  const { mentions, entities } = links;
  let from = 0;
  for (let i = 0; i < mentions.count; i++) {
    const start = mentions.starts[i] ?? -1;
    const end = mentions.ends[i] ?? -1;
    expect(start).toBeGreaterThanOrEqual(from);
    expect(end).toBeGreaterThan(start);
    from = end;
    const entity = entities[mentions.entities[i] ?? NONE];
    if (!roleOf(mentions, i).endsWith('value')) expect(view.text.slice(start, end)).toBe(entity?.name);
    for (const inside of [start, start + 1]) expect(findMention(mentions, inside)).toBe(i);
  }
  for (const { name, chunk, start, end } of entities) {
    if (chunk === NONE) continue;
    expect(view.text.slice(start, end).startsWith(`${name} — `)).toBe(true);
    expect(view.text[end] ?? '\n').toBe('\n');
  }
}

describe('sound instances', () => {
  const published = [...sharedInstances().values()];
  test.each([
    ...population('train', 4),
    ...population('ood_test', 4),
    ...published.filter((instance) => instance.chunks.length > 60).slice(0, 8),
  ])('$id', (instance) => {
    const found = read(instance);
    checkMentions(found);
    const { chain, distractors, entities } = found.links;
    expect(chain.map(({ entity, value }) => [entities[entity]?.name, value])).toEqual(
      instance.evidence.map(({ entity, value }) => [entity, value]),
    );
    for (const { nameMention, valueMention } of chain) {
      expect(nameMention).not.toBe(NONE);
      expect(valueMention).not.toBe(NONE);
    }
    expect(tell(found, chain.at(-1)?.valueMention ?? NONE)).toMatch(/ evidence answer$/);
    expect(distractors.length).toBe(instance.distractors.length);
    for (const { valueMention } of distractors) expect(valueMention).not.toBe(NONE);
    // Every entity with an entry is one that the record lists in that chunk, and the reverse.
    const listed = instance.chunks.flatMap(({ idx, entity_names }) =>
      entity_names.map((name) => `${idx} ${name}`),
    );
    const entries = entities.flatMap(({ chunk, name }) => (chunk === NONE ? [] : [`${chunk} ${name}`]));
    expect(entries.sort()).toEqual(listed.sort());
  });
});

test('any text is taken', () => {
  const piece = fc.constantFrom(
    ...[
      'Ida Berg',
      'Otto Lind',
      ' — ',
      ' · ',
      ' – ',
      'Lead',
      ': ',
      '. ',
      '\n',
      '\r',
      '[',
      '].',
      'A',
      '7',
      '\u2028',
    ],
    ...[' previously ', ' from 2015 to 2017', ', then ', ' Notes: ', '\ud800', '😀'],
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
  const instances = fc.record({ header: text, body: text, question: text, name: text, value: text });
  fc.assert(
    fc.property(instances, ({ header, body, question, name, value }) => {
      const chunks = smallInstance.chunks.map((chunk) => ({ ...chunk, header, text: `${header}\n${body}` }));
      const evidence = smallInstance.evidence.map((hop) => ({ ...hop, entity: name, value, chunk_idx: 99 }));
      const { links } = read({ ...smallInstance, question, chunks, evidence });
      expect(links.chain.length).toBe(2);
    }),
    { numRuns: 500 },
  );
});
