/**
 * First half of the generator: who is in the document and what is true of them, before any text.
 *
 * Chunks come first and entities second: every chunk gets a twin, a cluster of near values and superseded
 * statements at one rate, whether or not it will hold evidence, so that nothing about a chunk's looks tells.
 */
import type { Stream } from '../../random/stream.ts';
import { countTokens } from '../../text/tokens.ts';
import type { EntityType } from './instance.ts';
import { type Attribute, chainRegisters, type Register, registers } from './registers.ts';
import { generatorSettings } from './splits.ts';

export interface Entity {
  readonly name: string;
  readonly nameTokens: number;
  readonly status: number;
  /** The entity whose near name this one carries; null for the rest. */
  readonly twinOf: Entity | null;
  link: Entity | null;
  oldLink: Entity | null;
  readonly values: number[];
  /** −1 where there is no superseded value. */
  readonly oldValues: number[];
  /** How the entry states what it once said; null when nothing of it is superseded. */
  change: Change | null;
}

/** A style and a pair of years for superseded statements, as the text that goes around the two values. */
export interface Change {
  /** The old value stands first: `old from 2018 to 2020, then new [current since 2020]`. */
  readonly oldFirst: boolean;
  /** Between the first and the second value. */
  readonly between: string;
  /** After the second value. */
  readonly close: string;
}

/** Every style and pair of years once: the change happened 1 to 4 years after 2015 to 2020. */
const changes: readonly Change[] = [2015, 2016, 2017, 2018, 2019, 2020].flatMap((since) =>
  [1, 2, 3, 4].flatMap((years): Change[] => {
    const until = since + years;
    const span = ` from ${since} to ${until}`;
    return [
      { oldFirst: false, between: ` [current since ${until}; previously `, close: `${span}]` },
      { oldFirst: true, between: `${span}, then `, close: ` [current since ${until}]` },
    ];
  }),
);

/** One register chunk to be: its entities in order of their names. */
export interface Group {
  readonly entities: Entity[];
  readonly base: Entity;
  readonly twin: Entity;
  inChain: boolean;
}

export interface Section {
  readonly register: Register;
  readonly groups: readonly Group[];
  /** All entities, twins included. */
  readonly pool: readonly Entity[];
}

export interface Link {
  readonly section: Section;
  readonly group: Group;
  readonly entity: Entity;
}

export interface Cast {
  readonly sections: readonly Section[];
  /** The chain of evidence, one entity a hop. */
  readonly chain: readonly Link[];
  /** Index of the asked attribute at the last hop. */
  readonly asked: number;
}

