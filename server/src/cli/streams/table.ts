/** What came of streams, as tables. */
import type { Leaderboard, StreamInfo, StreamReport } from '../../engine/environments/streams.ts';
import type { RunPrices } from '../../engine/evals/prices.ts';
import { chance, grouped, dollars as money } from '../../engine/text/numbers.ts';
import type { Tokens } from '../../host/streams/play-served.ts';
import { type Spending, spending, spentDollars } from '../../host/streams/spending.ts';
import type { EpisodeRow, LostLine } from '../../host/streams/stream-file.ts';
import type { Style } from '../style.ts';
import { type Column, type Row, renderNotes, renderTable } from '../table.ts';
import { categoriesOf, named, pairings } from './pairs.ts';

/** What one agent did with one method. */
export interface Tally {
  readonly agent: string;
  readonly method: string;
  readonly report: StreamReport;
  readonly rows: readonly EpisodeRow[];
  readonly learning: Tokens;
  /** What was paid for and is in no row. */
  readonly lost?: readonly LostLine[];
  readonly prices: RunPrices;
}

/** A column that tells rows apart. */
const key = (title: string): Column => ({ title, align: 'left', isKey: true });
const right = (title: string): Column => ({ title, align: 'right' });

function points(score: number | null | undefined): string {
  return score == null ? '–' : score.toFixed(1);
}

/** Scores of every stream, averages over all of them where all are there, curves and costs. */
export function streamTables(tallies: readonly Tally[], list: readonly StreamInfo[], style: Style): string {
  const categories = categoriesOf(tallies);
  const averages = [...new Set(tallies.flatMap(({ report }) => Object.keys(report.averages)))];
  const titles = categories.map((it) => it.replaceAll('_', ' '));
  const rows: Row[] = [];
  for (const { agent, method, report } of tallies) {
    if (rows.length > 0) rows.push('rule');
    for (const { id } of list) {
      const own = report.scores.filter((it) => it.stream === id);
      if (own.length === 0) continue;
      const tasks = own.reduce((sum, it) => sum + it.tasks, 0);
      const scores = categories.map((category) => points(own.find((it) => it.category === category)?.score));
      rows.push([`${agent} · ${method}`, id, ...scores, grouped(tasks)]);
    }
    const known = averages.filter((id) => report.averages[id] != null);
    if (known.length === 0) continue;
    const text = known.map((id) => `${id} ${points(report.averages[id])}`).join(', ');
    rows.push([`${agent} · ${method}`, text, ...categories.map(() => ''), '']);
  }
  const columns = [key('agent · method'), key('stream'), ...titles.map(right), right('test tasks')];
  return [
    `${renderTable(columns, rows, style)}\n`,
    curveTable(tallies, list, style),
    pairTable(tallies, style),
    costTable(tallies, style),
    renderNotes(originNotes(tallies), style),
  ].join('');
}

/** Where tasks came from and who judged: figures of different origin or judge are not comparable. */
function originNotes(tallies: readonly Tally[]): string[] {
  const judges = named(tallies, 'judge');
  return [
    `Tasks were made by ${named(tallies, 'source').join(' and ')}.`,
    ...(judges.length === 0
      ? []
      : [`Judged by ${judges.join(' and ')}: scores of other judges are not comparable.`]),
  ];
}

/** Test scores window by window: how fast something is learned, and what a change of rules costs. */
function curveTable(tallies: readonly Tally[], list: readonly StreamInfo[], style: Style): string {
  const most = tallies.flatMap(({ report }) => report.curves.map(({ window }) => window + 1));
  const windows = Array.from({ length: Math.max(0, ...most) }, (_, window) => window);
  if (windows.length < 2) return '';
  const order = categoriesOf(tallies);
  const rows = tallies.flatMap(({ agent, method, report }) =>
    list.flatMap(({ id }): Row[] => {
      const own = report.curves.filter((it) => it.stream === id && it.phase === 'test');
      const found = new Set(own.map(({ category }) => category));
      return order
        .filter((category) => found.has(category))
        .map((category) => [
          `${agent} · ${method}`,
          `${id} ${category.replaceAll('_', ' ')}`,
          ...windows.map((window) =>
            points(own.find((it) => it.window === window && it.category === category)?.score),
          ),
        ]);
    }),
  );
  const columns = [key('agent · method'), key('by window'), ...windows.map((it) => right(String(it)))];
  return `${renderTable(columns, rows, style)}\n`;
}

