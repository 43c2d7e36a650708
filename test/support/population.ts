import { generate } from '../../server/src/engine/environments/navigator/generate.ts';
import type { Instance } from '../../server/src/engine/environments/navigator/instance.ts';

/** The first `count` navigator instances of a split. */
export function population(split: string, count: number): readonly Instance[] {
  return Array.from({ length: count }, (_, index) => {
    const made = generate(split, index);
    if (!made.ok) throw new Error(made.error);
    return made.value.instance;
  });
}
