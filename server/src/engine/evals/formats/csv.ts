/** Episodes as a table of comma-separated values (RFC 4180), for spreadsheets and data frames. */
import type { Run } from '../run-data.ts';

/**
 * The table, a row for each episode that was begun; line ends are LF. A cell that a spreadsheet would take for a formula
 * is written as text.
 */
export function episodesCsv({ info, episodes }: Run): string {
  const groups = [...new Set(episodes.flatMap((episode) => Object.keys(episode.groups)))];
  const metrics = [...new Set(episodes.flatMap((episode) => Object.keys(episode.outcome?.metrics ?? {})))];
  const { agent } = info;
  const header = [
    ...[
      'run',
      'environment',
      'prompt',
      'agent',
      'task',
      'instance',
      'instance_hash',
      'split',
      'index',
      'rollout',
    ],
    ...groups,
    ...['scored', 'reward', 'correct', 'stop', 'steps', 'min_steps', 'cause', 'cause_step', 'cause_hop'],
    ...['error', 'error_message', 'requests', 'input_tokens', 'output_tokens'],
    ...metrics.map((id) => `metric_${id}`),
  ];
  const rows = episodes.map((episode) => {
    const { outcome, error, usage } = episode;
    return [
      info.id,
      info.environment,
      info.prompt?.name ?? null,
      agent.kind === 'policy' ? agent.policy : agent.model,
      episode.task,
      episode.instanceId,
      episode.instanceHash,
      episode.split,
      episode.index,
      episode.rollout,
      ...groups.map((id) => episode.groups[id] ?? null),
      outcome !== null,
      outcome?.reward ?? null,
      outcome?.correct ?? null,
      outcome?.stop ?? null,
      episode.steps,
      episode.minSteps,
      episode.cause,
      episode.causeStep,
      episode.causeHop,
      error?.code ?? null,
      error?.message ?? null,
      episode.attempts,
      usage?.input ?? null,
      usage?.output ?? null,
      ...metrics.map((id) => outcome?.metrics[id] ?? null),
    ];
  });
  return [header, ...rows].map((row) => `${row.map(toCell).join(',')}\n`).join('');
}

function toCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
