/** What can be set: which cases there are, and whether the reference compressor is the careless one. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { listed } from '../option-fields.ts';
import { CASES, type Case } from './instance.ts';

export interface Options {
  /** In the order of {@link CASES}, each once; all of them when absent. */
  readonly cases?: readonly Case[];
  /** Records get the ratio of a reference that merges errors which begin alike. */
  readonly lossy_reference?: boolean;
}

const keys = ['cases', 'lossy_reference'] as const;

/** Checks options from a file, a setting or the command line; the error names the key and what is legal. */
export function parseOptions(raw: unknown): Checked<Options> {
  if (raw === undefined || raw === null) return accept({});
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    return refuse('log-compression options must be an object of named values');
  }
  const options: { -readonly [K in keyof Options]: Options[K] } = {};
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    if (key === 'cases') {
      const cases = parseCases(value);
      if (!cases.ok) return cases;
      options.cases = cases.value;
    } else if (key === 'lossy_reference') {
      if (typeof value !== 'boolean') return refuse(`${key} must be true or false, not ${show(value)}`);
      options.lossy_reference = value;
    } else if (key === 'seed_path') {
      return refuse('seed_path is no option here: give a file of records with --instances FILE');
    } else {
      return refuse(`log-compression has no option ${show(key)}; it has ${keys.join(', ')}`);
    }
  }
  return accept(options);
}

/** One case or several; the order in which they are named does not matter, as in the original. */
function parseCases(value: unknown): Checked<readonly Case[]> {
  const list = listed(value);
  const wrong = list.find((item) => !CASES.some((name) => name === item));
  if (list.length === 0 || wrong !== undefined) {
    return refuse(`cases must be one of ${CASES.join(', ')}, or a list of them, not ${show(wrong ?? value)}`);
  }
  return accept(CASES.filter((name) => list.includes(name)));
}

/** A value as it stands in a sentence; long ones are cut. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
