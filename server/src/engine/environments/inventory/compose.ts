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

let made: readonly string[] | undefined;

function phrases(): readonly string[] {
  if (made !== undefined) return made;
  const stream = openStream('inventory', 'phrases');
  const words = () => Array.from({ length: wordsInPhrase }, () => stream.pick(noise));
  made = Array.from({ length: phraseCount }, () => words().join(' '));
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
  const all = phrases();
  const lines: string[] = [];
  let line: string[] = [];
  let next = 0;
  for (let begin = 0; begin < size; begin += wordsInPhrase) {
    const phrase = stream.pick(all);
    const end = begin + wordsInPhrase;
    const isBroken = end > size || (insertions[next]?.position ?? size) < end;
    if (!isBroken) line.push(phrase);
    else {
      for (const [at, word] of phrase
        .split(' ')
        .slice(0, size - begin)
        .entries()) {
        for (; insertions[next]?.position === begin + at; next++) line.push(insertions[next]?.text ?? '');
        line.push(word);
      }
    }
    if ((end / wordsInPhrase) % phrasesOnLine === 0 && end < size) {
      lines.push(line.join(' '));
      line = [];
    }
  }
  for (; next < insertions.length; next++) line.push(insertions[next]?.text ?? '');
  lines.push(line.join(' '));
  return lines.join('\n');
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
