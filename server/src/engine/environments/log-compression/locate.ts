/** Reads the ids of generated records back. */
import type { InstanceOrigin } from '../environment.ts';
import { GENERATOR_VERSION, MAX_INDEX } from './generate.ts';
import { CASES } from './instance.ts';
import { CASE_SIZE } from './splits.ts';

const names: readonly string[] = CASES;
const shape = /^hs(\d+)-logs-(\w+)-([a-z_]+)-(\d{1,9})(-lossy)?$/;

/** Where the record of that id comes from. Null for an id that this version of the generator does not give. */
export function locate(id: string): InstanceOrigin | null {
  const [, version, split, name, digits, lossy] = shape.exec(id) ?? [];
  const position = names.indexOf(name ?? '');
  const number = Number(digits);
  if (split === undefined || Number(version) !== GENERATOR_VERSION || position < 0) return null;
  if (String(number) !== digits) return null;
  // Forty of each case, case after case, and then again.
  const round = Math.floor(number / CASE_SIZE);
  const index = (round * CASES.length + position) * CASE_SIZE + (number % CASE_SIZE);
  if (index > MAX_INDEX) return null;
  return { split, index, options: lossy === undefined ? {} : { lossy_reference: true } };
}
