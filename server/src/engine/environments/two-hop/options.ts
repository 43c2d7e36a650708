/** What can be set: which part of the data is used, and what a reply is worth. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { nearestName } from '../../text/nearest.ts';
import { listed } from '../option-fields.ts';
import type { Catalogue, Selection } from './catalogue.ts';
import type { Grade } from './grade.ts';
import { show } from './show.ts';

/** How much each figure counts; a figure that says nothing about a reply counts nothing. */
export type Weights = Readonly<Record<keyof Grade, number>>;

export interface Options extends Selection {
  readonly weights: Weights;
}

/** The published ones: what is asked for is an answer that holds the right one. */
export const defaultWeights: Weights = {
  correct: 1,
  strict_answer: 0,
  first_hop_mentioned: 0,
  valid_cot: 0,
  answer_spam: 0,
  answered: 0,
};

/** Beyond this a weight says nothing, and sums over many episodes would not stay finite. */
export const weightRange = [-1_000_000, 1_000_000] as const;

/** Rows that a file may be asked for. */
export const mostPerFile = [1, 10_000] as const;

const keys = ['domains', 'relations', 'max_per_file', 'weights'];

/** Checks options against what there is in the data; the error names the key and what is legal. */
export function parseOptions(raw: unknown, catalogue: Catalogue): Checked<Options> {
  if (raw === undefined || raw === null) return accept({ weights: defaultWeights });
  if (!isRecord(raw)) return refuse('two-hop options must be an object of named values');
  const unknown = Object.keys(raw).find((key) => !keys.includes(key));
  if (unknown === 'condition') return refuse('the condition is not an option but the split');
  if (unknown !== undefined) {
    return refuse(`two-hop has no option ${show(unknown)}; it has ${keys.join(', ')}`);
  }
  const domains = parseNames('domains', raw['domains'], catalogue.domains);
  if (!domains.ok) return domains;
  const relations = parseNames('relations', raw['relations'], catalogue.relations);
  if (!relations.ok) return relations;
  const most = parseMost(raw['max_per_file']);
  if (!most.ok) return most;
  const weights = parseWeights(raw['weights']);
  if (!weights.ok) return weights;
  const options: Options = {
    ...(domains.value ? { domains: domains.value } : {}),
    ...(relations.value ? { relations: relations.value } : {}),
    ...(most.value === undefined ? {} : { max_per_file: most.value }),
    weights: weights.value,
  };
  if (catalogue.chosen('nocot', options).length > 0) return accept(options);
  const where = domains.value?.join(', ') ?? 'the data';
  return refuse(`relations must name some of ${where}, which has none called ${relations.value?.join(', ')}`);
}

/** Names as a list, or as one text with commas between them; undefined when not given. */
function parseNames(
  key: string,
  raw: unknown,
  known: readonly string[],
): Checked<readonly string[] | undefined> {
  if (raw === undefined) return accept(undefined);
  const list = listed(raw);
  const names = list.flatMap((name) => (typeof name === 'string' ? [name.trim()] : []));
  if (names.length === 0 || names.length < list.length) {
    return refuse(`${key} must be a name or a list of names, not ${show(raw)}`);
  }
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return accept([...new Set(names)].sort());
  const nearest = nearestName(unknown, known);
  const help = nearest === null ? `known are ${known.join(', ')}` : `the nearest is ${nearest}`;
  return refuse(`${key} names ${show(unknown)}, which is not in the data; ${help}`);
}

function parseMost(raw: unknown): Checked<number | undefined> {
  if (raw === undefined) return accept(undefined);
  const [low, high] = mostPerFile;
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= low && raw <= high) return accept(raw);
  return refuse(`max_per_file must be a whole number from ${low} to ${high}, not ${show(raw)}`);
}

function parseWeights(raw: unknown): Checked<Weights> {
  if (raw === undefined) return accept(defaultWeights);
  if (!isRecord(raw)) return refuse('weights must be an object of named numbers');
  for (const [key, value] of Object.entries(raw)) {
    if (!Object.hasOwn(defaultWeights, key)) {
      return refuse(`weights has no ${show(key)}; it has ${Object.keys(defaultWeights).join(', ')}`);
    }
    const [low, high] = weightRange;
    if (typeof value !== 'number' || !(value >= low && value <= high)) {
      return refuse(`weights.${key} must be a number from ${low} to ${high}, not ${show(value)}`);
    }
  }
  return accept({ ...defaultWeights, ...raw });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
