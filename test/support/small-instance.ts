/** A navigator instance small enough to follow by eye: two hops, five register chunks, two runs of noise. */
import type { Chunk, Instance } from '../../server/src/engine/environments/navigator/instance.ts';
import { generatorSettings } from '../../server/src/engine/environments/navigator/splits.ts';

type Line = readonly [section: string, names: string, body: string, tokens: number];

const lines: readonly Line[] = [
  ['Project Register', 'Amber Finch – Coral Gull', 'Coral Gull — Lead: Ida Berg.', 300],
  ['Canteen Minutes', 'entry 1', '2019 — The soup was discussed.', 320],
  ['Canteen Minutes', 'entry 2', '2020 — The soup was discussed again.', 341],
  ['Personnel Directory', 'Ida Berg – Ida Berg Jr', 'Ida Berg — Desk extension: 4107.', 310],
  ['Personnel Directory', 'Otto Lind', 'Otto Lind — Desk extension: 4117.', 290],
  ['Stores Notices', 'entry 1', '2021 — The lift was oiled.', 333],
  ['Project Register', 'Jade Stork', 'Jade Stork — Lead: Otto Lind.', 301],
];

function chunk([section, names, body, tokens]: Line, idx: number): Chunk {
  const header = `${section} · ${names}`;
  const isNoise = names.startsWith('entry');
  return {
    idx,
    section,
    header,
    kind: isNoise ? 'noise' : 'register',
    text: `${header}\n${body}`,
    tokens,
    entity_names: isNoise ? [] : names.split(' – '),
  };
}

/** Ceiling 600, step budget 14, answer `4107` in 4 steps; the twin `Ida Berg Jr` has 4119. */
export const smallInstance: Instance = {
  id: 'train-small',
  seed: 1,
  split: 'train',
  n_hops: 2,
  doc_tokens_target: 2000,
  doc_tokens: 2195,
  question: 'What is the desk extension of the lead of project Coral Gull?',
  answer: '4107',
  answer_type: 'Desk extension',
  answer_entity_type: 'person',
  chunks: lines.map(chunk),
  evidence: [
    {
      hop: 0,
      chunk_idx: 0,
      entity_type: 'project',
      entity: 'Coral Gull',
      field: 'Lead',
      value: 'Ida Berg',
      token_offset: 9,
    },
    {
      hop: 1,
      chunk_idx: 3,
      entity_type: 'person',
      entity: 'Ida Berg',
      field: 'Desk extension',
      value: '4107',
      token_offset: 972,
    },
  ],
  distractors: [
    {
      kind: 'near_miss_entity',
      hop: 1,
      chunk_idx: 3,
      entity: 'Ida Berg Jr',
      value: '4119',
      wrong_answer: '4119',
    },
    {
      kind: 'superseded_link',
      hop: 0,
      chunk_idx: 0,
      entity: 'Coral Gull',
      value: 'Otto Lind',
      wrong_answer: '4117',
    },
  ],
  candidate_answers: ['4107', '4117', '4119'],
  min_reads: 2,
  min_steps: 4,
  compression_required: true,
  answer_aliases: [],
  substrate: 'synthetic',
  generator: { ...generatorSettings, attempts: 1 },
  env: { context_ceiling: 600, assumed_summary_tokens: 32, step_budget: 14 },
};
