/** The figures of runs as a table: means per episode, each beside the number of episodes it stands for. */
import type { Usage } from '../../engine/environments/chat.ts';
import type { Metric } from '../../engine/environments/environment.ts';
import { explainFailure } from '../../engine/evals/explain-failure.ts';
import type { FailureCount } from '../../engine/evals/failures.ts';
import { addUsage } from '../../engine/evals/fold.ts';
import { type Note, noteLine } from '../../engine/evals/notes.ts';
import { dollarsOf, type RunPrices } from '../../engine/evals/prices.ts';
import type { Counts, Run, RunInfo } from '../../engine/evals/run-data.ts';
import { type RunFigures, type RunSummary, summarizeRun } from '../../engine/evals/run-summary.ts';
import type { Mean } from '../../engine/evals/summarize.ts';
import { visible } from '../../engine/text/visible.ts';
import { findEnvironment } from '../../host/data/environments.ts';
import type { Style } from '../style.ts';
import {
  type Column,
  counted,
  fixed,
  grouped,
  groupName,
  type Row,
  renderLegend,
  renderTable,
  showsGroups,
} from '../table.ts';
import { wrapText } from '../wrap.ts';

/** A run with its figures. */
export interface Summarized {
  readonly info: RunInfo;
  readonly summary: RunSummary;
  readonly prices: RunPrices;
  /** What people wrote about it. */
  readonly note: Note | null;
}

/** The figures of a run, by the groupings of its environment. */
export function summarized(run: Run, prices: RunPrices, note: Note | null = null): Summarized {
  const groupings = findEnvironment(run.info.environment)?.groupings ?? [];
  const summary = summarizeRun(
    run,
    groupings.map(({ id }) => id),
  );
  return { info: run.info, summary, prices, note };
}

/** Metrics shown of an environment that is not known here. */
const foreignMetrics = 6;

/** A row for each run and under it one for each group, what the columns mean, and what else there is to say. */
export function runTable(runs: readonly Summarized[], style: Style): string {
  const metrics = metricsOf(runs);
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    { title: 'run', align: 'left' } as const,
    ...['episodes', 'reward ± SE', 'step-weighted', 'accuracy ± SE'].map(right),
    ...metrics.map((metric) => right(metric.label)),
  ];
  const cells = (figures: RunFigures): string[] => [
    countsText(figures.counts),
    withError(figures.reward),
    fixed(figures.stepWeightedReward),
    withError(figures.accuracy),
    ...metrics.map(({ id }) => fixed(figures.metrics[id]?.mean)),
  ];
  const rows: Row[] = [];
  for (const { info, summary } of runs) {
    if (rows.length > 0) rows.push('rule');
    rows.push([style.bold(nameOf(info)), ...cells(summary.all)]);
    for (const { id, label } of findEnvironment(info.environment)?.groupings ?? []) {
      const groups = summary.by[id] ?? [];
      if (!showsGroups(groups)) continue;
      for (const { value, figures } of groups) rows.push([`  ${groupName(value, label)}`, ...cells(figures)]);
    }
  }
  const legend = renderLegend([...columnLegend, ...metrics], style);
  const notes = runs.map((run) => runNotes(run, style)).join('');
  return `${renderTable(columns, rows, style)}\n${legend}\n${notes}`;
}

/** Requested, scored and errored, e.g. `300/298/2`. */
function countsText({ requested, scored, errored }: Counts): string {
  return [requested, scored, errored].map(grouped).join('/');
}

const columnLegend = [
  { label: 'episodes', description: 'Requested / scored / errored. Every figure is over the scored ones.' },
  {
    label: 'reward, accuracy',
    description:
      'Means per episode with their standard errors; rollouts on one instance count as one cluster.',
  },
  {
    label: 'step-weighted',
    description:
      'Step-weighted mean reward: each step counts with the reward of its episode, so long ones weigh more.',
  },
] as const;

function withError({ mean, error }: Mean): string {
  return `${fixed(mean)} ± ${fixed(error)}`;
}

/** Who played what, in a few words. */
function nameOf({ agent, prompt, label }: RunInfo): string {
  const who = agent.kind === 'policy' ? agent.policy : agent.model;
  return visible([prompt?.name, who, label].filter((part) => part !== undefined && part !== '').join(' · '));
}

