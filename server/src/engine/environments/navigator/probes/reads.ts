/** Where reads went: to what was needed next, elsewhere, or back to what had been read. */
import type { Instance } from '../instance.ts';

/** Reads of one episode by kind. All kinds but the first are wasted steps. */
export interface ReadCounts {
  /** The chunk of the next unresolved hop. */
  readonly onTarget: number;
  /** Read before, whatever it is. */
  readonly again: number;
  /** Evidence, but of another hop than the next. */
  readonly outOfOrder: number;
  /** No evidence at all. */
  readonly offTarget: number;
  /** Hops whose chunks were read one after the other, first to last. */
  readonly resolved: number;
  /** Reads off target while a hop was unresolved: in another section than its chunk… */
  readonly wrongSection: number;
  /** …or in the same one. */
  readonly rightSection: number;
  /** Among those in the right section: right beside the chunk. */
  readonly adjacent: number;
  /** Summed over those in the right section: chunks of the section between the two, plus one. */
  readonly distance: number;
  /** Summed likewise: what the distance would be on average for a uniform choice of any other chunk of the section. */
  readonly distanceIfRandom: number;
}

/**
 * Sorts the chunk numbers that an episode read successfully, in order, repeats included. The first that applies of: read
 * again, on target, out of order, off target. Reading a chunk again that is the next one needed resolves its hop.
 */
export function sortReads({ evidence, chunks }: Instance, reads: readonly number[]): ReadCounts {
  const counts = {
    onTarget: 0,
    again: 0,
    outOfOrder: 0,
    offTarget: 0,
    resolved: 0,
    wrongSection: 0,
    rightSection: 0,
    adjacent: 0,
    distance: 0,
    distanceIfRandom: 0,
  };
  const needed = new Set(evidence.map((hop) => hop.chunk_idx));
  const before = new Set<number>();
  for (const read of reads) {
    const target = evidence[counts.resolved]?.chunk_idx;
    if (before.has(read)) counts.again++;
    else if (read === target) counts.onTarget++;
    else if (needed.has(read)) counts.outOfOrder++;
    else {
      counts.offTarget++;
      if (target !== undefined) measureMiss(read, target);
    }
    if (read === target) counts.resolved++;
    before.add(read);
  }
  return counts;

  function measureMiss(read: number, target: number): void {
    const section = chunks[target]?.section;
    if (chunks[read]?.section !== section) {
      counts.wrongSection++;
      return;
    }
    const ranks = chunks.filter((chunk) => chunk.section === section).map(({ idx }) => idx);
    const at = ranks.indexOf(target);
    const distance = Math.abs(ranks.indexOf(read) - at);
    counts.rightSection++;
    counts.distance += distance;
    if (distance === 1) counts.adjacent++;
    const sum = ranks.reduce((total, _, rank) => total + Math.abs(rank - at), 0);
    counts.distanceIfRandom += sum / (ranks.length - 1);
  }
}