/** Chunks and entities for a document of `target` tokens (published sizes: 80 chunks at 32k, 24 of them noise). */
export function documentSizes(target: number): { noise: number; groups: number; entities: number } {
  const total = Math.max(14, Math.round(target / 400));
  const noise = roundHalfEven(generatorSettings.noise_ratio * total);
  const groups = Math.max(2, Math.floor((total - noise) / registers.length));
  return { noise, groups, entities: Math.floor(5.5 * groups) };
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Every base name of a register, sorted by code point. */
const baseNames = new Map<Register, readonly string[]>(
  registers.map((register) => [
    register,
    register.firstNames.flatMap((first) => register.lastNames.map((last) => `${first} ${last}`)).sort(),
  ]),
);

const suffixTokens = new Map<string, number>(
  registers.flatMap((r) => r.twinSuffixes.map((suffix) => [suffix, countTokens(suffix)] as const)),
);

function entity(
  stream: Stream,
  register: Register,
  name: string,
  tokens: number,
  twinOf: Entity | null,
): Entity {
  return {
    name,
    nameTokens: tokens,
    status: stream.below(register.status.values.length),
    twinOf,
    link: null,
    oldLink: null,
    values: [0, 0],
    oldValues: [-1, -1],
    change: null,
  };
}

/** Entities in order of their names, cut into groups, each group with one twin beside its base. */
function section(stream: Stream, register: Register, count: number): Section {
  const names = baseNames.get(register) ?? [];
  const chosen = new Uint8Array(names.length);
  for (let left = count; left > 0; ) {
    const i = stream.below(names.length);
    if (chosen[i] === 0) {
      chosen[i] = 1;
      left--;
    }
  }
  const pool: Entity[] = [];
  const groups: Group[] = [];
  let bases: Entity[] = [];
  let wanted = groupSize(stream);
  let seen = 0;
  for (let i = 0; seen < count; i++) {
    if (chosen[i] === 0) continue;
    seen++;
    bases.push(entity(stream, register, names[i] as string, 2, null));
    if (bases.length === wanted || seen === count) {
      const group = addTwin(stream, register, bases);
      groups.push(group);
      for (const member of group.entities) pool.push(member);
      bases = [];
      wanted = groupSize(stream);
    }
  }
  return { register, groups, pool };
}

function groupSize(stream: Stream): number {
  const { entries_per_chunk_min: min, entries_per_chunk_max: max, n_distractors: twins } = generatorSettings;
  return stream.between(min, max - twins);
}

function addTwin(stream: Stream, register: Register, entities: Entity[]): Group {
  const at = stream.below(entities.length);
  const base = entities[at] as Entity;
  const suffix = stream.pick(register.twinSuffixes);
  const twin = entity(
    stream,
    register,
    base.name + suffix,
    base.nameTokens + (suffixTokens.get(suffix) ?? 0),
    base,
  );
  // A suffix begins with a blank or a hyphen, which sort before every letter: the twin follows its base.
  entities.splice(at + 1, 0, twin);
  return { entities, base, twin, inChain: false };
}

/**
 * Draws the people and things of a document and everything that is true of them.
 *
 * @returns the cast, or the reason code for which the attempt is rejected
 */
export function drawCast(stream: Stream, hops: number, target: number): Cast | string {
  const sizes = documentSizes(target);
  for (const names of baseNames.values()) if (names.length < sizes.entities) return 'name_space_exhausted';
  const sections = registers.map((register) => section(stream, register, sizes.entities));
  const byType = new Map<EntityType, Section>(sections.map((s) => [s.register.type, s]));

  const chain: Link[] = [];
  for (const register of chainRegisters(hops)) {
    const home = byType.get(register.type);
    const free = home?.groups.filter((group) => !group.inChain) ?? [];
    if (home === undefined || free.length === 0) return 'no_free_chunk';
    const group = stream.pick(free);
    group.inChain = true;
    chain.push({ section: home, group, entity: group.base });
  }
  const asked = stream.below(2);

  const successor = new Map<Entity, Entity>();
  for (let hop = 0; hop + 1 < chain.length; hop++) {
    successor.set((chain[hop] as Link).entity, (chain[hop + 1] as Link).entity);
  }
  for (const home of sections) {
    const targets = byType.get(home.register.next)?.pool ?? [];
    for (const member of home.pool) drawLinks(stream, member, targets, successor);
    for (let a = 0; a < home.register.attributes.length; a++) {
      if (!drawValues(stream, home, home.register.attributes[a] as Attribute, a))
        return 'value_space_exhausted';
    }
    for (const member of home.pool) drawChange(stream, member);
  }
  return { sections, chain, asked };
}

function drawLinks(
  stream: Stream,
  member: Entity,
  targets: readonly Entity[],
  successor: ReadonlyMap<Entity, Entity>,
): void {
  // A twin that led to the true next entity would be no trap.
  const forbidden = member.twinOf === null ? undefined : successor.get(member.twinOf);
  let target = successor.get(member) ?? stream.pick(targets);
  while (target === forbidden) target = stream.pick(targets);
  member.link = target;
  if (!stream.chance(generatorSettings.superseded_prob)) return;
  let old = stream.pick(targets);
  while (old === target) old = stream.pick(targets);
  member.oldLink = old;
}

/** Values of one attribute for a whole section; false when the range has no unused value left. */
function drawValues(stream: Stream, home: Section, attribute: Attribute, index: number): boolean {
  const used = new Set<number>();
  for (const group of home.groups) {
    const centre = stream.between(attribute.low + attribute.halfWidth, attribute.high - attribute.halfWidth);
    for (const member of group.entities) {
      const value = unusedValue(stream, used, attribute, centre);
      const old = stream.chance(generatorSettings.superseded_prob / 2)
        ? unusedValue(stream, used, attribute, centre)
        : -1;
      if (value === null || old === null) return false;
      member.values[index] = value;
      member.oldValues[index] = old;
    }
  }
  return true;
}

function unusedValue(stream: Stream, used: Set<number>, attribute: Attribute, centre: number): number | null {
  const { low, high, halfWidth } = attribute;
  for (let tries = 0; tries < 400; tries++) {
    const value = tries < 200 ? centre + stream.between(-halfWidth, halfWidth) : stream.between(low, high);
    if (used.has(value)) continue;
    used.add(value);
    return value;
  }
  return null;
}

function drawChange(stream: Stream, member: Entity): void {
  const [first = -1, second = -1] = member.oldValues;
  if (member.oldLink !== null || first >= 0 || second >= 0) member.change = stream.pick(changes);
}
