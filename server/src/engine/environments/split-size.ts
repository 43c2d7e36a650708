/** How many instances a split has under the options of a user. */
import type { AnyInstance, Environment, Split } from './environment.ts';

/** `split` with the size it has under checked `options`. */
export function sizedSplit<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  split: Split,
  options: O,
): Split {
  const size = environment.sizeOf?.(split.id, options) ?? split.size;
  return size === split.size ? split : { ...split, size };
}
