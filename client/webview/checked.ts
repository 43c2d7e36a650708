/** Checking what comes in: a page and the extension are apart, and what was kept may be of another version. */
import * as v from 'valibot';

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The value, or undefined when it is not as `schema` says. */
export function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T | undefined {
  const { success, output } = v.safeParse(schema, value);
  return success ? output : undefined;
}
