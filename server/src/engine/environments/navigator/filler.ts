/**
 * Sentences that carry no facts: the notes of entries and the lines of noise chunks.
 *
 * They hold no colon and no digit, so that none can be read back as a field or hold a candidate answer. Every
 * template has the same chance, and so has every way of filling it. A sentence is made when it is first wanted
 * and kept, since the whole stock is a few megabytes and a document uses about two thousand of them.
 */
import type { Stream } from '../../random/stream.ts';
import { countTokens } from '../../text/tokens.ts';

const slots = {
  group: [
    'the allotment society',
    'the canteen staff',
    'the cleaning crew',
    'the evening class',
    'the fire wardens',
    'the gardening club',
    'the house committee',
    'the porters',
    'the staff choir',
    'the volunteers',
  ],
  item: [
    'bicycle racks',
    'blinds',
    'coat hooks',
    'coffee machine',
    'door mats',
    'first aid boxes',
    'flower beds',
    'hand dryers',
    'key cabinet',
    'ladders',
    'lockers',
    'lost property shelf',
    'notice boards',
    'paper shredder',
    'recycling bins',
    'spare chairs',
    'stair carpet',
    'step stools',
    'umbrella stand',
    'water cooler',
  ],
  time: [
    'after lunch',
    'at the weekend',
    'before the holidays',
    'during the heatwave',
    'early in the week',
    'in the autumn',
    'late in the afternoon',
    'on the open day',
    'over the winter',
    'this month',
  ],
  place: [
    'the attic',
    'the back stairs',
    'the bicycle shed',
    'the corridor',
    'the courtyard',
    'the entrance hall',
    'the furnace room',
    'the kitchen',
    'the lift lobby',
    'the lower car park',
    'the reading room',
    'the roof terrace',
  ],
} as const;

type Slot = keyof typeof slots;

const templates = [
  'A leaflet about the {item} was left in {place} {time}.',
  'Anyone who borrows from {group} should bring the {item} back {time}.',
  'Dust from {place} has settled on the {item} again.',
  'Fresh labels for the {item} were printed {time}.',
  'It was agreed {time} that {group} may keep using {place}.',
  'Mud was swept out of {place} {time} by {group}.',
  'Nobody has claimed the {item} found in {place}.',
  'One visitor praised {group} and asked where the {item} came from.',
  'Paint samples for {place} can be viewed {time}.',
  'Please leave the {item} as they were found, as {group} requested {time}.',
  'Quotes for new {item} were collected {time} and then set aside.',
  'Some of {group} would rather meet in {place}.',
  'Thanks are due to {group} for tidying {place} {time}.',
  'The {item} in {place} squeak, though less than they did.',
  'The radio in {place} was turned down {time}.',
  'The tea fund kept by {group} was counted {time}.',
  'There was talk {time} of moving the {item} to {place}.',
  'Two of {group} offered to photograph {place}.',
] as const;

/** A sentence and its length in tokens. */
export interface Sentence {
  /** With the blank that parts it from what stands before. */
  readonly text: string;
  readonly tokens: number;
}

/** One template with its slots, and the sentences made from it so far, by the number of their filling. */
interface Frame {
  readonly parts: readonly string[];
  readonly fillers: readonly (readonly string[])[];
  readonly variants: number;
  readonly made: (Sentence | undefined)[];
}

const frames: readonly Frame[] = templates.map(frame);

function frame(template: string): Frame {
  const pieces = template.split(/\{(\w+)\}/);
  const fillers = pieces.filter((_, i) => i % 2 === 1).map((name) => slots[name as Slot]);
  const variants = fillers.reduce((product, filler) => product * filler.length, 1);
  return { parts: pieces.filter((_, i) => i % 2 === 0), fillers, variants, made: new Array(variants) };
}

function fill(template: Frame, variant: number): Sentence {
  const pieces = [' ', template.parts[0]];
  let rest = variant;
  template.fillers.forEach((filler, i) => {
    pieces.push(filler[rest % filler.length], template.parts[i + 1]);
    rest = Math.floor(rest / filler.length);
  });
  const text = pieces.join('');
  return { text, tokens: countTokens(text) };
}

/** A uniformly chosen sentence. */
export function drawSentence(stream: Stream): Sentence {
  const template = frames[stream.below(frames.length)] as Frame;
  const variant = stream.below(template.variants);
  const made = template.made[variant];
  if (made !== undefined) return made;
  const sentence = fill(template, variant);
  template.made[variant] = sentence;
  return sentence;
}

/** Headings of the noise sections. */
export const noiseSections: readonly string[] = [
  'Building Chronicle',
  'Canteen Minutes',
  'Club News',
  'Grounds Diary',
  'Housekeeping Log',
  'Suggestion Box',
  'Visitors Book',
  'Weather Remarks',
];
