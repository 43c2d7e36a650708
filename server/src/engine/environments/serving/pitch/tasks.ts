/** Products with sheets, and the tasks to pitch them. */
import pitch from '../../../../../../prompts/serving/pitch.json' with { type: 'json' };
import { openStream, type Stream } from '../../../random/stream.ts';
import type { Evaluator } from '../evaluator.ts';
import { fill } from '../fill.ts';
import type { PitchOwn } from '../instance.ts';
import type { Phase, Tier } from '../scenarios.ts';
import { wordingOf } from './lexicon.ts';
import { attributes, attributesOf, type Fact, type Persona, personaOf, type Sheet, weigh } from './tastes.ts';

/** A product without its facts. Its name occurs once in a scenario. */
export interface Product {
  readonly name: string;
  readonly category: string;
}

/** The products of a scenario: 480 in the first tier, 640 in the others. */
export function buildProducts(key: string, tier: Tier): Product[] {
  const stream = openStream('pitch-world', key);
  const size = tier === 1 ? 480 : 640;
  const numbers = stream.shuffle(Array.from({ length: 900 }, (_, at) => at + 100));
  const categories = Object.entries(pitch.categories);
  return Array.from({ length: size }, (_, at) => {
    const [category, names] = categories[at % categories.length] ?? ['', []];
    return { category, name: `${stream.pick(names)} ${numbers[at]}` };
  });
}

export interface PitchTask {
  readonly own: PitchOwn;
  readonly evaluator: Evaluator;
  readonly text: string;
}

/** Makes the task to pitch a product in a window; its sheet has something that is liked and something that is not. */
export function makePitchTask(
  stream: Stream,
  product: Product,
  tier: Tier,
  phase: Phase,
  window: number,
): PitchTask {
  const persona = personaOf(tier, window);
  const sheet = { ...product, facts: drawFacts(stream, tier, phase, persona) };
  return {
    own: { domain: 'pitch', sheet, persona },
    evaluator: { slice: 'adapt', family: persona, actions: [], answer: { kind: 'pitch' } },
    text: fill(stream.pick(pitch.tasks[phase]), { ...product, facts: sheetText(sheet) }),
  };
}

function drawFacts(stream: Stream, tier: Tier, phase: Phase, persona: Persona): Fact[] {
  for (;;) {
    const facts = attributesOf(tier).map((attribute): Fact => {
      const value = stream.pick<string>(attributes[attribute]);
      const lines = wordingOf(attribute, value)?.lines[phase] ?? [value];
      return { attribute, value, line: stream.pick(lines) };
    });
    const weights = facts.map((fact) => weigh(persona, fact));
    if (weights.some((it) => it > 0) && weights.some((it) => it < 0)) return facts;
  }
}

const labels: Readonly<Record<string, string>> = pitch.labels;

/** The facts as the agent reads them, a line each. */
function sheetText({ facts }: Sheet): string {
  return facts
    .map(({ attribute, line }) => fill(pitch.fact, { line: `${labels[attribute] ?? attribute}: ${line}` }))
    .join('\n');
}

/** What the customers of a task care about, in words. */
export function pitchBulletin(tier: Tier, persona: Persona): string {
  const texts: Readonly<Record<string, unknown>> = pitch.bulletin;
  const lines = attributesOf(tier).flatMap((attribute) =>
    attributes[attribute].flatMap((value) => {
      const text = texts[String(weigh(persona, { attribute, value }))];
      const what = `${labels[attribute] ?? attribute}: ${value.replaceAll('_', ' ')}`;
      return typeof text === 'string' ? [`- ${fill(text, { what })}`] : [];
    }),
  );
  return [pitch.bulletin.heading, ...lines, pitch.bulletin.rest].join('\n');
}

/** A pitch of the given facts in the lexicon's own words, between 40 and 80 of them where there is room. */
export function composePitch({ name }: Sheet, facts: readonly Fact[]): string {
  const [opening = '', ...rest] = pitch.filler;
  const sentences = [
    fill(opening, { name }),
    ...facts.map(({ attribute, value }) => wordingOf(attribute, value)?.say ?? ''),
  ];
  const words = () => sentences.join(' ').split(' ').length;
  for (const sentence of rest) if (words() < 40) sentences.push(sentence);
  return sentences.join(' ');
}
