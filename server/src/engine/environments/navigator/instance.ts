/**
 * A navigator instance in memory is the published JSON schema itself, field for field: what the original
 * package writes can be read, validated, played and scored here, and the reverse.
 *
 * Chunk ids are positions in the document, counted from 0. All `tokens` are navigator tokens (see tokens.ts).
 */

export type EntityType = 'project' | 'person' | 'department' | 'facility' | 'region' | 'vendor';

export interface Chunk {
  readonly idx: number;
  readonly section: string;
  /** The first line of `text`. */
  readonly header: string;
  readonly kind: 'register' | 'noise';
  readonly text: string;
  /** What reading the chunk costs. */
  readonly tokens: number;
  /** In text order; empty for noise. */
  readonly entity_names: readonly string[];
}

/** One hop: in chunk `chunk_idx`, `entity` has `field` = `value`, the next hop's entity or the answer. */
export interface Evidence {
  readonly hop: number;
  readonly chunk_idx: number;
  readonly entity_type: string;
  readonly entity: string;
  readonly field: string;
  readonly value: string;
  /** Start of the entry in the document; newlines count as one token here. */
  readonly token_offset: number;
}

export type DistractorKind = 'near_miss_entity' | 'near_miss_value' | 'superseded_link' | 'superseded_value';

/** Something that looks like evidence. `wrong_answer` is where following it ends, null when nowhere. */
export interface Distractor {
  readonly kind: string;
  readonly hop: number;
  readonly chunk_idx: number;
  readonly entity: string;
  readonly value: string;
  readonly wrong_answer: string | null;
}

export interface GeneratorRecord {
  readonly chunk_min_tokens: number;
  readonly chunk_max_tokens: number;
  readonly entries_per_chunk_min: number;
  readonly entries_per_chunk_max: number;
  /** Least distance between two hops' entries, in tokens. */
  readonly min_separation: number;
  readonly n_distractors: number;
  readonly superseded_prob: number;
  readonly near_miss_value_spread: number;
  readonly noise_ratio: number;
  readonly confound_tolerance: number;
  readonly max_regeneration_attempts: number;
  readonly tokenizer: string;
  /** The attempt that was accepted, counted from 1. */
  readonly attempts: number;
}

export interface EnvironmentRecord {
  readonly context_ceiling: number;
  readonly assumed_summary_tokens: number;
  readonly step_budget: number;
}

export interface Instance {
  readonly id: string;
  readonly seed: number;
  readonly split: string;
  readonly n_hops: number;
  readonly doc_tokens_target: number;
  readonly doc_tokens: number;
  readonly question: string;
  readonly answer: string;
  /** The asked attribute, e.g. `Badge number`. */
  readonly answer_type: string;
  readonly answer_entity_type: string;
  readonly chunks: readonly Chunk[];
  readonly evidence: readonly Evidence[];
  readonly distractors: readonly Distractor[];
  /** Every current value of the asked attribute in the document, sorted as strings. */
  readonly candidate_answers: readonly string[];
  readonly min_reads: number;
  readonly min_steps: number;
  readonly compression_required: boolean;
  readonly answer_aliases: readonly string[];
  readonly substrate: string;
  readonly generator: GeneratorRecord;
  readonly env: EnvironmentRecord;
}
