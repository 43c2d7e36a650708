/**
 * Is an instance what it claims to be? Every check runs; reasons come in the order of the checks and are codes,
 * some with a detail after a colon. Facts are read back from the text, never taken from the record.
 */
import type { Chunk, Evidence, Instance } from './instance.ts';
import { contentWords, leadsAlone } from './overlap.ts';
import { Reader } from './reading.ts';
import { registerOf } from './registers.ts';
import { minimumSchedule } from './schedule.ts';

/** Settings that differ from those recorded in the instance. */
export interface ValidationOverrides {
  readonly min_separation?: number | undefined;
  readonly context_ceiling?: number | undefined;
  readonly assumed_summary_tokens?: number | undefined;
}

/** Reason codes of all failed checks; empty when the instance is sound. Never throws on a parsed instance. */
export function validate(instance: Instance, overrides: ValidationOverrides = {}): string[] {
  if (instance.evidence.length === 0) return ['unreachable'];
  const reader = new Reader(instance.chunks);
  return [
    ...checkEvidence(instance),
    ...checkPath(instance, reader),
    ...checkPlacement(instance, overrides.min_separation ?? instance.generator.min_separation),
    ...checkDistractors(instance, reader),
    ...checkUniqueness(instance, reader),
    ...checkShortcuts(instance),
    ...checkSchedule(instance, overrides),
  ];
}

function checkEvidence({ chunks, evidence }: Instance): string[] {
  return evidence.flatMap(({ chunk_idx, entity, value, hop }) => {
    const text = chunks[chunk_idx]?.text;
    const present = text?.includes(entity) && text.includes(value);
    return present ? [] : [`evidence_missing:hop${hop}`];
  });
}

/** A walk along current values: the chunks visited and where it ended. */
interface Walk {
  readonly answer: string | null;
  readonly visited: readonly number[];
}

/** Follows links from `name`, an entity of hop `hop`, to the asked field at the last hop. */
function walk(instance: Instance, reader: Reader, name: string, hop: number): Walk {
  const visited: number[] = [];
  let here = name;
  let type = typeOfHop(instance, hop);
  for (let i = hop; i < instance.n_hops; i++) {
    const register = registerOf(type);
    const entry = register === undefined ? null : reader.find(register.section, here);
    if (register === undefined || entry === null) return { answer: null, visited };
    visited.push(entry.chunk);
    const last = i + 1 === instance.n_hops;
    const value = entry.fields.get(last ? instance.answer_type : register.link)?.value;
    if (value === undefined) return { answer: null, visited };
    here = value;
    type = register.next;
  }
  return { answer: here, visited };
}

function typeOfHop({ evidence }: Instance, hop: number): string {
  let type = evidence[0]?.entity_type ?? '';
  for (let i = 0; i < hop; i++) type = registerOf(type)?.next ?? '';
  return type;
}

function checkPath(instance: Instance, reader: Reader): string[] {
  const { evidence, answer } = instance;
  const { answer: reached, visited } = walk(instance, reader, evidence[0]?.entity ?? '', 0);
  if (reached !== answer) return ['unreachable'];
  const same = visited.length === evidence.length && visited.every((c, i) => c === evidence[i]?.chunk_idx);
  return same ? [] : ['evidence_path_mismatch'];
}

function checkPlacement({ evidence }: Instance, separation: number): string[] {
  const reasons: string[] = [];
  if (new Set(evidence.map((hop) => hop.chunk_idx)).size < evidence.length) reasons.push('co_located');
  evidence.forEach(({ token_offset }, i) => {
    const near = evidence
      .slice(i + 1)
      .some((later) => Math.abs(later.token_offset - token_offset) < separation);
    if (near) reasons.push('separation');
  });
  return reasons;
}

function checkDistractors(instance: Instance, reader: Reader): string[] {
  const { answer, distractors, evidence } = instance;
  const reasons: string[] = [];
  for (const { kind, value, wrong_answer } of distractors) {
    if (value === answer || wrong_answer === answer) reasons.push(`distractor_reaches_answer:${kind}`);
  }
  evidence.forEach(({ entity }, hop) => {
    const register = registerOf(typeOfHop(instance, hop));
    if (register === undefined) return;
    const isLast = hop + 1 === evidence.length;
    const taken = reader
      .find(register.section, entity)
      ?.fields.get(isLast ? instance.answer_type : register.link)?.superseded;
    if (taken !== undefined && taken !== null) {
      const reached = isLast ? taken : walk(instance, reader, taken, hop + 1).answer;
      if (reached === answer) reasons.push(`superseded_path_reaches_answer:hop${hop}`);
    }
    for (const twin of distractors) {
      if (twin.kind !== 'near_miss_entity' || twin.hop !== hop) continue;
      if (walk(instance, reader, twin.entity, hop).answer === answer) {
        reasons.push(`near_miss_path_reaches_answer:hop${hop}`);
      }
    }
  });
  return reasons;
}

function checkUniqueness({ answer }: Instance, reader: Reader): string[] {
  const count = reader.countValue(answer);
  return count === 1 ? [] : [`answer_not_unique:${count}`];
}

/**
 * The chunk of a hop. A negative number counts from the end here, as it does in the published validator: it is
 * reported as missing evidence already, and the remaining checks are to say the same as there.
 */
function chunkOf({ chunks }: Instance, hop: Evidence | undefined): Chunk | undefined {
  return hop === undefined ? undefined : chunks.at(hop.chunk_idx);
}

function checkShortcuts(instance: Instance): string[] {
  const { n_hops, evidence, chunks, question } = instance;
  if (n_hops < 2) return [];
  const reasons: string[] = [];
  const answerChunk = chunkOf(instance, evidence.at(-1));
  const anchor = evidence[0]?.entity ?? '';
  if (answerChunk?.text.includes(anchor)) reasons.push('anchor_in_answer_chunk');
  const index = answerChunk === undefined ? -1 : chunks.indexOf(answerChunk);
  if (leadsAlone(contentWords(question), chunks, index)) reasons.push('answer_chunk_is_top_overlap');
  return reasons;
}

/** Left out when a hop has no chunk at all: there is nothing to schedule then. */
function checkSchedule(instance: Instance, overrides: ValidationOverrides): string[] {
  const { evidence, env, min_steps, compression_required } = instance;
  const tokens = evidence.map((hop) => chunkOf(instance, hop)?.tokens);
  if (!tokens.every((n) => n !== undefined)) return [];
  const schedule = minimumSchedule(
    tokens,
    overrides.context_ceiling ?? env.context_ceiling,
    overrides.assumed_summary_tokens ?? env.assumed_summary_tokens,
  );
  if (!schedule.solvable) return ['unsolvable_under_ceiling'];
  const same = schedule.steps === min_steps && schedule.compression === compression_required;
  return same ? [] : ['min_steps_mismatch'];
}