/** Each agent and method against the first, task by task on the test tasks that both played. */
function pairTable(tallies: readonly Tally[], style: Style): string {
  const [first, ...others] = tallies;
  if (first === undefined || others.length === 0) return '';
  const rows = others.flatMap((other) =>
    pairings(first, other, categoriesOf(tallies)).map(
      ({ category, tasks, difference, interval, better, worse, p }): Row => [
        `${other.agent} · ${other.method}`,
        category.replaceAll('_', ' '),
        grouped(tasks),
        points(difference),
        interval === null ? '–' : `${points(interval[0])} to ${points(interval[1])}`,
        `${grouped(better)}:${grouped(worse)}`,
        chance(p),
      ],
    ),
  );
  const columns = [
    key(`against ${first.agent} · ${first.method}`),
    key('tasks'),
    ...['n', 'difference', '95 % interval', 'better', 'p'].map(right),
  ];
  const legend = [
    `better: tasks on which that one is better, and ${first.agent} · ${first.method}`,
    'p: exact and two-sided, a sign test',
  ];
  return rows.length === 0 ? '' : `${renderTable(columns, rows, style)}${renderNotes(legend, style)}\n`;
}

/** What one tally has spent. */
export function spentBy({ rows, learning, lost }: Pick<Tally, 'rows' | 'learning' | 'lost'>): Spending {
  return spending(rows, learning, lost);
}

/** In US dollars, the judge's share apart and in the sum; null where a price that it takes is not known. */
export function dollarsBy(tally: Tally): ReturnType<typeof spentDollars> {
  return spentDollars(spentBy(tally), tally.prices);
}

function costTable(tallies: readonly Tally[], style: Style): string {
  const spent = tallies.filter((tally) =>
    Object.values(spentBy(tally)).some((it) => it.input + it.output > 0),
  );
  if (spent.length === 0) return '';
  const hasLost = spent.some(({ lost = [] }) => lost.length > 0);
  const shown = (['serving', 'learning', 'test', 'lost', 'judge'] as const).filter(
    (part) => part !== 'lost' || hasLost,
  );
  const rows = spent.map((tally): Row => {
    const parts = spentBy(tally);
    const all = Object.values(parts).reduce((total, it) => total + it.input + it.output, 0);
    const { all: dollars, judge } = dollarsBy(tally);
    const tasks = tally.rows.length;
    return [
      `${tally.agent} · ${tally.method}`,
      ...shown.map((part) => grouped(parts[part].input + parts[part].output)),
      grouped(Math.round(all / Math.max(1, tasks))),
      money(dollars),
      money(judge),
      money(dollars === null ? null : dollars / Math.max(1, tasks)),
    ];
  });
  const columns = [key('tokens'), ...[...shown, 'a task', 'cost', 'of it judge', 'a task'].map(right)];
  const note = 'Lost is what was paid for and is in no row: of blocks and episodes that were begun again.';
  return `${renderTable(columns, rows, style)}\n${hasLost ? `${renderNotes([note], style)}\n` : ''}`;
}

/**
 * Published results as they were published, with what is to be kept in mind.
 *
 * @param list the streams that were played: columns about others are left out.
 */
export function leaderboardTable(
  { columns, rows, caveat, columnsOf = {} }: Leaderboard,
  list: readonly StreamInfo[],
  style: Style,
): string {
  const wanted = new Set(list.flatMap(({ id }) => columnsOf[id] ?? []));
  const single = new Set(Object.values(columnsOf).flat());
  const shown = columns.filter(
    (column) => (wanted.has(column) || !single.has(column)) && rows.some((row) => row[column] !== undefined),
  );
  const cells = rows.map(
    (row): Row =>
      shown.map((column) => {
        const value = row[column];
        return typeof value === 'number' ? value.toFixed(column.endsWith('usd') ? 0 : 1) : (value ?? '–');
      }),
  );
  const aligned = shown.map((column) =>
    rows.every((row) => typeof row[column] === 'string') ? key(column) : right(column),
  );
  return `${renderTable(aligned, cells, style)}\n${renderNotes([caveat], style)}`;
}
