/** What the map's ranges say: registers are sorted by name, so a chunk's first and last name tell what it can hold. */
import type { Chunk, Evidence, Instance } from '../instance.ts';

/** Whether the entry that a hop needs can stand in `chunk`, by section and range alone. */
export function canHold(instance: Instance, chunk: Chunk, hop: Evidence): boolean {
  const section = instance.chunks[hop.chunk_idx]?.section;
  const first = chunk.entity_names[0];
  const last = chunk.entity_names.at(-1);
  if (chunk.kind !== 'register' || chunk.section !== section) return false;
  return first !== undefined && last !== undefined && first <= hop.entity && hop.entity <= last;
}

/** The names a chunk runs over, e.g. `Ida Berg – Ivo Lund`; for noise its own name in its section. */
export function rangeText(chunk: Chunk): string {
  const prefix = `${chunk.section} · `;
  return chunk.header.startsWith(prefix) ? chunk.header.slice(prefix.length) : chunk.header;
}
