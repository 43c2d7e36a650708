/** Reads the ids of generated instances back. */
import type { InstanceOrigin } from '../environment.ts';
import { GENERATOR_VERSION, MAX_INDEX } from './generate.ts';
import { splits } from './splits.ts';

const shape = /^hs(\d+)-(.+)-(\d{1,9})(?:-h(\d+))?(?:-t(\d+))?$/;

/** Where the instance of that id comes from. Null for an id that this version of the generator does not give. */
export function locate(id: string): InstanceOrigin | null {
  const [, version, split, index, hops, tokens] = shape.exec(id) ?? [];
  if (split === undefined || Number(version) !== GENERATOR_VERSION || Number(index) > MAX_INDEX) return null;
  // Ids of other environments may look alike.
  if (!splits.some(({ id: known }) => known === split)) return null;
  return {
    split,
    index: Number(index),
    options: {
      ...(hops === undefined ? {} : { n_hops: [Number(hops)] }),
      ...(tokens === undefined ? {} : { doc_tokens: [Number(tokens)] }),
    },
  };
}
