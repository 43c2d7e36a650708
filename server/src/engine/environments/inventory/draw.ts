/** What happens in an instance, drawn without its noise: operations in order, and distractors. */
import type { Stream } from '../../random/stream.ts';
import { type Distractor, type Operation, type OperationKind, printOperation } from './instance.ts';
import type { Options } from './options.ts';
import { adjectives, nouns } from './words.ts';

/** From how many operations on at least one is a DROP: without any, never dropping would do. */
const leastForDrop = 3;

/** With what probability an operation is a DROP while something is held. */
const dropShare = 0.4;

export interface Drawn {
  readonly operations: readonly Operation[];
  /** How often the sequence was drawn; all but the last one had no DROP. */
  readonly attempts: number;
}

/**
 * Draws the operations: the first is a GET; then a DROP of something held with probability 0.4, otherwise a GET. No key
 * is got twice. Chunks are drawn uniformly and sorted, so that operations keep their order.
 */
export function drawOperations(stream: Stream, { n_chunks, n_ops }: Options): Drawn {
  const kinds = drawKinds(stream, n_ops);
  const chunks = Array.from({ length: n_ops }, () => stream.below(n_chunks)).sort((a, b) => a - b);
  const used = new Set<string>();
  const held: string[] = [];
  const operations = kinds.list.map((kind, at): Operation => {
    const chunk = chunks[at] ?? 0;
    if (kind === 'GET') {
      const key = drawKey(stream, used);
      used.add(key);
      held.push(key);
      return { kind, key, chunk };
    }
    const [key = ''] = held.splice(stream.below(held.length), 1);
    return { kind, key, chunk };
  });
  return { operations, attempts: kinds.attempts };
}

function drawKinds(stream: Stream, count: number): { list: readonly OperationKind[]; attempts: number } {
  for (let attempts = 1; ; attempts++) {
    const list: OperationKind[] = [];
    let held = 0;
    for (let at = 0; at < count; at++) {
      const drops = held > 0 && stream.chance(dropShare);
      list.push(drops ? 'DROP' : 'GET');
      held += drops ? -1 : 1;
    }
    if (count < leastForDrop || list.includes('DROP')) return { list, attempts };
  }
}

/** A key that is not among `used`, of which there are at most half of all keys. */
function drawKey(stream: Stream, used: ReadonlySet<string>): string {
  for (;;) {
    const key = `${stream.pick(adjectives)}-${stream.pick(nouns)}`;
    if (!used.has(key)) return key;
  }
}

/** Draws distractors: names and look-alike tags, half of them of keys that occur in the operations. */
export function drawDistractors(
  stream: Stream,
  { n_chunks, distractors }: Options,
  operations: readonly Operation[],
): readonly Distractor[] {
  const known = [...new Set(operations.map(({ key }) => key))];
  const used = new Set(known);
  return Array.from({ length: distractors }, (): Distractor => {
    const chunk = stream.below(n_chunks);
    const isBare = stream.chance(0.5);
    const isKnown = stream.chance(0.5) && known.length > 0;
    const key = isKnown ? stream.pick(known) : drawKey(stream, used);
    if (isBare) return { kind: 'bare', key, chunk, text: key };
    const kind = stream.chance(0.5) ? 'GET' : 'DROP';
    const text = printOperation({ kind, key }).replace(kind, kind.toLowerCase());
    return { kind: 'look-alike', key, chunk, text };
  });
}
