/**
 * What can be set for a navigator episode or for generating instances. Keys are those of the published
 * configuration, so that its records can be passed on as they are.
 *
 * An option that is not given comes from what the instance recorded about itself, and only then from the
 * published default: an instance made for another ceiling is played under its own.
 */
import { accept, type Checked, refuse } from '../../problem.ts';
import type { Instance } from './instance.ts';
import { checkRewardConfig, defaultReward, type RewardConfig } from './reward.ts';

export interface Options {
  /** Tokens that may be held at once. */
  readonly context_ceiling?: number;
  /** The step budget is `step_budget_base + step_budget_per_hop × hops`. */
  readonly step_budget_base?: number;
  readonly step_budget_per_hop?: number;
  /** A longer summary is cut to this many tokens. */
  readonly max_summary_tokens?: number;
  /** What a summary is taken to cost when the shortest episode is worked out. */
  readonly assumed_summary_tokens?: number;
  readonly reward?: RewardConfig;
  /** Generation only: the numbers of hops to draw from, instead of the split's. */
  readonly n_hops?: readonly number[];
  /** Generation only: the document sizes in tokens to draw from, instead of the split's. */
  readonly doc_tokens?: readonly number[];
}

const defaultOptions: Options = {};

/** The published values of everything that neither the options nor the instance give. */
export const published = {
  contextCeiling: 600,
  stepBudgetBase: 6,
  stepBudgetPerHop: 4,
  maxSummaryTokens: 120,
  assumedSummaryTokens: 32,
} as const;

/** What one episode is played under: the options with every gap filled. Sizes in tokens. */
export interface Settings {
  readonly contextCeiling: number;
  readonly stepBudget: number;
  readonly maxSummaryTokens: number;
  readonly assumedSummaryTokens: number;
  readonly reward: RewardConfig;
}

/** The settings of an episode on `instance`. */
export function settingsFor(instance: Instance, options: Options): Settings {
  const { env } = instance;
  return {
    contextCeiling: options.context_ceiling ?? env.context_ceiling ?? published.contextCeiling,
    stepBudget: stepBudget(instance.n_hops, options, env.step_budget),
    maxSummaryTokens: options.max_summary_tokens ?? published.maxSummaryTokens,
    assumedSummaryTokens:
      options.assumed_summary_tokens ?? env.assumed_summary_tokens ?? published.assumedSummaryTokens,
    reward: options.reward ?? defaultReward,
  };
}

/** Steps allowed for `hops` hops; the recorded budget counts only when the options name neither part of it. */
export function stepBudget(hops: number, options: Options, recorded?: number): number {
  const { step_budget_base: base, step_budget_per_hop: perHop } = options;
  if (base === undefined && perHop === undefined && recorded !== undefined) return recorded;
  return (base ?? published.stepBudgetBase) + (perHop ?? published.stepBudgetPerHop) * hops;
}

/**
 * The fewest steps are those that the instance recorded, also when an option changes what they were worked out for:
 * rewards are to be those of the original.
 */
export function remark({ env }: Instance, options: Options): string | null {
  const { context_ceiling: ceiling, assumed_summary_tokens: summary } = options;
  const parts = [
    ...(ceiling === undefined || ceiling === env.context_ceiling
      ? []
      : [`a ceiling of ${env.context_ceiling}`]),
    ...(summary === undefined || summary === env.assumed_summary_tokens
      ? []
      : [`summaries of ${env.assumed_summary_tokens} tokens`]),
  ];
  return parts.length === 0 ? null : `fewest steps are those recorded for ${parts.join(' and ')}`;
}

type Raw = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Whole numbers and their legal ranges, both ends included. */
export const ranges = {
  context_ceiling: [1, 10_000_000],
  // An agent that only stalls plays its budget to the end: these keep that to seconds.
  step_budget_base: [0, 10_000],
  step_budget_per_hop: [0, 1_000],
  max_summary_tokens: [0, 10_000_000],
  assumed_summary_tokens: [0, 10_000_000],
} as const;

/** The same for lists of whole numbers; a single number stands for a list of one. */
export const listRanges = {
  n_hops: [1, 50],
  // No document has fewer than 14 chunks.
  doc_tokens: [8_000, 10_000_000],
} as const;

const knownKeys: readonly string[] = [...Object.keys(ranges), 'reward', ...Object.keys(listRanges)];

/** Checks options from a file, a setting or the command line; the error names the key and the legal range. */
export function parseOptions(raw: unknown): Checked<Options> {
  if (raw === undefined || raw === null) return accept(defaultOptions);
  if (!isRecord(raw)) return refuse('navigator options must be an object of named values');
  const options: Mutable<Options> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const problem = readOption(options, key, value);
    if (problem !== null) return refuse(problem);
  }
  return accept(options);
}

/** Puts one option in its place, or says what is wrong with it. */
function readOption(options: Mutable<Options>, key: string, value: unknown): string | null {
  if (isKey(ranges, key)) {
    const [low, high] = ranges[key];
    if (!isWhole(value, low, high)) return `${key} must be ${range(low, high)}, not ${show(value)}`;
    options[key] = value;
    return null;
  }
  if (isKey(listRanges, key)) {
    const [low, high] = listRanges[key];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const numbers = list.filter((item) => isWhole(item, low, high));
    if (numbers.length === 0 || numbers.length < list.length) {
      return `${key} must be ${range(low, high)}, or a list of such numbers, not ${show(value)}`;
    }
    options[key] = numbers;
    return null;
  }
  if (key === 'reward') {
    const reward = parseReward(value);
    if (!reward.ok) return reward.error;
    options.reward = reward.value;
    return null;
  }
  return `navigator has no option ${show(key)}; it has ${knownKeys.join(', ')}`;
}

/** Checks a reward configuration; keys that are not given keep their published values. */
function parseReward(raw: unknown): Checked<RewardConfig> {
  if (!isRecord(raw)) return refuse('reward must be an object of named values');
  const config: Mutable<RewardConfig> = { ...defaultReward };
  for (const [key, value] of Object.entries(raw)) {
    switch (key) {
      case 'allow_abstain':
        if (typeof value !== 'boolean')
          return refuse(`reward.${key} must be true or false, not ${show(value)}`);
        config[key] = value;
        break;
      case 'abstain_token':
        if (typeof value !== 'string') return refuse(`reward.${key} must be a text, not ${show(value)}`);
        config[key] = value;
        break;
      case 'beta':
      case 'r_correct_min':
      case 'r_fail':
      case 'r_wrong':
      case 'r_abstain':
        if (typeof value !== 'number' || !Number.isFinite(value)) {
          return refuse(`reward.${key} must be a number, not ${show(value)}`);
        }
        config[key] = value;
        break;
      default:
        return refuse(`reward has no key ${show(key)}; it has ${Object.keys(defaultReward).join(', ')}`);
    }
  }
  const checked = checkRewardConfig(config);
  return checked.ok ? checked : refuse(`reward.${checked.error}`);
}

function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKey<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

function isWhole(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}

function range(low: number, high: number): string {
  return `a whole number from ${low} to ${high}`;
}

/** A value as it stands in a sentence; long ones are cut. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
