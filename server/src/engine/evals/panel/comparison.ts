/** A comparison of two runs for a page: plain data of bounded size. */
import { clip } from '../../text/clip.ts';
import type { Change, Warning } from '../comparisons/comparability.ts';
import type { Comparison } from '../comparisons/compare.ts';
import type { Difference, GroupDifference } from '../comparisons/differences.ts';
import type { FirstDifference, StepView } from '../comparisons/first-difference.ts';
import type { CauseDifference, Flip, FlipSide } from '../comparisons/flips.ts';
import type { Counts } from '../run-data.ts';
import type { RunFacts } from './facts.ts';

export interface ComparisonView {
  readonly a: RunFacts;
  readonly b: RunFacts;
  readonly counts: { readonly a: Counts; readonly b: Counts };
  readonly instances: number;
  readonly episodes: { readonly a: number; readonly b: number };
  readonly reward: Difference;
  readonly accuracy: Difference;
  readonly groups: readonly GroupDifference[];
  readonly causes: readonly CauseDifference[];
  readonly changes: readonly Change[];
  readonly warnings: readonly Warning[];
  readonly fixed: number;
  readonly broken: number;
  /** Both runs have a prompt, and they are not the same. */
  readonly promptsDiffer: boolean;
}

/** An instance on which the runs come out differently. */
export interface FlipRow {
  readonly instance: string;
  readonly groups: Readonly<Record<string, string | number>>;
  readonly a: FlipSide;
  readonly b: FlipSide;
}

/** A step of one side where two episodes part. */
export interface PartingSide {
  readonly label: string | null;
  /** The beginning of the reply. */
  readonly text: string;
  readonly isCut: boolean;
}

/** Where two episodes part; `step` is null where that is not known or they do the same throughout. */
export interface Parting {
  readonly step: number | null;
  readonly a: PartingSide | null;
  readonly b: PartingSide | null;
  /** Whether only the wording was compared, since the episodes could not be played again. */
  readonly isWordingOnly: boolean;
}

const mostListed = 60;
const longestReply = 4000;

export function comparisonView(comparison: Comparison, a: RunFacts, b: RunFacts): ComparisonView {
  const { groups, causes, changes, warnings, fixed, broken } = comparison;
  const cut = (text: string) => clip(text, 300);
  return {
    a,
    b,
    counts: comparison.counts,
    instances: comparison.instances,
    episodes: comparison.episodes,
    reward: comparison.reward,
    accuracy: comparison.accuracy,
    groups: groups
      .slice(0, mostListed)
      .map((it) => ({ ...it, value: typeof it.value === 'string' ? clip(it.value, 40) : it.value })),
    causes: causes.slice(0, mostListed).map((it) => ({ ...it, cause: clip(it.cause, 120) })),
    changes: changes
      .slice(0, mostListed)
      .map((it) => ({ what: clip(it.what, 60), a: cut(it.a), b: cut(it.b) })),
    warnings: warnings.map(({ code, message }) => ({ code, message: clip(message, 600) })),
    fixed: fixed.length,
    broken: broken.length,
    promptsDiffer:
      comparison.a.prompt !== null &&
      comparison.b.prompt !== null &&
      comparison.a.prompt.hash !== comparison.b.prompt.hash,
  };
}

export function flipRow({ instanceId, groups, a, b }: Flip): FlipRow {
  const side = (it: FlipSide): FlipSide => ({ ...it, cause: it.cause === null ? null : clip(it.cause, 120) });
  const short = Object.entries(groups).map(([id, value]) => [
    id,
    typeof value === 'string' ? clip(value, 40) : value,
  ]);
  return { instance: clip(instanceId, 160), groups: Object.fromEntries(short), a: side(a), b: side(b) };
}

export function partingOf(found: FirstDifference | null, isWordingOnly: boolean): Parting {
  const side = (view: StepView | null): PartingSide | null =>
    view === null
      ? null
      : {
          label: view.label === null ? null : clip(view.label, 160),
          text: clip(view.reply.text, longestReply),
          isCut: view.reply.text.length > longestReply,
        };
  if (found === null) return { step: null, a: null, b: null, isWordingOnly };
  return { step: found.step, a: side(found.a), b: side(found.b), isWordingOnly };
}
