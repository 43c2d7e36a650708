/**
 * The deterministic judge of pitches: finds what a text says of each fact by phrases, denials by words before them, and
 * inventions by a list of things that no sheet speaks of. It needs no model and its scores are its own: they are not
 * comparable with those of a model that judges.
 */
import pitch from '../../../../../../prompts/serving/pitch.json' with { type: 'json' };
import { fill } from '../fill.ts';
import type { Mark } from './rubric.ts';
import { type Attribute, attributes, type Fact, type Sheet } from './tastes.ts';

interface Wording {
  readonly lines: Readonly<Record<'serving' | 'test', readonly string[]>>;
  readonly said: readonly string[];
  readonly say: string;
}

const values: Readonly<Record<Attribute, Readonly<Record<string, Wording>>>> = pitch.values;

/** How a value of an attribute is worded; undefined for values that there are not. */
export function wordingOf(attribute: Attribute, value: string): Wording | undefined {
  const list = values[attribute];
  return Object.hasOwn(list, value) ? list[value] : undefined;
}

export interface Judgement {
  /** In the order of the sheet's facts. */
  readonly marks: readonly Mark[];
  readonly invented: readonly string[];
}

/** Far more than any pitch that could still score well; the rest is not looked at. */
const longest = 10_000;

/** Judges a pitch. */
export function judgeByPhrases(sheet: Sheet, pitched: string): Judgement {
  const text = pitched.slice(0, longest);
  const words = plain(text);
  return {
    marks: sheet.facts.map((fact) => markOf(fact, words)),
    invented: [...inventions(sheet, words), ...measures(sheet, text)],
  };
}

/** Lower case, with one blank between words and around the whole; ends of sentences stay, so that denials end there. */
function plain(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/[.!?;:]+(?=\s|$)/g, ' . ')
    .replace(/[^\p{L}\p{N}.']+/gu, ' ');
  return ` ${words.trim()} `;
}

type Stance = 'affirmed' | 'denied' | 'absent';

function stanceOf({ said }: Wording, words: string): Stance {
  let stance: Stance = 'absent';
  for (const phrase of said) {
    for (let at = words.indexOf(` ${phrase} `); at >= 0; at = words.indexOf(` ${phrase} `, at + 1)) {
      if (!isNegated(phrase, words.slice(Math.max(0, at - nearby), at))) return 'affirmed';
      stance = 'denied';
    }
  }
  return stance;
}

/** So many words before a phrase can deny it. */
const reach = 3;

/** More than three ordinary words take, in code units. */
const nearby = 80;

function isNegated(phrase: string, before: string): boolean {
  const sentence = `${before} `.slice(`${before} `.lastIndexOf(' . ') + 2);
  const near = ` ${sentence.trim().split(' ').slice(-reach).join(' ')} `;
  return pitch.negations.some((word) => !phrase.startsWith(word) && near.includes(` ${word} `));
}

function markOf({ attribute, value }: Fact, words: string): Mark {
  const own = wordingOf(attribute, value);
  const stance = own === undefined ? 'absent' : stanceOf(own, words);
  if (stance === 'affirmed') return 'M';
  if (stance === 'denied') return 'C';
  const others = attributes[attribute].filter((it) => it !== value);
  const isContradicted = others.some((it) => {
    const wording = wordingOf(attribute, it);
    return wording !== undefined && stanceOf(wording, words) === 'affirmed';
  });
  return isContradicted ? 'C' : 'N';
}

/** Claims about things that no sheet speaks of; attributes that are not on this sheet are such things as well. */
function inventions({ facts }: Sheet, words: string): string[] {
  const known = new Set<string>(facts.map(({ attribute }) => attribute));
  const claims = Object.entries(pitch.claims)
    .filter(([, phrases]) => phrases.some((phrase) => words.includes(` ${phrase} `)))
    .map(([subject]) => subject);
  const strangers = Object.entries(values)
    .filter(([attribute]) => !known.has(attribute))
    .filter(([, list]) => Object.values(list).some((wording) => stanceOf(wording, words) === 'affirmed'))
    .map(([attribute]) => attribute);
  return [...claims, ...strangers];
}

const measure =
  /\d+(?:[.,]\d+)?\s*(?:%|percent|hours?|days?|years?|months?|kg|g|cm|mm|m|l|litres?|watts?|euros?|dollars?)(?![\p{L}\d])|[$€£]\s?\d+/giu;

/** Figures with a unit that the sheet does not give. */
function measures({ facts }: Sheet, text: string): string[] {
  const known = facts.map(({ line }) => line).join('\n');
  const found = text.match(measure) ?? [];
  return found.filter((it) => !known.includes(it)).map((it) => fill(pitch.measure, { text: it }));
}