/** The headline metrics of the environments there are; of others the first few that the runs have. */
function metricsOf(runs: readonly Summarized[]): readonly Pick<Metric, 'id' | 'label' | 'description'>[] {
  const found = new Map<string, Pick<Metric, 'id' | 'label' | 'description'>>();
  for (const { info, summary } of runs) {
    const environment = findEnvironment(info.environment);
    const known =
      environment?.metrics.filter((metric) => metric.headline) ??
      Object.keys(summary.all.metrics)
        .slice(0, foreignMetrics)
        .map((id) => ({ id, label: id, description: `As ${info.id} has it.` }));
    // Accuracy has its column whatever the environment's own metrics are.
    for (const metric of known) if (metric.id !== 'correct') found.set(metric.id, metric);
  }
  return [...found.values()];
}

/** Reasons shown for episodes without a score. */
const listedFailures = 5;

/** Every reason with the episodes it cost, the words of the provider and what to do. */
function failureLines(failures: readonly FailureCount[], style: Style): readonly string[] {
  const lines = failures.slice(0, listedFailures).map((failure) => {
    const { count, code } = failure;
    const words = visible(`${counted(count, 'episode')} (${code}): ${explainFailure(failure)}`);
    return `    ${wrapText(words, style.width - 4, '      ')}`;
  });
  const more = failures.length - lines.length;
  return more > 0 ? [...lines, `    … and ${counted(more, 'other reason')}`] : lines;
}

/** What does not fit into columns: pass rates, causes, odd replies, use. */
function runNotes({ info, summary, prices, note }: Summarized, style: Style): string {
  const { pass, causes, failures, replies, requests, all } = summary;
  const lines = [style.bold(`${nameOf(info)}  (${info.id})`)];
  const noted = note === null ? '' : noteLine(note);
  if (noted !== '') lines.push(`  note: ${visible(noted)}`);
  const { unfinished } = all.counts;
  if (unfinished > 0) lines.push(`  unfinished: ${grouped(unfinished)}`);
  if (info.rollouts > 1) {
    const rates = (of: Readonly<Record<string, number>>) =>
      Object.entries(of)
        .map(([k, rate]) => `${k}: ${fixed(rate)}`)
        .join('  ');
    const over = `over ${counted(pass.instances, 'instance')} with all ${info.rollouts} rollouts scored`;
    lines.push(`  pass@k      ${rates(pass.pass_at_k)}  (${over}, reward ≥ ${pass.threshold})`);
    lines.push(`  pass_all@k  ${rates(pass.pass_all_k)}`);
  }
  // Whoever is not at the end has not failed.
  const failed = Object.entries(causes).filter(([cause]) => cause !== 'unfinished');
  const causeList = failed.map(([cause, count]) => `${cause} ${grouped(count)}`);
  if (causeList.length > 0) lines.push(`  failed by: ${causeList.join(', ')}`);
  lines.push(...failureLines(failures, style));
  const odd = Object.entries(replies).flatMap(([kind, count]) =>
    kind === 'reply' || count === 0 ? [] : [`${kind} ${grouped(count)}`],
  );
  if (odd.length > 0) lines.push(`  other replies: ${odd.join(', ')}`);
  lines.push(...useLines(summary, requests, prices));
  return lines.length === 1 ? '' : `${lines.join('\n')}\n`;
}

/** What a run used: all of it in one line, and below what of it went to the judge. */
function useLines(
  { usage, judgeUsage }: Pick<RunSummary, 'usage' | 'judgeUsage'>,
  requests: number,
  prices: RunPrices,
): readonly string[] {
  const all = addUsage([usage, judgeUsage ?? null]);
  if (all === null) return [];
  const dollars = (cost: number | null) => (cost === null ? '' : `, $${cost.toFixed(4)}`);
  const tokens = ({ input, output, cachedInput }: Usage) => {
    const cached = cachedInput === undefined ? '' : ` (${grouped(cachedInput)} of them cached)`;
    return `${grouped(input)} tokens in${cached}, ${grouped(output)} out`;
  };
  const cost = dollars(dollarsOf(prices, { usage, ...(judgeUsage === undefined ? {} : { judgeUsage }) }));
  const used = `  used: ${counted(requests, 'request')}, ${tokens(all)}${cost}`;
  if (judgeUsage === undefined) return [used];
  const own = dollars(dollarsOf(prices, { usage: null, judgeUsage }));
  return [used, `    of it the judge: ${tokens(judgeUsage)}${own}`];
}
