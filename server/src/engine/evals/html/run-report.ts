/** A run as one self-contained page, to be handed to somebody who has nothing but a browser. */
import type { Usage } from '../../environments/chat.ts';
import type { Metric } from '../../environments/environment.ts';
import { wilson95 } from '../../stats/wilson.ts';
import { counted, fixed, grouped, groupName } from '../../text/numbers.ts';
import type { StepView } from '../comparisons/first-difference.ts';
import { addUsage } from '../fold.ts';
import type { RunNotes } from '../notes.ts';
import type { Counts, Run, RunEpisode, RunInfo } from '../run-data.ts';
import { type RunFigures, type RunSummary, summarizeRun } from '../run-summary.ts';
import type { Mean } from '../summarize.ts';
import { episodeSections, noteBlock } from './episodes.ts';
import { type Html, html } from './markup.ts';
import { page } from './page.ts';

/** What the page takes from the run's environment; all of it may be absent for an environment that is not known. */
export interface ReportContext {
  readonly metrics: readonly Metric[];
  readonly groupings: readonly { readonly id: string; readonly label: string }[];
  /** The steps of an episode with what each of them was, e.g. `READ 12`; null where that cannot be told. */
  steps(episode: RunEpisode): Promise<readonly StepView[] | null>;
  /** What the run has cost, in US dollars; null when no price is known. */
  readonly cost: number | null;
  /** What people wrote about the run and its episodes. */
  readonly notes?: RunNotes;
}

/** The pieces of the page, in order. Every text of a model, a prompt or a person is escaped. */
export function runReport(run: Run, context: ReportContext): AsyncGenerator<string> {
  return page(titleOf(run.info), content(run, context));
}

async function* content(run: Run, context: ReportContext): AsyncGenerator<Html> {
  const { info } = run;
  const summary = summarizeRun(
    run,
    context.groupings.map(({ id }) => id),
  );
  yield html`<h1>${titleOf(info)}</h1>
<p class="note">${[info.environment, info.label, info.created ?? '', `run ${info.id}`].filter((it) => it !== '').join(' · ')}</p>`;
  if (context.notes !== undefined) yield noteBlock(context.notes);
  yield headline(summary, info.rollouts, context.cost);
  yield groupTable(summary, context);
  yield causeTable(summary);
  yield metricTable(summary, context.metrics);
  yield settings(info);
  yield* episodeSections(run.episodes, context.steps, context.notes);
}

/** The prompt and the agent, e.g. `terse · gpt-5-mini`. */
function titleOf({ prompt, agent }: RunInfo): string {
  const who = agent.kind === 'policy' ? agent.policy : agent.model;
  return prompt === null ? who : `${prompt.name} · ${who}`;
}

/** How many episodes a figure stands for, always with how many it should. */
function countsText({ requested, scored, errored, unfinished }: Counts): string {
  return `${counted(requested, 'episode')} requested, ${grouped(scored)} scored, ${grouped(errored)} errored, ${grouped(unfinished)} unfinished`;
}

function meanText({ mean, error }: Mean): string {
  return mean === null ? '–' : `${fixed(mean)} ± ${fixed(error)}`;
}

function headline(summary: RunSummary, rollouts: number, cost: number | null): Html {
  const { all, pass, requests, judgeUsage } = summary;
  const usage = addUsage([summary.usage, judgeUsage ?? null]);
  const row = (label: string, value: string, note = '') =>
    html`<tr><th scope="row">${label}</th><td class="number">${value}</td><td class="note">${note}</td></tr>\n`;
  const rates = Object.entries(pass.pass_at_k).map(([k, rate]) =>
    row(
      `pass@${k}`,
      fixed(rate),
      `all ${k}: ${fixed(pass.pass_all_k[k])}; ${counted(pass.instances, 'instance')}, reward from ${pass.threshold} on`,
    ),
  );
  const inOut = ({ input, output }: Usage) => `${grouped(input)} in, ${grouped(output)} out`;
  const judged = judgeUsage === undefined ? '' : `of it the judge: ${inOut(judgeUsage)}`;
  return html`<p>${countsText(all.counts)}.</p>
<table>
${row('reward', meanText(all.reward), 'mean per episode ± standard error')}
${row('correct', meanText(all.accuracy), accuracyNote(all, rollouts))}
${row('reward by step', fixed(all.stepWeightedReward), 'mean over steps, each with the reward of its episode')}
${rates}
${row('requests', grouped(requests), 'failed ones included')}
${usage === null ? null : row('tokens', inOut(usage), judged)}
${cost === null ? null : row('cost', `$${cost.toFixed(4)}`)}
</table>`;
}

