/** Hover in an instance document: what an entity is, what it links to, who links to it, and what a player must not know. */
import { type Hover, MarkupKind } from 'vscode-languageserver-types';
import { type LinkedDistractor, NONE, roleOf } from '../../engine/environments/links.ts';
import { jump, plain } from '../markdown.ts';
import { isValue, type Place, placeAt, placesOf, rangeOf } from './mentions.ts';
import type { InstanceModel } from './models.ts';

/** At most this many of those that link to an entity are named. */
const NAMED = 8;

/** What there is to say about the place at `offset`; null for a place that names nothing. */
export function instanceHover(model: InstanceModel, offset: number, spoilers: boolean): Hover | null {
  const place = placeAt(model, offset);
  if (place === undefined) return null;
  const about = isValue(model, place) ? aboutValue(model, place) : aboutEntity(model, place);
  const secrets = spoilers ? secretsOf(model, place) : [];
  const value = [...about, ...(secrets.length > 0 ? ['---', ...secrets] : [])].join('\n\n');
  return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOf(model, place) };
}

function aboutValue(model: InstanceModel, { entity, start, end, mention }: Place): string[] {
  const { mentions, labels } = model.links;
  const label = labels[mentions.labels[mention] ?? NONE] ?? 'Value';
  const isFormer = roleOf(mentions, mention) === 'superseded value';
  const said = plain(model.view.text.slice(start, end));
  const what = isFormer ? `${plain(label)}, superseded` : plain(label);
  return [`**${said}** · ${what}`, `of ${described(model, entity)}`];
}

function aboutEntity(model: InstanceModel, { entity }: Place): string[] {
  const { name, type, chunk } = model.links.entities[entity] ?? { name: '', type: '', chunk: NONE };
  const { chunkName = 'chunk' } = model.links;
  const where = chunk === NONE ? 'no entry in this document' : `${chunkName} ${chunk}`;
  const fields = fieldsOf(model, entity);
  const named = namedBy(model, entity);
  return [
    `**${plain(name)}** · ${plain(type)} · ${where}`,
    ...(fields.length > 0 ? [fields.join('  \n')] : []),
    ...(named === '' ? [] : [`Named by ${named}`]),
  ];
}

/** What the entry of an entity says, a line for each field. */
function fieldsOf(model: InstanceModel, entity: number): string[] {
  const { mentions, labels } = model.links;
  const lines = new Map<number, { now: string; former: string }>();
  forEntry(model, entity, (mention) => {
    const role = roleOf(mentions, mention);
    if (role === 'entry') return;
    const label = mentions.labels[mention] ?? NONE;
    const line = lines.get(label) ?? { now: '', former: '' };
    lines.set(label, line);
    const isLink = role === 'link' || role === 'superseded link';
    const said = model.view.text.slice(mentions.starts[mention], mentions.ends[mention]);
    const text = isLink ? described(model, mentions.entities[mention] ?? NONE) : plain(said);
    if (role === 'link' || role === 'value') line.now = isLink ? ` → ${text}` : `: ${text}`;
    else line.former = `, formerly ${text}`;
  });
  return Array.from(lines, ([label, { now, former }]) => `${plain(labels[label] ?? 'Value')}${now}${former}`);
}

/** Calls `visit` for every mention in the entry of `entity`. */
function forEntry(model: InstanceModel, entity: number, visit: (mention: number) => void): void {
  const { mentions, entities } = model.links;
  const entry = entities[entity];
  if (entry === undefined || entry.chunk === NONE) return;
  const first = placeAt(model, entry.start)?.mention ?? NONE;
  for (let mention = first; mention !== NONE && mention < mentions.count; mention++) {
    if ((mentions.starts[mention] ?? 0) >= entry.end) return;
    visit(mention);
  }
}

function namedBy(model: InstanceModel, entity: number): string {
  const { mentions, labels } = model.links;
  const found = placesOf(model, entity, false).filter(({ mention }) =>
    /link$/.test(roleOf(mentions, mention)),
  );
  const names = found.slice(0, NAMED).map(({ mention }) => {
    const label = labels[mentions.labels[mention] ?? NONE] ?? '';
    const former = roleOf(mentions, mention) === 'superseded link' ? 'formerly ' : '';
    return described(model, mentions.owners[mention] ?? NONE, `${former}${plain(label)}`);
  });
  const more = found.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A name that leads to its entry, with `more` and its chunk in brackets. */
function described({ links, document }: InstanceModel, entity: number, more = ''): string {
  const { name, chunk, start } = links.entities[entity] ?? { name: '?', chunk: NONE, start: 0 };
  const before = more === '' ? '' : `${more}, `;
  if (chunk === NONE) return `${plain(name)} (${before}no entry)`;
  return `${jump(name, document.uri, document.positionAt(start))} (${before}${links.chunkName ?? 'chunk'} ${chunk})`;
}

/** Evidence and distractors at a place, a paragraph for each. */
function secretsOf(model: InstanceModel, place: Place): string[] {
  const { chain, distractors, answer, linkName = 'hop' } = model.links;
  const value = isValue(model, place);
  const isHere = (mention: number) => mention !== NONE && mention === place.mention;
  const hops = chain.flatMap((hop, index) => {
    if (value ? !isHere(hop.valueMention) : hop.entity !== place.entity) return [];
    const count = `${linkName} ${index + 1} of ${chain.length}`;
    if (value && index + 1 === chain.length) return [`**Answer**, found at ${count}.`];
    return [`**Evidence** of ${count}: ${plain(hop.label)} is ${plain(hop.value)}.`];
  });
  const concerning = distractors.filter(({ entity, nameMention, valueMention }) => {
    if (isHere(valueMention)) return true;
    return !value && nameMention !== NONE && entity === place.entity;
  });
  return [...hops, ...distractorLines(concerning, answer, linkName)];
}

/** Distractors, those that are alike but for their kind in one line. */
function distractorLines(
  distractors: readonly LinkedDistractor[],
  answer: string,
  linkName: string,
): string[] {
  const kinds = new Map<string, string[]>();
  for (const { kind, hop, wrongAnswer } of distractors) {
    const end =
      wrongAnswer === null
        ? 'Following it leads nowhere.'
        : wrongAnswer === answer
          ? `Following it ends at ${plain(wrongAnswer)}, which is the answer all the same.`
          : `Following it ends at ${plain(wrongAnswer)}, which is wrong.`;
    const rest = ` beside ${linkName} ${hop + 1}. ${end}`;
    kinds.set(rest, [...(kinds.get(rest) ?? []), kind]);
  }
  return Array.from(
    kinds,
    ([rest, names]) => `**Distractor**: ${[...new Set(names)].map(plain).join(' and ')}${rest}`,
  );
}
