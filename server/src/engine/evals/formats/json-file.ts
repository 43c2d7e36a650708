/** Small files of JSON that people may have edited. */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../problem.ts';

/**
 * What a file holds.
 *
 * @param complaint begins the error when it is something else, e.g. `is no suite`; the error continues the file's name.
 */
export function parseJsonFile<T>(
  content: string,
  schema: v.GenericSchema<unknown, T>,
  complaint: string,
): Checked<T> {
  let raw: unknown;
  try {
    raw = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return refuse('is not valid JSON');
  }
  const parsed = v.safeParse(schema, raw);
  if (parsed.success) return accept(parsed.output);
  const [issue] = parsed.issues;
  return refuse(`${complaint}: ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
}
