/** What a run folder of another program says of its run as a whole. */
import { toSampling } from '../../prompts/sampling.ts';
import type { RunInfo } from '../run-data.ts';
import { asCount, asFields, asList, asText, type Fields } from './json-fields.ts';

/** What is known before anything is read. */
export interface FolderFacts {
  readonly folder: string;
  /** The last part of its path. */
  readonly name: string;
}

/**
 * From `metadata.json` of the older format.
 *
 * @param rows lines that are episodes.
 */
export function infoOfResults(metadata: unknown, rows: number, { folder, name }: FolderFacts): RunInfo {
  const fields = asFields(metadata);
  const rollouts = asCount(fields['rollouts_per_example']) || 1;
  const examples = asCount(fields['num_examples']) ?? 0;
  const environment = asText(fields['env_id']) ?? '';
  return {
    ...foreign(folder, name, 'results'),
    environment,
    options: asFields(fields['env_args']),
    label: environment === '' ? name : environment,
    rollouts,
    shuffleSeed: fields['shuffle'] === true ? asCount(fields['shuffle_seed']) : null,
    agent: {
      kind: 'model',
      model: asText(fields['model']) ?? '',
      baseUrl: asText(fields['base_url']),
      sampling: toSampling(asFields(fields['sampling_args'])),
      extraBody: {},
    },
    requested: Math.max(rows, examples * rollouts),
  };
}

/**
 * From the first line of `traces.jsonl` and, where it is there, `configs/eval.json`.
 *
 * @param rows lines that are episodes.
 * @param rollouts most episodes on one instance.
 */
export function infoOfTraces(
  config: unknown,
  first: unknown,
  rows: number,
  rollouts: number,
  { folder, name }: FolderFacts,
): RunInfo {
  const settings = asFields(config);
  const row = asFields(first);
  const trace = asFields(asList(row['traces'])[0] ?? row);
  const call = asFields(asList(trace['calls'])[0]);
  const agent = asFields(asFields(trace['agent'])['config']);
  const environment =
    asText(asFields(row['env'])['id']) ?? nameIn(settings, ['env', 'environment', 'taskset']) ?? '';
  const model =
    asText(call['model']) ?? asText(agent['model']) ?? nameIn(settings, ['model']) ?? asText(row['model']);
  return {
    ...foreign(folder, name, 'traces'),
    environment,
    options: {},
    label: environment === '' ? name : environment,
    rollouts,
    shuffleSeed: null,
    agent: {
      kind: 'model',
      model: model ?? '',
      baseUrl: null,
      sampling: toSampling(asFields(call['sampling'] ?? settings['sampling'])),
      extraBody: {},
    },
    requested: rows,
  };
}

/** The text under one of `keys`, or the `id` of what is there. */
function nameIn(fields: Fields, keys: readonly string[]): string | null {
  for (const key of keys) {
    const name = asText(fields[key]) ?? asText(asFields(fields[key])['id']);
    if (name !== null) return name;
  }
  return null;
}

function foreign(
  folder: string,
  id: string,
  format: 'traces' | 'results',
): Omit<RunInfo, 'environment' | 'options' | 'label' | 'rollouts' | 'shuffleSeed' | 'agent' | 'requested'> {
  return {
    id,
    folder,
    format,
    identity: null,
    created: null,
    generatorVersion: null,
    split: null,
    suite: null,
    prompt: null,
  };
}
