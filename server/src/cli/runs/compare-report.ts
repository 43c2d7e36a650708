/** A comparison of two runs as text for a person. */
import type { Change, Warning } from '../../engine/evals/comparisons/comparability.ts';
import type { Comparison } from '../../engine/evals/comparisons/compare.ts';
import type { Difference } from '../../engine/evals/comparisons/differences.ts';
import type { FirstDifference, StepView } from '../../engine/evals/comparisons/first-difference.ts';
import type { Flip, FlipSide } from '../../engine/evals/comparisons/flips.ts';
import type { DiffHunk } from '../../engine/evals/comparisons/prompt-diff.ts';
import type { Counts, RunInfo } from '../../engine/evals/run-data.ts';
import { chance, counted, fixed, grouped, signed } from '../../engine/text/numbers.ts';
import { visible } from '../../engine/text/visible.ts';
import type { Style } from '../style.ts';
import { type Column, type Row, renderTable, showsGroups } from '../table.ts';
import { wrapText } from '../wrap.ts';

/** What the report needs beside the comparison. */
export interface ReportSettings {
  readonly style: Style;
  /** Labels of groupings by id, e.g. `n_hops`: `hops`. */
  readonly groupings: Readonly<Record<string, string>>;
  /** Flips listed of each kind. */
  readonly listed: number;
  /** Where the episodes of a flip part; null where that is not known. */
  parting(flip: Flip): FirstDifference | null;
}

/** The name of a run in headings: prompt, agent and the start of its id. */
export function runName({ prompt, agent, id }: RunInfo): string {
  const who = agent.kind === 'policy' ? agent.policy : agent.model;
  return visible(`${prompt === null ? '' : `${prompt.name} · `}${who} (${id})`);
}

