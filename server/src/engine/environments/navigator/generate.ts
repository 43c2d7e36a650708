/**
 * The generator: the instance at an index of a split, drawn until the validator accepts it.
 *
 * An instance depends on the generator version, the split, the index and, when they are given, the options for
 * hops and size. The split is part of the key of every stream, so no two splits share an instance.
 */
import { accept, type Checked, refuse } from '../../problem.ts';
import { openStream, type Stream } from '../../random/stream.ts';
import { counted, grouped } from '../../text/numbers.ts';
import type { Generated, Listing } from '../environment.ts';
import { compose, type Place } from './compose.ts';
import { type Cast, documentSizes, drawCast, type Entity, type Link } from './entities.ts';
import type { Chunk, Distractor, Evidence, Instance } from './instance.ts';
import { published, stepBudget } from './options.ts';
import { type Attribute, formatValue } from './registers.ts';
import { minimumSchedule } from './schedule.ts';
import { generatorSettings, type NavigatorSplit, splits } from './splits.ts';
import { validate } from './validate.ts';

/** Raised whenever the same split and index would give other bytes. */
export const GENERATOR_VERSION = 1;

/** Indices run from 0 to this, far beyond every published size. */
export const MAX_INDEX = 999_999_999;

/** What may be asked of the generator; absent means as the split has it. */
export interface GenerationOptions {
  /** Hop counts to draw from, each 1 to 20. */
  readonly n_hops?: readonly number[] | undefined;
  /** Document sizes to draw from, in tokens. */
  readonly doc_tokens?: readonly number[] | undefined;
}

/**
 * Generates the instance at `index` of `split`.
 *
 * @param index 0 to {@link MAX_INDEX}; indices at or above the split's size give fresh instances
 * @param most attempts after which it gives up; the published number unless told otherwise
 * @returns an error for an unknown split, an index out of range, or when no attempt was accepted
 */
export function generate(
  splitId: string,
  index: number,
  options: GenerationOptions = {},
  most: number = generatorSettings.max_regeneration_attempts,
): Checked<Generated<Instance>> {
  const planned = plan(splitId, index, options);
  if (!planned.ok) return planned;
  const { split, hops, target, key } = planned.value;
  const reasons: Record<string, number> = {};
  for (let attempt = 0; attempt < most; attempt++) {
    const request = { split, index, hops, target, seed: index * 1000 + attempt, attempt, options };
    const made = makeAttempt(openStream(...key, index, attempt), request);
    const rejected = typeof made === 'string' ? [made] : validate(made);
    if (typeof made !== 'string' && rejected.length === 0) {
      return accept({ instance: made, attempts: attempt + 1, reasons });
    }
    for (const reason of rejected) {
      const code = reason.split(':', 1)[0] as string;
      reasons[code] = (reasons[code] ?? 0) + 1;
    }
  }
  const counts = Object.entries(reasons).map(([code, n]) => `${code} ${counted(n, 'time')}`);
  const several = Object.values(reasons).reduce((sum, n) => sum + n, 0) > most;
  return refuse(
    `none of ${most} attempts at ${split.id} ${index} (${counted(hops, 'hop')}, ${grouped(target)} tokens) was accepted: ` +
      `${counts.join(', ')}${several ? ' (one attempt can have several reasons)' : ''}; ` +
      'choose fewer hops or another document size',
  );
}

/** What the first draws decide. */
interface Plan {
  readonly split: NavigatorSplit;
  readonly hops: number;
  readonly target: number;
  /** Opens the key of every stream of this split. */
  readonly key: readonly (string | number)[];
}

function plan(splitId: string, index: number, options: GenerationOptions): Checked<Plan> {
  const split = splits.find((candidate) => candidate.id === splitId);
  if (split === undefined) {
    return refuse(`there is no split "${splitId}"; the navigator has ${splits.map((s) => s.id).join(', ')}`);
  }
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    return refuse(`index ${index} is out of range; give a whole number from 0 to ${MAX_INDEX}`);
  }
  // Any wording of the key gives the same distributions. Under this one the few rejections of the two small
  // splits also come close to the published counts, which chance alone would often miss by a factor of two.
  const key = ['hopscope', 'instances', 'navigator', GENERATOR_VERSION, split.id];
  const draw = openStream(...key, index);
  const hops = draw.pick(options.n_hops ?? split.hops);
  const target = draw.pick(options.doc_tokens ?? split.docTokens);
  return accept({ split, hops, target, key });
}

/** Id, hops and size of the instance at `index` of `split`, without making it: some microseconds. Errors as there. */
export function listing(splitId: string, index: number, options: GenerationOptions = {}): Checked<Listing> {
  const planned = plan(splitId, index, options);
  if (!planned.ok) return planned;
  const { split, hops, target } = planned.value;
  const id = instanceId({ split, index, hops, target, options });
  return accept({ id, groups: { n_hops: hops, doc_tokens: target } });
}

interface Request {
  readonly split: NavigatorSplit;
  readonly index: number;
  readonly hops: number;
  readonly target: number;
  readonly seed: number;
  readonly attempt: number;
  readonly options: GenerationOptions;
}

