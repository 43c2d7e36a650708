/** The table of a run's episodes: its rows, and which of them are wanted in which order. */
import { clip } from '../../text/clip.ts';
import type { RunEpisode } from '../run-data.ts';

/** How an episode came out. `wrong` ones are scored and not correct. */
export const outcomes = ['correct', 'wrong', 'errored', 'unfinished'] as const;

export type OutcomeKind = (typeof outcomes)[number];

/** An episode as a table shows it. Texts of foreign runs may be anything, so all are cut to a sane length. */
export interface EpisodeRow {
  /** Its number in the plan; in runs of other programs its place in the file. Unique in a run. */
  readonly task: number;
  readonly instance: string;
  readonly rollout: number;
  readonly groups: Readonly<Record<string, string | number>>;
  readonly outcome: OutcomeKind;
  /** Null without a score. */
  readonly reward: number | null;
  readonly stop: string | null;
  readonly steps: number;
  readonly minSteps: number | null;
  readonly cause: string | null;
  readonly causeStep: number | null;
  readonly causeHop: number | null;
  /** What the provider said instead of a reply. */
  readonly error: string | null;
  /** Input and output together; null when the endpoint did not say. */
  readonly tokens: number | null;
  /** What somebody wrote about it, on one line; empty for nothing. */
  readonly note: string;
}

/** Columns that a table can be sorted by; groupings are sorted by `group:` and their id. */
export const sortColumns = [
  'task',
  'instance',
  'outcome',
  'reward',
  'steps',
  'over-min',
  'cause',
  'tokens',
  'note',
] as const;

export interface RowQuery {
  /** One of {@link sortColumns}, or `group:` and the id of a grouping. */
  readonly sort: string;
  readonly descending: boolean;
  /** Of those that are wanted; an empty list allows all. The cause `` stands for failures without one. */
  readonly outcomes: readonly OutcomeKind[];
  readonly causes: readonly string[];
  /** Values that are wanted, by grouping, as texts; a grouping that is not named allows all. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Words that all must occur in the instance, the cause, the stop, the error or what is noted; case does not count. */
  readonly text: string;
}

/** Longest text in a cell, in UTF-16 code units. */
const longestText = 160;

/** How the episode came out. */
export function outcomeOf({ outcome, error }: RunEpisode): OutcomeKind {
  if (outcome !== null) return outcome.correct ? 'correct' : 'wrong';
  return error === null ? 'unfinished' : 'errored';
}

/** Gives what somebody wrote about an episode, on one line. */
export type NoteOf = (episode: RunEpisode) => string;

/** The row of an episode. */
export function episodeRow(episode: RunEpisode, note = ''): EpisodeRow {
  const { task, instanceId, rollout, groups, outcome, error, cause, usage } = episode;
  const short = (text: string | null) => (text === null ? null : clip(text, longestText));
  return {
    task,
    instance: clip(instanceId, longestText),
    rollout,
    groups: Object.fromEntries(
      Object.entries(groups).map(([id, value]) => [id, typeof value === 'string' ? clip(value, 40) : value]),
    ),
    outcome: outcomeOf(episode),
    reward: outcome?.reward ?? null,
    stop: short(outcome?.stop ?? null),
    steps: episode.steps,
    minSteps: episode.minSteps,
    cause: short(cause),
    causeStep: episode.causeStep,
    causeHop: episode.causeHop,
    error: short(error?.message ?? null),
    tokens: usage === null ? null : usage.input + usage.output,
    note: clip(note, longestText),
  };
}

/**
 * The episodes that a query wants, in its order; equal ones stay in the order of the plan, and those without a value
 * come last either way.
 *
 * @param noteOf what somebody noted about an episode, to be searched as well.
 */
export function selectEpisodes(
  episodes: readonly RunEpisode[],
  query: RowQuery,
  noteOf: NoteOf = () => '',
): readonly RunEpisode[] {
  const chosen = episodes.filter((episode) => isWanted(episode, query, noteOf));
  const { sort, descending } = query;
  if (sort === 'task') return descending ? chosen.reverse() : chosen;
  const keyed = chosen.map((episode) => ({ episode, key: sortKey(episode, sort) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    const order = compareKeys(a.key, b.key);
    return descending ? -order : order;
  });
  return keyed.map(({ episode }) => episode);
}

function isWanted(episode: RunEpisode, query: RowQuery, noteOf: NoteOf): boolean {
  const { outcomes: kinds, causes, groups } = query;
  const kind = outcomeOf(episode);
  if (kinds.length > 0 && !kinds.includes(kind)) return false;
  if (causes.length > 0 && (kind === 'correct' || !causes.includes(episode.cause ?? ''))) return false;
  for (const [id, values] of Object.entries(groups)) {
    if (values.length > 0 && !values.includes(String(episode.groups[id] ?? ''))) return false;
  }
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const { instanceId, cause, outcome, error } = episode;
  const parts = [instanceId, cause ?? '', outcome?.stop ?? '', error?.message ?? '', noteOf(episode)];
  const text = parts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function sortKey(episode: RunEpisode, sort: string): string | number | null {
  const { outcome, steps, minSteps, usage } = episode;
  switch (sort) {
    case 'instance':
      return episode.instanceId;
    case 'outcome':
      return outcomes.indexOf(outcomeOf(episode));
    case 'reward':
      return outcome?.reward ?? null;
    case 'steps':
      return steps;
    case 'over-min':
      return minSteps === null || minSteps === 0 ? null : steps / minSteps;
    case 'cause':
      return episode.cause;
    case 'tokens':
      return usage === null ? null : usage.input + usage.output;
    default:
      return episode.groups[sort.replace(/^group:/, '')] ?? null;
  }
}

/** Numbers before texts; digits in texts count as numbers, so that `x-9` comes before `x-10`. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return collator.compare(String(a), String(b));
}

const collator = new Intl.Collator('en', { numeric: true });
