import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import { smallInstance } from './small-instance.ts';

/** {@link smallInstance} with a text that tells of the past, of a twin, of somebody without an entry and of notes. */
export const toldInstance: Instance = {
  ...smallInstance,
  chunks: smallInstance.chunks.map((chunk) => {
    if (chunk.idx === 0) {
      const line =
        'Coral Gull — Lead: Ida Berg [current since 2017; previously Otto Lind from 2015 to 2017]. Cost centre: CC-7. Notes: Tea with Ida Berg Jr and Otto Lind.';
      return { ...chunk, text: `${chunk.header}\n${line}` };
    }
    if (chunk.idx !== 3) return chunk;
    const lines = [
      'Ida Berg — Desk extension: 4100 from 2015 to 2017, then 4107 [current since 2017]. Unit: Quiet Optics.',
      'Ida Berg Jr — Desk extension: 4119.',
    ];
    return { ...chunk, text: [chunk.header, ...lines].join('\n'), tokens: 710 };
  }),
};