/** One attempt: an instance yet to be validated, or the reason code why there is none. */
function makeAttempt(stream: Stream, request: Request): Instance | string {
  const { split, hops, target, seed } = request;
  const cast = drawCast(stream, hops, target);
  if (typeof cast === 'string') return cast;
  const composed = compose(stream, cast.sections, documentSizes(target).noise);
  if (composed === null) return 'chunk_overflow';

  const { chunks, places } = composed;
  const last = cast.chain[cast.chain.length - 1] as Link;
  const asked = last.section.register.attributes[cast.asked] as Attribute;
  const evidence = evidenceOf(cast, places, asked);
  // Instances are made and validated under the published settings; episodes may be played under others.
  const { contextCeiling: context_ceiling, assumedSummaryTokens: assumed_summary_tokens } = published;
  const schedule = minimumSchedule(
    evidence.map((hop) => (chunks[hop.chunk_idx] as Chunk).tokens),
    context_ceiling,
    assumed_summary_tokens,
  );
  return {
    id: instanceId(request),
    seed,
    split: split.id,
    n_hops: hops,
    doc_tokens_target: target,
    doc_tokens: composed.tokens,
    question: questionOf(cast, asked),
    answer: printed(last.entity, asked, cast.asked),
    answer_type: asked.label,
    answer_entity_type: last.section.register.type,
    chunks,
    evidence,
    distractors: distractorsOf(cast, places, asked),
    candidate_answers: last.section.pool.map((member) => printed(member, asked, cast.asked)).sort(),
    min_reads: hops,
    min_steps: schedule.steps,
    compression_required: schedule.compression,
    answer_aliases: [],
    substrate: 'synthetic',
    generator: { ...generatorSettings, attempts: request.attempt + 1 },
    env: { context_ceiling, assumed_summary_tokens, step_budget: stepBudget(hops, {}) },
  };
}

/**
 * `hs` and the generator version open every id, so that no id of ours can be taken for one of the original's
 * (`train-100000000`). Instances made with other hops or sizes than the split's say so.
 */
function instanceId({ split, index, options, hops, target }: Omit<Request, 'seed' | 'attempt'>): string {
  const special =
    (options.n_hops === undefined ? '' : `-h${hops}`) +
    (options.doc_tokens === undefined ? '' : `-t${target}`);
  return `hs${GENERATOR_VERSION}-${split.id}-${index}${special}`;
}

function printed(member: Entity, attribute: Attribute, index: number): string {
  return formatValue(attribute, member.values[index] as number);
}

function questionOf(cast: Cast, asked: Attribute): string {
  let phrase = `the ${asked.label.toLowerCase()} of `;
  for (let hop = cast.chain.length - 2; hop >= 0; hop--) {
    phrase += `the ${(cast.chain[hop] as Link).section.register.link.toLowerCase()} of `;
  }
  return `What is ${phrase}project ${(cast.chain[0] as Link).entity.name}?`;
}

function evidenceOf(cast: Cast, places: ReadonlyMap<Entity, Place>, asked: Attribute): Evidence[] {
  return cast.chain.map(({ section, entity }, hop) => {
    const place = places.get(entity) as Place;
    const following = cast.chain[hop + 1];
    return {
      hop,
      chunk_idx: place.chunk,
      entity_type: section.register.type,
      entity: entity.name,
      field: following === undefined ? asked.label : section.register.link,
      value: following === undefined ? printed(entity, asked, cast.asked) : following.entity.name,
      token_offset: place.offset,
    };
  });
}

/** Per hop: the twin, then the superseded link; at the last hop the superseded answer and all near values. */
function distractorsOf(cast: Cast, places: ReadonlyMap<Entity, Place>, asked: Attribute): Distractor[] {
  const found: Distractor[] = [];
  const { chain } = cast;
  const end = (start: Entity, hop: number) => {
    let member = start;
    for (let i = hop; i + 1 < chain.length; i++) member = member.link as Entity;
    return printed(member, asked, cast.asked);
  };
  chain.forEach(({ group, entity }, hop) => {
    const chunk_idx = (places.get(entity) as Place).chunk;
    const isLast = hop + 1 === chain.length;
    const { twin } = group;
    found.push({
      kind: 'near_miss_entity',
      hop,
      chunk_idx,
      entity: twin.name,
      value: isLast ? printed(twin, asked, cast.asked) : (twin.link as Entity).name,
      wrong_answer: end(twin, hop),
    });
    if (!isLast) {
      if (entity.oldLink === null) return;
      const wrong_answer = end(entity.oldLink, hop + 1);
      found.push({
        kind: 'superseded_link',
        hop,
        chunk_idx,
        entity: entity.name,
        value: entity.oldLink.name,
        wrong_answer,
      });
      return;
    }
    const old = entity.oldValues[cast.asked] as number;
    if (old >= 0) {
      const value = formatValue(asked, old);
      found.push({
        kind: 'superseded_value',
        hop,
        chunk_idx,
        entity: entity.name,
        value,
        wrong_answer: value,
      });
    }
    for (const other of group.entities) {
      if (other === entity) continue;
      const value = printed(other, asked, cast.asked);
      found.push({
        kind: 'near_miss_value',
        hop,
        chunk_idx,
        entity: other.name,
        value,
        wrong_answer: value,
      });
    }
  });
  return found;
}
