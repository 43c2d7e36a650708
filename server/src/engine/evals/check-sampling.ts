/** Sampling that was not given in a file: from a command line or a request of the editor. */
import { accept, type Checked, refuse } from '../problem.ts';
import { type Sampling, samplingFields, toSampling } from '../prompts/sampling.ts';
import { suggest } from '../text/nearest.ts';
import type { Fields } from './formats/json-fields.ts';

/** Checks values by key as front matter is checked; the error is half a sentence that begins with the key. */
export function checkSampling(values: Fields): Checked<Sampling> {
  const known = samplingFields.map((field) => field.key);
  for (const [key, value] of Object.entries(values)) {
    const field = samplingFields.find((it) => it.key === key);
    if (field === undefined) return refuse(`${key} is no sampling parameter.${suggest(key, known)}`);
    const { type, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, values: allowed } = field;
    if (type === 'number' || type === 'integer') {
      const isFine = typeof value === 'number' && (type === 'number' || Number.isSafeInteger(value));
      if (!isFine || !(value >= min && value <= max))
        return refuse(`${key} must be ${bounds(type, min, max)}`);
    } else if (type === 'texts') {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!list.every((item) => typeof item === 'string'))
        return refuse(`${key} must be a text or a list of texts`);
    } else if (typeof value !== 'string' || (allowed !== undefined && !allowed.includes(value))) {
      return refuse(`${key} must be one of ${(allowed ?? []).join(', ')}`);
    }
  }
  return accept(toSampling(values));
}

/** What a run, its prompt and its environment decide, and its figures stand for. */
const decided = ['model', 'messages', 'n', 'stream', 'stream_options', 'tools'];

/** Why these keys cannot be added to the body of every request, as a sentence; null when they can. */
export function extraBodyProblem(body: Fields): string | null {
  const key = decided.find((it) => Object.hasOwn(body, it));
  return key === undefined
    ? null
    : `${key} is decided by the run itself and cannot be set in the extra body.`;
}

function bounds(type: 'number' | 'integer', min: number, max: number): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (min === Number.NEGATIVE_INFINITY) return kind;
  return max === Number.POSITIVE_INFINITY ? `${kind} from ${min} on` : `${kind} from ${min} to ${max}`;
}
