/** Finds what an instance's document speaks of in other texts: names of entities, and values that only it has. */
import { type InstanceLinks, NONE, roleOf } from '../../engine/environments/links.ts';
import type { InstanceModel } from '../instances/models.ts';

/** A name or a value in a text, and the mention in the instance's document that it stands for. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly isValue: boolean;
  /** The entity's own entry, or the first place of the value. */
  readonly mention: number;
}

interface Lexicon {
  /** Mentions of entries by the first word of their names, longest names first. */
  readonly names: ReadonlyMap<string, readonly { readonly name: string; readonly mention: number }[]>;
  readonly values: ReadonlyMap<string, number>;
}

/** Texts may be of any length; so much of the beginning is looked at. */
const maxLength = 20_000;
/** A word, or a value such as `PJ-1234` and `6,411,654`. */
const wordOrValue = /[\p{L}\p{N}]+(?:[-,][\p{L}\p{N}]+)*/gu;
const firstWord = /^[\p{L}\p{N}]+/u;
const continues = /^[\p{L}\p{N}_-]/u;

/** Names and values in `text`, in its order, without overlap. */
export function findInText(model: InstanceModel, text: string): Found[] {
  const { names, values } = lexiconOf(model);
  const found: Found[] = [];
  let from = 0;
  for (const match of text.slice(0, maxLength).matchAll(wordOrValue)) {
    const start = match.index;
    if (start < from) continue;
    const [piece] = match;
    const word = firstWord.exec(piece)?.[0] ?? '';
    const named = names.get(word)?.find(({ name }) => isAt(text, start, name));
    const value = values.get(piece);
    if (named !== undefined) {
      from = start + named.name.length;
      found.push({ start, end: from, isValue: false, mention: named.mention });
    } else if (value !== undefined) {
      from = start + piece.length;
      found.push({ start, end: from, isValue: true, mention: value });
    }
  }
  return found;
}

function isAt(text: string, start: number, name: string): boolean {
  return (
    text.startsWith(name, start) && !continues.test(text.slice(start + name.length, start + name.length + 1))
  );
}

/** Made when a transcript is first hovered or coloured, and kept with the links it is made from. */
const lexicons = new WeakMap<InstanceLinks, Lexicon>();

function lexiconOf({ links, view }: InstanceModel): Lexicon {
  const known = lexicons.get(links);
  if (known !== undefined) return known;
  const { mentions, entities } = links;
  const names = new Map<string, { name: string; mention: number }[]>();
  const values = new Map<string, number>();
  for (let mention = 0; mention < mentions.count; mention++) {
    const role = roleOf(mentions, mention);
    if (role === 'entry') {
      const name = entities[mentions.entities[mention] ?? NONE]?.name ?? '';
      const word = firstWord.exec(name)?.[0];
      if (word === undefined) continue;
      const same = names.get(word);
      if (same === undefined) names.set(word, [{ name, mention }]);
      else same.push({ name, mention });
    } else if (role.endsWith('value')) {
      const value = view.text.slice(mentions.starts[mention], mentions.ends[mention]);
      // A value such as "senior" is an ordinary word: only those with digits are known again elsewhere.
      if (/\d/.test(value) && !values.has(value)) values.set(value, mention);
    }
  }
  for (const same of names.values()) same.sort((a, b) => b.name.length - a.name.length);
  const lexicon = { names, values };
  lexicons.set(links, lexicon);
  return lexicon;
}
