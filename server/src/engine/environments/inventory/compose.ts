/** Chunks of noise with operations and distractors between their words. */
import { openStream, type Stream } from '../../random/stream.ts';
import { type Distractor, type Operation, printOperation } from './instance.ts';
import { noise } from './words.ts';

/**
 * Noise is put together from phrases of four words, which are drawn once: a million words then take milliseconds. Every
 * word is still as likely as any other.
 */
const wordsInPhrase = 4;
const phraseCount = 16_384;

/** Phrases on a line. Lines mean nothing; they are there to be read. */
const phrasesOnLine = 4;

/** All phrases, each with the blank or the line break that follows it. */
interface Phrases {
  readonly inLine: readonly string[];
  readonly atEnd: readonly string[];
}

let made: Phrases | undefined;

function phrases(): Phrases {
  if (made !== undefined) return made;
  const stream = openStream('inventory', 'phrases');
  const words = () => Array.from({ length: wordsInPhrase }, () => stream.pick(noise));
  const all = Array.from({ length: phraseCount }, () => words().join(' '));
  made = { inLine: all.map((phrase) => `${phrase} `), atEnd: all.map((phrase) => `${phrase}\n`) };
  return made;
}

/** Something that stands between two noise words. */
interface Insertion {
  /** How many noise words stand before it. */
  readonly position: number;
  readonly text: string;
}

/**
 * The text of one chunk: `size` noise words, and everything else at places drawn uniformly. Operations keep their order.
 */
export function composeChunk(
  stream: Stream,
  size: number,
  operations: readonly Operation[],
  distractors: readonly Distractor[],
): string {
  const insertions = placeAll(stream, size, operations, distractors);
  const { inLine, atEnd } = phrases();
  const pieces: string[] = [];
  let next = 0;
  let phrase = 0;
  for (let begin = 0; begin < size; begin += wordsInPhrase) {
    phrase = phrase === phrasesOnLine ? 1 : phrase + 1;
    const text = stream.pick(phrase === phrasesOnLine ? atEnd : inLine);
    const end = begin + wordsInPhrase;
    const isWhole = end <= size && (insertions[next]?.position ?? size) >= end;
    if (isWhole) {
      pieces.push(text);
      continue;
    }
    for (const [at, word] of text
      .trimEnd()
      .split(' ')
      .slice(0, size - begin)
      .entries()) {
      for (; insertions[next]?.position === begin + at; next++) pieces.push(`${insertions[next]?.text} `);
      pieces.push(at + 1 === wordsInPhrase ? word + text.charAt(text.length - 1) : `${word} `);
    }
  }
  for (; next < insertions.length; next++) pieces.push(`${insertions[next]?.text} `);
  return pieces.join('').trimEnd();
}

/** Everything that is no noise with its place, first things first. */
function placeAll(
  stream: Stream,
  size: number,
  operations: readonly Operation[],
  distractors: readonly Distractor[],
): readonly Insertion[] {
  const places = operations.map(() => stream.below(size + 1)).sort((a, b) => a - b);
  return [
    ...operations.map((operation, at) => ({ position: places[at] ?? 0, text: printOperation(operation) })),
    ...distractors.map(({ text }) => ({ position: stream.below(size + 1), text })),
  ].sort((a, b) => a.position - b.position); // stable: operations at one place stay in order
}
