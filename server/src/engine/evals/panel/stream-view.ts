/** What a panel shows of streams: scores of settings, averages, windows, curves, what was spent. Plain data of bounded size. */
import type {
  CurvePoint,
  Leaderboard,
  StreamInfo,
  StreamReport,
  StreamRow,
  Streams,
} from '../../environments/streams.ts';
import { mean } from '../../stats/means.ts';
import { clip } from '../../text/clip.ts';

/** Test tasks of one category of one stream. */
export interface SettingScore {
  readonly category: string;
  /** From 0 to 100; null before the first. */
  readonly score: number | null;
  readonly tasks: number;
}

/** A window of a stream as far as it is played. */
export interface WindowView {
  readonly window: number;
  /** Position in the stream of its first serving task, from 1. */
  readonly first: number;
  /** How many rules are not what they were in the window before. */
  readonly changes: number;
  /** Whether it was to be played. */
  readonly isPlayed: boolean;
  /** Null for a method that is given no serving tasks. */
  readonly serving: { readonly done: number; readonly of: number; readonly score: number | null } | null;
  readonly test: { readonly done: number; readonly of: number };
  readonly scores: readonly SettingScore[];
}

export interface StreamSummary {
  readonly id: string;
  readonly title: string;
  /** Row and column in a table of scores. */
  readonly place: readonly [row: string, column: string];
  readonly done: number;
  readonly of: number;
  readonly scores: readonly SettingScore[];
  readonly windows: readonly WindowView[];
}

/** Tokens of one part of the work. */
export interface SpentView {
  readonly part: string;
  readonly input: number;
  readonly output: number;
  readonly calls: number;
}

/** What a method remembered after a block; its text is asked for apart. */
export interface MemoryView {
  readonly stream: string;
  readonly window: number;
  readonly block: number;
  readonly length: number;
}

export interface StreamView {
  readonly method: { readonly name: string; readonly description: string; readonly learns: boolean };
  readonly size: string;
  /** Who made the tasks, and who judged. More than one of either is told of, and never in one figure. */
  readonly sources: readonly string[];
  readonly judges: readonly string[];
  readonly done: number;
  readonly of: number;
  readonly streams: readonly StreamSummary[];
  readonly categories: readonly string[];
  readonly averages: readonly {
    readonly label: string;
    readonly description: string;
    readonly score: number | null;
  }[];
  readonly curves: readonly CurvePoint[];
  /** Replies that counted for nothing, by why, the most frequent first. */
  readonly invalid: readonly { readonly reason: string; readonly count: number }[];
  readonly spent: readonly SpentView[];
  /** In US dollars; null where no price is known. */
  readonly dollars: number | null;
  readonly memories: readonly MemoryView[];
  readonly leaderboard: Leaderboard | null;
}

export type ViewRow = StreamRow & {
  readonly invalid: readonly string[];
  readonly [field: string]: unknown;
};

/** What a view is made of. */
export interface StreamMaterial {
  readonly streams: Pick<
    Streams<unknown, unknown, unknown>,
    'score' | 'averages' | 'methods' | 'leaderboard'
  >;
  /** Everything that was to be played. */
  readonly wanted: readonly StreamInfo[];
  readonly method: string;
  readonly size: string;
  readonly learns: boolean;
  /** Null for all. */
  readonly windows: readonly number[] | null;
  readonly rows: readonly ViewRow[];
  readonly memories: readonly {
    readonly stream: string;
    readonly window: number;
    readonly block: number;
    readonly text: string;
  }[];
  readonly spent: readonly SpentView[];
  readonly dollars: number | null;
}

/** Streams one by one, as far as they are played. */
export function streamSummaries(
  material: Omit<StreamMaterial, 'memories' | 'spent' | 'dollars'>,
): readonly StreamSummary[] {
  const report = material.streams.score(material.rows);
  return material.wanted.map((info) => summaryOf(info, material, report));
}

/** All that there is to be said. */
export function streamView(material: StreamMaterial): StreamView {
  const { streams, method, size, learns, rows, memories, spent, dollars } = material;
  const report = streams.score(rows);
  const summaries = material.wanted.map((info) => summaryOf(info, material, report));
  const named = (field: string) => [
    ...new Set(rows.flatMap((row) => (typeof row[field] === 'string' ? clip(row[field], 120) : []))),
  ];
  const name = method.split(/[\\/]/).at(-1) ?? method;
  const shipped = streams.methods.find(({ id }) => id === method);
  const invalid = new Map<string, number>();
  for (const reason of rows.flatMap((row) => row.invalid)) {
    invalid.set(reason, (invalid.get(reason) ?? 0) + 1);
  }
  return {
    method: {
      name: clip(name, 120),
      description: shipped?.description ?? 'A method in a file of your own.',
      learns,
    },
    size,
    sources: named('source'),
    judges: named('judge'),
    done: summaries.reduce((sum, it) => sum + it.done, 0),
    of: summaries.reduce((sum, it) => sum + it.of, 0),
    streams: summaries,
    categories: [...new Set(report.scores.map(({ category }) => clip(category, 60)))],
    averages: (streams.averages ?? []).map(({ id, label, description }) => ({
      label,
      description,
      score: report.averages[id] ?? null,
    })),
    curves: report.curves,
    invalid: [...invalid]
      .map(([reason, count]) => ({ reason: clip(reason, 60), count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
      .slice(0, 40),
    spent,
    dollars,
    memories: memories.map(({ stream, window, block, text }) => ({
      stream,
      window,
      block,
      length: text.length,
    })),
    leaderboard: streams.leaderboard ?? null,
  };
}

function summaryOf(
  { id, title, place, plan }: StreamInfo,
  { learns, windows, rows }: Pick<StreamMaterial, 'learns' | 'windows' | 'rows'>,
  { scores, curves }: StreamReport,
): StreamSummary {
  const own = rows.filter(({ stream }) => stream === id);
  // Everywhere in the same order.
  const order = [...new Set(scores.map(({ category }) => category))];
  const firsts = plan.map((_, window) => 1 + plan.slice(0, window).reduce((sum, it) => sum + it.serving, 0));
  const views = plan.map(({ serving, test, changes }, window): WindowView => {
    const isPlayed = windows === null || windows.includes(window);
    const played = own.filter((row) => row.window === window);
    const learned = played.filter(({ phase }) => phase === 'serving');
    const tests = played.length - learned.length;
    return {
      window,
      first: firsts[window] ?? 1,
      changes,
      isPlayed,
      serving: learns ? { done: learned.length, of: isPlayed ? serving : 0, score: points(learned) } : null,
      test: { done: tests, of: isPlayed ? test : 0 },
      scores: curves
        .filter((it) => it.stream === id && it.phase === 'test' && it.window === window)
        .map(({ category, score, tasks }) => ({ category, score, tasks }))
        .sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category)),
    };
  });
  return {
    id,
    title,
    place,
    done: views.reduce((sum, it) => sum + it.test.done + (it.serving?.done ?? 0), 0),
    of: views.reduce((sum, it) => sum + it.test.of + (it.serving?.of ?? 0), 0),
    scores: scores
      .filter(({ stream }) => stream === id)
      .map(({ category, score, tasks }) => ({ category, score, tasks })),
    windows: views,
  };
}

function points(rows: readonly StreamRow[]): number | null {
  const found = mean(rows.map(({ reward }) => reward));
  return found === null ? null : 100 * found;
}
