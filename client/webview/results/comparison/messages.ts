/** What the comparison page and the extension tell each other. Both check what they get. */
import * as v from 'valibot';
import type {
  ComparisonView,
  Difference,
  FlipRow,
  FlipSide,
  Parting,
  PartingSide,
} from '../../../../server/src/protocol.ts';
import { count, read } from '../../checked.ts';
import { counts, facts } from '../schemas.ts';

/** Instances that the later run solves more often, and those that the first does. */
export type FlipKind = 'fixed' | 'broken';

const flipKind: v.GenericSchema<unknown, FlipKind> = v.picklist(['fixed', 'broken']);

/** From the page to the extension. `at` is the place of the later run among those after the first, from 0. */
export type FromComparison =
  | { readonly kind: 'ready' }
  /** Reads the runs anew. */
  | { readonly kind: 'again' }
  | {
      readonly kind: 'flips';
      readonly round: number;
      readonly at: number;
      readonly flips: FlipKind;
      readonly from: number;
    }
  /** Asks where the episodes of a flip part. */
  | {
      readonly kind: 'parting';
      readonly round: number;
      readonly at: number;
      readonly flips: FlipKind;
      readonly flip: number;
    }
  /** Opens both episodes beside each other at a step; at its beginning for null. */
  | {
      readonly kind: 'sideBySide';
      readonly at: number;
      readonly instance: string;
      readonly tasks: { readonly a: number; readonly b: number };
      readonly step: number | null;
    }
  | { readonly kind: 'prompts'; readonly at: number }
  | { readonly kind: 'results'; readonly at: number; readonly side: 'a' | 'b' };

const fromComparison: v.GenericSchema<unknown, FromComparison> = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('again') }),
  v.object({ kind: v.literal('flips'), round: count, at: count, flips: flipKind, from: count }),
  v.object({ kind: v.literal('parting'), round: count, at: count, flips: flipKind, flip: count }),
  v.object({
    kind: v.literal('sideBySide'),
    at: count,
    instance: v.string(),
    tasks: v.object({ a: count, b: count }),
    step: v.nullable(count),
  }),
  v.object({ kind: v.literal('prompts'), at: count }),
  v.object({ kind: v.literal('results'), at: count, side: v.picklist(['a', 'b']) }),
]);

const difference: v.GenericSchema<unknown, Difference> = v.object({
  a: v.number(),
  b: v.number(),
  mean: v.number(),
  error: v.nullable(v.number()),
  interval: v.nullable(v.tuple([v.number(), v.number()])),
  test: v.object({
    name: v.picklist(['mcnemar', 'sign']),
    aBetter: count,
    bBetter: count,
    equal: count,
    p: v.number(),
  }),
  resolves: v.nullable(v.number()),
});

const group = v.union([v.string(), v.number()]);

const comparison: v.GenericSchema<unknown, ComparisonView> = v.object({
  a: facts,
  b: facts,
  counts: v.object({ a: counts, b: counts }),
  instances: count,
  episodes: v.object({ a: count, b: count }),
  reward: difference,
  accuracy: difference,
  groups: v.array(
    v.object({
      grouping: v.string(),
      value: group,
      instances: count,
      reward: difference,
      accuracy: difference,
    }),
  ),
  causes: v.array(v.object({ cause: v.string(), a: count, b: count, fixed: count, broken: count })),
  changes: v.array(v.object({ what: v.string(), a: v.string(), b: v.string() })),
  warnings: v.array(
    v.object({
      code: v.picklist([
        'generator',
        'options',
        'instances',
        'changed-instances',
        'no-hashes',
        'partial',
        'errors',
        'rollouts',
        'several-causes',
        'same-run',
      ]),
      message: v.string(),
    }),
  ),
  fixed: count,
  broken: count,
  promptsDiffer: v.boolean(),
});

const flipSide: v.GenericSchema<unknown, FlipSide> = v.object({
  task: count,
  rollout: count,
  reward: v.number(),
  solved: v.number(),
  rollouts: count,
  cause: v.nullable(v.string()),
  steps: count,
});

const flip: v.GenericSchema<unknown, FlipRow> = v.object({
  instance: v.string(),
  groups: v.record(v.string(), group),
  a: flipSide,
  b: flipSide,
});

const partingSide: v.GenericSchema<unknown, PartingSide> = v.object({
  label: v.nullable(v.string()),
  text: v.string(),
  isCut: v.boolean(),
});

const parting: v.GenericSchema<unknown, Parting> = v.object({
  step: v.nullable(count),
  a: v.nullable(partingSide),
  b: v.nullable(partingSide),
  isWordingOnly: v.boolean(),
});

/** From the extension to the page. `round` counts comparisons, so that what comes late is not taken for the present. */
export type ToComparison =
  | { readonly kind: 'begin'; readonly round: number; readonly runs: readonly string[] }
  | {
      readonly kind: 'pair';
      readonly round: number;
      readonly at: number;
      readonly comparison: ComparisonView;
    }
  | {
      readonly kind: 'flips';
      readonly round: number;
      readonly at: number;
      readonly flips: FlipKind;
      readonly from: number;
      readonly page: { readonly flips: readonly FlipRow[]; readonly next: number | null };
    }
  | {
      readonly kind: 'parting';
      readonly round: number;
      readonly at: number;
      readonly flips: FlipKind;
      readonly flip: number;
      readonly parting: Parting;
    }
  | { readonly kind: 'refused'; readonly round: number; readonly at: number; readonly reason: string };

const toComparison: v.GenericSchema<unknown, ToComparison> = v.variant('kind', [
  v.object({ kind: v.literal('begin'), round: count, runs: v.array(v.string()) }),
  v.object({ kind: v.literal('pair'), round: count, at: count, comparison }),
  v.object({
    kind: v.literal('flips'),
    round: count,
    at: count,
    flips: flipKind,
    from: count,
    page: v.object({ flips: v.array(flip), next: v.nullable(count) }),
  }),
  v.object({ kind: v.literal('parting'), round: count, at: count, flips: flipKind, flip: count, parting }),
  v.object({ kind: v.literal('refused'), round: count, at: count, reason: v.string() }),
]);

/** What a page keeps over reloads of the window, and a panel is restored from. */
export interface ComparisonState {
  readonly runs: readonly string[];
}

const state: v.GenericSchema<unknown, ComparisonState> = v.object({ runs: v.array(v.string()) });

/** The message, or undefined for anything else. */
export function readFromComparison(value: unknown): FromComparison | undefined {
  return read(fromComparison, value);
}

/** The message, or undefined for anything else. */
export function readToComparison(value: unknown): ToComparison | undefined {
  return read(toComparison, value);
}

/** The state, or undefined for anything else. */
export function readComparisonState(value: unknown): ComparisonState | undefined {
  return read(state, value);
}
