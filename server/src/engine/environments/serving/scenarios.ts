/** The nine scenarios: how many tasks each window has, and where in the stream it begins. Published figures. */

export type Domain = 'retail' | 'banking' | 'pitch';
export type Tier = 1 | 2 | 3;
export type Phase = 'serving' | 'test';
/** `hidden` is what documents alone do not answer. */
export type Category = 'hidden' | 'fully_specified';

export interface WindowSize {
  readonly serving: number;
  readonly hidden: number;
  readonly specified: number;
  /** Position in the stream of the first serving task, from 1. */
  readonly first: number;
}

export interface Scenario {
  /** E.g. `retail_l1`, or `mini_retail` for a small one. */
  readonly id: string;
  readonly size: 'full' | 'mini';
  readonly domain: Domain;
  readonly tier: Tier;
  readonly windows: readonly WindowSize[];
  /** The window of the full schedule whose rules hold in each window. */
  readonly rules: readonly number[];
}

/** Serving, hidden and fully specified tasks of each window. */
type Counts = readonly (readonly [serving: number, hidden: number, specified: number])[];

function scenario(domain: Domain, tier: Tier, counts: Counts, rules?: readonly number[]): Scenario {
  let first = 1;
  const windows = counts.map(([serving, hidden, specified]) => {
    const window = { serving, hidden, specified, first };
    first += serving;
    return window;
  });
  const isMini = rules !== undefined;
  return {
    id: isMini ? `mini_${domain}` : `${domain}_l${tier}`,
    size: isMini ? 'mini' : 'full',
    domain,
    tier,
    windows,
    rules: rules ?? counts.map((_, window) => window),
  };
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

/**
 * Where only a scenario's sum is published, its windows share it so that windows with more hidden rules in force
 * get more hidden tasks.
 */
export const scenarios: readonly Scenario[] = [
  scenario('retail', 1, [
    [79, 20, 24],
    [140, 40, 24],
    [140, 40, 24],
    [120, 40, 24],
    [120, 40, 24],
    [121, 60, 24],
  ]),
  scenario('retail', 2, [
    [99, 40, 34],
    [128, 76, 34],
    [135, 84, 34],
    [131, 84, 34],
    [134, 84, 34],
    [90, 82, 34],
    [93, 76, 35],
  ]),
  scenario('retail', 3, [
    [78, 16, 40],
    [75, 30, 39],
    [84, 30, 39],
    [78, 30, 39],
    [77, 30, 39],
    [74, 30, 39],
    [80, 30, 39],
    [78, 27, 40],
  ]),
  scenario('banking', 1, [
    [84, 17, 24],
    [84, 23, 24],
    [84, 20, 22],
    [84, 24, 24],
  ]),
  scenario('banking', 2, [
    [100, 33, 41],
    [100, 36, 41],
    [100, 37, 39],
    [100, 40, 40],
    [100, 40, 40],
  ]),
  scenario('banking', 3, [
    [100, 38, 34],
    [100, 51, 39],
    [100, 50, 39],
    [100, 56, 41],
    [100, 62, 43],
    [100, 56, 42],
  ]),
  scenario('pitch', 1, times(4, [54, 24, 0])),
  scenario('pitch', 2, times(6, [54, 24, 0])),
  scenario('pitch', 3, times(7, [54, 24, 0])),
  // Small ones for first use: rules change between their two windows.
  scenario('retail', 1, times(2, [12, 5, 3]), [1, 4]),
  scenario('banking', 1, times(2, [12, 5, 3]), [0, 3]),
  scenario('pitch', 1, times(2, [12, 8, 0]), [0, 1]),
];

/** The scenario of that id; undefined when there is none. */
export function findScenario(id: string): Scenario | undefined {
  return scenarios.find((it) => it.id === id);
}

/** The timestamp of a window's test tasks: the position of its last serving task. */
export function lastPosition({ first, serving }: WindowSize): number {
  return first + serving - 1;
}
