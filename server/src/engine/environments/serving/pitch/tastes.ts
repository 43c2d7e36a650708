/** Sheets of facts about products, and what each group of customers makes of them. */
import type { Tier } from '../scenarios.ts';

export const attributes = {
  popularity: ['many', 'niche'],
  price: ['low', 'mid', 'high'],
  eco: ['eco', 'regular'],
  features: ['full', 'minimal'],
  buzz: ['viral', 'under_the_radar'],
  launch: ['classic', 'just_launched'],
  design: ['classic', 'unique'],
  warranty: ['long', 'final_sale'],
  origin: ['mass', 'hand'],
  availability: ['everywhere', 'limited'],
} as const;

export type Attribute = keyof typeof attributes;

/** One line of a sheet. */
export interface Fact {
  readonly attribute: Attribute;
  readonly value: string;
  /** As the agent reads it. */
  readonly line: string;
}

export interface Sheet {
  readonly name: string;
  readonly category: string;
  readonly facts: readonly Fact[];
}

export const personas = ['risk_averse', 'identity', 'anti_marketing', 'eco', 'conformist', 'value'] as const;

export type Persona = (typeof personas)[number];

/** Weights by attribute and value: 2 and 1 for what is liked, −1 for what is not, −3 for what must not come up. */
type Taste = Readonly<Partial<Record<Attribute, Readonly<Record<string, number>>>>>;

const tastes: Readonly<Record<Persona, Taste>> = {
  risk_averse: {
    launch: { classic: 1, just_launched: -1 },
    popularity: { many: 1, niche: -1 },
    price: { mid: 1 },
    design: { classic: 1, unique: -1 },
    features: { full: 1 },
    buzz: { viral: -1 },
    warranty: { long: 2, final_sale: -3 },
    origin: { mass: 1, hand: -1 },
    availability: { everywhere: 1, limited: -1 },
  },
  identity: {
    launch: { just_launched: 1, classic: -1 },
    popularity: { niche: 2, many: -1 },
    price: { high: 1, low: -3 },
    design: { unique: 2, classic: -1 },
    eco: { eco: 1 },
    features: { minimal: 1 },
    buzz: { viral: -1 },
    origin: { hand: 2, mass: -3 },
    availability: { limited: 1, everywhere: -1 },
  },
  anti_marketing: {
    launch: { classic: 1, just_launched: -1 },
    popularity: { many: -3 },
    price: { mid: 1, low: 1, high: -1 },
    design: { unique: -1 },
    eco: { eco: -1 },
    features: { minimal: 2, full: -1 },
    buzz: { viral: -3, under_the_radar: 1 },
    warranty: { long: 1, final_sale: -1 },
    availability: { everywhere: 1, limited: -1 },
  },
  eco: {
    eco: { eco: 2, regular: -1 },
    features: { minimal: 1 },
    buzz: { viral: -1 },
    origin: { hand: 1, mass: -1 },
  },
  conformist: {
    popularity: { many: 2, niche: -1 },
    buzz: { viral: 2, under_the_radar: -1 },
    features: { full: 1 },
    design: { unique: -1 },
    launch: { classic: 1 },
    availability: { everywhere: 2, limited: -3 },
    warranty: { long: 1, final_sale: -1 },
    origin: { mass: 1, hand: -1 },
  },
  value: {
    price: { low: 2, mid: 1, high: -1 },
    eco: { eco: -1 },
    design: { unique: -1, classic: 1 },
    features: { full: 1 },
    buzz: { viral: -1 },
    launch: { classic: 1 },
    warranty: { long: 1, final_sale: -1 },
    origin: { mass: 1, hand: -1 },
    availability: { everywhere: 1, limited: -1 },
  },
};

/** What a group makes of a fact: 2, 1, 0, −1 or −3. */
export function weigh(persona: Persona, { attribute, value }: Pick<Fact, 'attribute' | 'value'>): number {
  return tastes[persona][attribute]?.[value] ?? 0;
}

/** Attributes on a sheet of a tier, in the order of their lines. */
export function attributesOf(tier: Tier): Attribute[] {
  const all = Object.keys(attributes) as Attribute[];
  return tier === 1 ? all.slice(0, 5) : all;
}

const schedules: Readonly<Record<Tier, readonly Persona[]>> = {
  1: ['value', 'identity', 'anti_marketing', 'risk_averse'],
  2: ['risk_averse', 'value', 'eco', 'identity', 'value', 'risk_averse'],
  3: ['risk_averse', 'identity', 'anti_marketing', 'identity', 'risk_averse', 'conformist', 'identity'],
};

/** Who the customers of a window are. */
export function personaOf(tier: Tier, window: number): Persona {
  return schedules[tier][window] ?? 'value';
}
