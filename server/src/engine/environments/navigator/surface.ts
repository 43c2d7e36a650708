/**
 * What can be seen of a register chunk without understanding it: its place, its size and its likeness to the
 * question. None of these may tell where the evidence is, which the population audit checks over many instances.
 */
import type { Instance } from './instance.ts';
import { contentWords, overlap } from './overlap.ts';

/** One register chunk of one instance: its surface features, then what they must not give away. */
export interface SurfaceRow {
  /** Id of the instance. */
  readonly instance: string;
  readonly n_hops: number;
  /** Place in the document, 0 for its first chunk to 1 for its last. */
  readonly pos_global: number;
  /** Place among the chunks of its section, 0 to 1. */
  readonly pos_in_section: number;
  /** Tokens. */
  readonly length: number;
  readonly n_entries: number;
  /** Share of the question's content words that the chunk holds. */
  readonly overlap: number;
  readonly is_evidence: boolean;
  /** Whether it holds the answer, as the instance records it. */
  readonly is_answer: boolean;
  readonly in_answer_section: boolean;
}

/** A row for every register chunk, in document order. */
export function surfaceRows(instance: Instance): readonly SurfaceRow[] {
  const words = contentWords(instance.question);
  const evidence = new Set(instance.evidence.map((hop) => hop.chunk_idx));
  const answer = instance.evidence.at(-1)?.chunk_idx;
  const answerSection = instance.chunks.find((chunk) => chunk.idx === answer)?.section;
  const registers = instance.chunks.filter((chunk) => chunk.kind === 'register');
  const sizes = new Map<string, number>();
  for (const { section } of registers) sizes.set(section, (sizes.get(section) ?? 0) + 1);

  const ranks = new Map<string, number>();
  return registers.map((chunk) => {
    const rank = ranks.get(chunk.section) ?? 0;
    ranks.set(chunk.section, rank + 1);
    return {
      instance: instance.id,
      n_hops: instance.n_hops,
      pos_global: place(chunk.idx, instance.chunks.length),
      pos_in_section: place(rank, sizes.get(chunk.section) ?? 0),
      length: chunk.tokens,
      n_entries: chunk.entity_names.length,
      overlap: overlap(words, chunk.text),
      is_evidence: evidence.has(chunk.idx),
      is_answer: chunk.idx === answer,
      in_answer_section: chunk.section === answerSection,
    };
  });
}

/** `index` of `count` things as a share of the way, 0 for the first to 1 for the last; 0 for an only one. */
function place(index: number, count: number): number {
  return index / Math.max(1, count - 1);
}