/** The report, each line ended by a line feed. */
export function comparisonReport(comparison: Comparison, settings: ReportSettings): string {
  const { style } = settings;
  const { a, b, counts, instances, warnings, changes, fixed: mended, broken, promptDiff } = comparison;
  const parts = [
    [
      style.bold(`${a.environment} · ${sameLabel(a, b)} · ${counted(instances, 'instance')} compared`),
      `A  ${runName(a)}: ${countsText(counts.a)}`,
      `B  ${runName(b)}: ${countsText(counts.b)}`,
    ],
    warnings.map((warning) => warningLine(warning, style)),
    [figureTable(comparison, settings).trimEnd()],
    causeLines(comparison, style),
    flipLines('Fixed', mended, settings),
    flipLines('Broken', broken, settings),
    changeLines(changes, style),
    diffLines(promptDiff, style),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function sameLabel(a: RunInfo, b: RunInfo): string {
  return visible(a.label === b.label ? a.label : `${a.label} and ${b.label}`);
}

function countsText({ requested, scored, errored, unfinished }: Counts): string {
  const list = `${grouped(requested)} requested, ${grouped(scored)} scored, ${grouped(errored)} errored`;
  return unfinished === 0 ? list : `${list}, ${grouped(unfinished)} unfinished`;
}

function warningLine({ message }: Warning, style: Style): string {
  return `${style.bad('!')} ${wrapText(visible(message), style.width - 2, '  ')}`;
}

function figureTable({ reward, accuracy, groups, instances }: Comparison, settings: ReportSettings): string {
  const { style, groupings } = settings;
  const tables = [
    renderTable(
      figureColumns('all'),
      [figureRow('reward', instances, reward), figureRow('correct', instances, accuracy)],
      style,
    ),
  ];
  for (const id of new Set(groups.map(({ grouping }) => grouping))) {
    const members = groups.filter(({ grouping }) => grouping === id);
    if (!showsGroups(members)) continue;
    const rows = members.flatMap((group) => [
      figureRow(`${group.value}, reward`, group.instances, group.reward),
      figureRow(`${group.value}, correct`, group.instances, group.accuracy),
    ]);
    tables.push(renderTable(figureColumns(groupings[id] ?? id), rows, style));
  }
  return [...tables, legend(accuracy, style)].join('\n');
}

function figureColumns(title: string): Column[] {
  const right = (name: string): Column => ({ title: name, align: 'right' });
  return [
    { title, align: 'left' },
    ...['n', 'A', 'B', 'B - A', '95 % interval', 'better', 'p', 'needs'].map(right),
  ];
}

function figureRow(name: string, n: number, figure: Difference): Row {
  const { interval, test, resolves } = figure;
  return [
    name,
    grouped(n),
    fixed(figure.a),
    fixed(figure.b),
    signed(figure.mean),
    interval === null ? '–' : interval.map((end) => signed(end)).join(' to '),
    `${grouped(test.bBetter)}:${grouped(test.aBetter)}`,
    chance(test.p),
    resolves === null ? '–' : grouped(resolves),
  ];
}

function legend({ test }: Difference, style: Style): string {
  const name = test.name === 'mcnemar' ? "McNemar's test" : 'a sign test';
  return [
    'n: instances, each with the mean of its rollouts',
    '95 % interval: of the difference, by a seeded bootstrap',
    'better: instances on which B is better, and A',
    `p: exact and two-sided, a sign test of reward and ${name} of correct`,
    'needs: instances that tell such a difference from chance in four of five studies;',
    '  for correct by the power of the exact test, for reward an approximation',
  ]
    .map((line) => `${style.dim(line)}\n`)
    .join('');
}

function causeLines({ causes }: Comparison, style: Style): string[] {
  if (causes.length === 0) return [];
  const columns: Column[] = [
    { title: 'cause', align: 'left' },
    ...['A', 'B', 'B - A', 'fixed', 'broken'].map((title): Column => ({ title, align: 'right' })),
  ];
  const rows = causes.map(({ cause, a, b, fixed: mended, broken }) => [
    cause,
    ...[a, b].map(grouped),
    signed(b - a, 0),
    ...[mended, broken].map(grouped),
  ]);
  return [renderTable(columns, rows, style).trimEnd()];
}

function flipLines(
  title: string,
  flips: readonly Flip[],
  { style, listed, parting }: ReportSettings,
): string[] {
  const lines = flips.slice(0, listed).map((flip) => {
    const groups = Object.entries(flip.groups).map(([id, value]) => `${id} ${value}`);
    const head = `  ${visible(flip.instanceId)}  ${sideText(flip.a)} -> ${sideText(flip.b)}`;
    return `${head}  ${style.dim(groups.join(', '))}\n${`    ${partingText(flip, parting(flip))}`}`;
  });
  const more = flips.length - lines.length;
  return [
    style.bold(`${title}: ${grouped(flips.length)}`),
    ...lines,
    ...(more > 0 ? [`  … and ${grouped(more)} more`] : []),
  ];
}

function sideText({ cause, reward, solved, rollouts, steps }: FlipSide): string {
  const how = rollouts === 1 ? '' : `${Math.round(solved * rollouts)}/${rollouts} `;
  return `${how}${cause ?? 'correct'} ${reward.toFixed(3)} in ${counted(steps, 'step')}`;
}

function partingText({ wordingDiffersAt }: Flip, parting: FirstDifference | null): string {
  if (wordingDiffersAt === null) return 'both say the same';
  if (parting === null) return `they differ from step ${wordingDiffersAt} on, in words`;
  const view = (side: StepView | null) => visible(side?.label ?? firstLine(side?.reply.text) ?? 'nothing');
  const words = wordingDiffersAt < parting.step ? ` (in words from step ${wordingDiffersAt} on)` : '';
  return `they part at step ${parting.step}: ${view(parting.a)} | ${view(parting.b)}${words}`;
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n')[0]?.slice(0, 60);
}

function changeLines(changes: readonly Change[], style: Style): string[] {
  if (changes.length === 0) return [];
  return [
    style.bold('Asked differently'),
    ...changes.map(({ what, a, b }) => visible(`  ${what}: ${a} -> ${b}`)),
  ];
}

function diffLines(hunks: readonly DiffHunk[], style: Style): string[] {
  if (hunks.length === 0) return [];
  const marks = { same: '  ', removed: '- ', added: '+ ' } as const;
  const paint = { same: style.dim, removed: style.bad, added: style.good };
  return [
    style.bold('Prompts'),
    ...hunks.flatMap(({ oldStart, newStart, lines }) => [
      style.dim(`  @@ line ${oldStart} of A, ${newStart} of B`),
      ...lines.map(({ kind, text }) => `  ${paint[kind](marks[kind] + visible(text))}`),
    ]),
  ];
}