/** How many were correct, with a Wilson interval where every episode is on an instance of its own. */
function accuracyNote({ accuracy }: RunFigures, rollouts: number): string {
  const correct = Math.round((accuracy.mean ?? 0) * accuracy.n);
  const interval = rollouts === 1 ? wilson95(correct, accuracy.n) : null;
  const share = `${grouped(correct)} of ${grouped(accuracy.n)}`;
  if (interval === null) return share;
  return `${share}, 95 % interval ${interval.map((end) => fixed(end)).join('–')}`;
}

function groupTable({ by }: RunSummary, { groupings }: ReportContext): Html {
  const rows = groupings.flatMap(({ id, label }) => {
    const groups = by[id] ?? [];
    // A single group would only repeat the figures above it.
    if (groups.length < 2) return [];
    return groups.map(
      ({ value, figures }) => html`<tr><th scope="row">${groupName(value, label)}</th>
<td class="number">${meanText(figures.reward)}</td><td class="number">${meanText(figures.accuracy)}</td>
<td class="note">${countsText(figures.counts)}</td></tr>\n`,
    );
  });
  if (rows.length === 0) return html``;
  return html`<h2>By group</h2>
<table><tr><th scope="col">group</th><th scope="col" class="number">reward</th><th scope="col" class="number">correct</th><td></td></tr>
${rows}</table>`;
}

function causeTable({ causes, all }: RunSummary): Html {
  const entries = Object.entries(causes);
  if (entries.length === 0) return html``;
  const most = Math.max(...entries.map(([, count]) => count));
  return html`<h2>Why episodes failed</h2>
<table>
${entries.map(
  ([cause, count]) => html`<tr><th scope="row">${cause}</th><td class="number">${grouped(count)}</td>
<td><meter min="0" max="${most}" value="${count}"></meter></td></tr>\n`,
)}</table>
<p class="note">Of ${counted(all.counts.requested, 'episode')}.</p>`;
}

function metricTable({ all }: RunSummary, metrics: readonly Metric[]): Html {
  const known = metrics.filter(({ id }) => all.metrics[id] !== undefined);
  if (known.length === 0) return html``;
  return html`<h2>Metrics</h2>
<table>
${known.map(({ id, label, description }) => {
  const figure = all.metrics[id];
  return html`<tr><th scope="row">${label}</th><td class="number">${figure === undefined ? '–' : meanText(figure)}</td>
<td class="number">${`n = ${grouped(figure?.n ?? 0)}`}</td><td class="note">${description}</td></tr>\n`;
})}</table>`;
}

function settings({
  agent,
  options,
  prompt,
  rollouts,
  shuffleSeed,
  identity,
  suite,
  generatorVersion,
}: RunInfo): Html {
  const json = (value: unknown) => JSON.stringify(value) ?? '';
  const rows: readonly (readonly [string, string])[] = [
    agent.kind === 'policy' ? ['policy', `${agent.policy}, seed ${agent.seed}`] : ['model', agent.model],
    ...(agent.kind === 'model' ? ([['sampling', json(agent.sampling)]] as const) : []),
    ['options', json(options)],
    ['suite', suite ?? 'none'],
    ['rollouts', String(rollouts)],
    ['shuffle seed', shuffleSeed === null ? 'none' : String(shuffleSeed)],
    ['generator', generatorVersion === null ? 'another' : `hopscope ${generatorVersion}`],
    ['identity', identity ?? 'unknown'],
  ];
  return html`<h2>What was asked</h2>
<table>
${rows.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`)}</table>
${
  prompt === null
    ? null
    : html`<details><summary>Step prompt ${prompt.name}</summary><pre>
${prompt.text}</pre></details>`
}`;
}
