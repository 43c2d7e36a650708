/** Evals of scripted policies that leave no run behind: played in worker threads, a table or lines of JSON at the end. */
import type { Environment } from '../../engine/environments/environment.ts';
import { optionsOfScope } from '../../engine/environments/option-fields.ts';
import type { RecordedReply } from '../../engine/evals/recorded-reply.ts';
import { type Group, type Summary, summarize, summarizeBy } from '../../engine/evals/summarize.ts';
import { visible } from '../../engine/text/visible.ts';
import { Failure } from '../../host/failure.ts';
import { isRecord } from '../../host/jsonl.ts';
import type { PlayedRow } from '../../host/tasks.ts';
import type { RawOptions } from '../arguments.ts';
import type { ExitCode } from '../command.ts';
import {
  chooseEnvironment,
  chooseInstances,
  type EnvironmentChoice,
  type SplitChoice,
  type WorkersChoice,
} from '../instances/selection.ts';
import { checkPolicies } from '../runs/request.ts';
import type { Shell } from '../shell.ts';
import {
  type Column,
  counted,
  fixed,
  grouped,
  groupName,
  type Row,
  renderLegend,
  renderNotes,
  renderTable,
  showsGroups,
} from '../table.ts';
import { wrapText } from '../wrap.ts';
import { workThrough } from './work.ts';

export interface PoliciesChoice extends EnvironmentChoice, SplitChoice, WorkersChoice {
  readonly policy: readonly string[];
  readonly instances?: readonly string[];
  readonly seed: string;
  readonly json?: boolean;
}

/** Plays and prints; nothing is kept. */
export async function evalPolicies(choice: PoliciesChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  checkPolicies(environment, choice.policy);
  const { workers, option: options = {}, policy: policies, seed, json: replies = false } = choice;
  const instances = chooseInstances(environment, choice, { plays: true, command: 'eval' }, shell);
  const rows = new Map<string, PlayedRow[]>(policies.map((id) => [id, []]));
  const remarks = new Set<string>();
  // What replaying an episode needs beside its instance.
  const overrides = optionsOfScope(environment.optionFields, options, 'episode');
  const count = await workThrough(
    {
      task: 'play',
      title: `eval ${instances.label}`,
      instances,
      workers,
      job: (batch) => ({ environment: environment.id, options, batch, policies, seed, replies }),
      async take(result, kept) {
        for (const remark of result.remarks) remarks.add(remark);
        for (const { replies: actions, ...row } of kept(result.episodes).flat()) {
          rows.get(row.policy)?.push(row);
          if (actions === undefined) continue;
          await shell.out.write(`${JSON.stringify({ episode: episodeJson(row, actions, overrides) })}\n`);
        }
      },
    },
    shell,
  );
  if (count === 0) throw new Failure('run', `There was no instance to play in ${instances.label}.`);
  if (choice.json) {
    for (const [policy, episodes] of rows) {
      const summary = { ...policyJson(environment, policy, episodes), options, seed };
      await shell.out.write(`${JSON.stringify({ summary })}\n`);
    }
  } else {
    const title = [environment.id, instances.label, counted(count, 'instance'), ...optionTexts(options)];
    const heading = visible(title.join(' · '));
    const notes = [...remarks].map((remark) => `${capital(remark)}.`);
    await shell.out.write(
      `${shell.style.bold(wrapText(heading, shell.style.width, '  '))}\n\n${resultTable(environment, rows, shell)}` +
        renderNotes(notes, shell.style),
    );
  }
  return shell.problems === 0 ? 0 : 1;
}

/** Options as they are given on the command line. */
function optionTexts(options: RawOptions, path: readonly string[] = []): string[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const keys = [...path, key];
    if (isRecord(value)) return optionTexts(value, keys);
    const text =
      typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);
    return [`${keys.join('.')}=${text}`];
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The row of machine output for one episode, of which `replay` can make the same one. */
function episodeJson(row: PlayedRow, actions: readonly RecordedReply[], overrides: RawOptions): object {
  const { outcome } = row;
  return {
    policy: row.policy,
    instance_id: row.instance,
    split: row.split,
    ...row.groups,
    ...(Object.keys(overrides).length > 0 ? { env_overrides: overrides } : {}),
    actions,
    reward: outcome.reward,
    steps_used: outcome.steps,
    min_steps: row.minSteps,
    stop: outcome.stop,
    ...outcome.metrics,
    correct: outcome.correct,
  };
}

function policyJson(environment: Environment, policy: string, rows: readonly PlayedRow[]): object {
  const by = (environment.groupings ?? []).map(({ id }) => {
    const groups = summarizeBy(rows, id).map(
      ({ value, summary }) => [String(value), summaryJson(summary)] as const,
    );
    return [id, Object.fromEntries(groups)] as const;
  });
  return { environment: environment.id, policy, ...summaryJson(summarize(rows)), by: Object.fromEntries(by) };
}

/** Means by name; a metric that applied to no episode is null. */
function summaryJson(summary: Summary): object {
  const metrics = Object.entries(summary.metrics).map(([id, { mean }]) => [id, mean] as const);
  return {
    episodes: summary.episodes,
    reward: summary.reward.mean,
    reward_se: summary.reward.error,
    accuracy: summary.accuracy.mean,
    accuracy_se: summary.accuracy.error,
    ...Object.fromEntries(metrics),
    stops: summary.stops,
  };
}

/** One row for each policy, and under it one for each group. */
function resultTable(
  environment: Environment,
  policies: ReadonlyMap<string, readonly PlayedRow[]>,
  shell: Shell,
): string {
  // Accuracy has its column whatever the environment's own metrics are.
  const metrics = environment.metrics.filter((metric) => metric.headline && metric.id !== 'correct');
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    { title: 'policy', align: 'left' } as const,
    ...['episodes', 'reward ± SE', 'correct'].map(right),
    ...metrics.map((metric) => right(metric.label)),
  ];
  const figures = (summary: Summary): string[] => [
    grouped(summary.episodes),
    `${fixed(summary.reward.mean)} ± ${fixed(summary.reward.error)}`,
    fixed(summary.accuracy.mean),
    ...metrics.map(({ id }) => fixed(summary.metrics[id]?.mean)),
  ];
  const rows: Row[] = [];
  for (const [policy, episodes] of policies) {
    if (rows.length > 0) rows.push('rule');
    rows.push([shell.style.bold(policy), ...figures(summarize(episodes))]);
    for (const { id, label } of environment.groupings ?? []) {
      const groups: readonly Group[] = summarizeBy(episodes, id);
      if (!showsGroups(groups)) continue;
      for (const { value, summary } of groups)
        rows.push([`  ${groupName(value, label)}`, ...figures(summary)]);
    }
  }
  return `${renderTable(columns, rows, shell.style)}\n${renderLegend(metrics, shell.style)}`;
}
