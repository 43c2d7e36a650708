/**
 * The runs that are shown, and every question about them. Works in a thread of its own, see `thread.ts`. What plays episodes
 * again is loaded when it is wanted: first rows do not wait for it.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { measured } from '../../engine/evals/formats/read-stream-row.ts';
import type {
  EpisodeVerdict,
  OpenedRun,
  RowPage,
  RunProgress,
  StepsPage,
  TextPage,
  VerdictPage,
} from '../../engine/evals/panel/answers.ts';
import { type ContextUse, contextUse } from '../../engine/evals/panel/context-use.ts';
import type { EnvironmentNote } from '../../engine/evals/panel/environment-note.ts';
import { runFacts } from '../../engine/evals/panel/facts.ts';
import { type PanelFigures, panelFigures } from '../../engine/evals/panel/figures.ts';
import { bounded } from '../../engine/evals/panel/portions.ts';
import { episodeRow, type RowQuery, selectEpisodes } from '../../engine/evals/panel/rows.ts';
import { panelSteps, type StepPart, textOfPart } from '../../engine/evals/panel/steps.ts';
import type { EpisodeTranscript } from '../../engine/evals/panel/transcript.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { beginning, clip } from '../../engine/text/clip.ts';
import { Failure } from '../failure.ts';
import type { LoadedEpisode, Player } from './loaded.ts';
import { RunSession } from './session.ts';

/** Most rows of one answer. */
const mostRows = 300;
/** Size of one answer, in bytes of JSON: well under what a message to a page may have. */
const mostBytes = 150_000;
/** UTF-16 code units of one portion of a text: at most six bytes each. */
const portion = 32_000;
/** Episodes that context use is drawn from: each has to be played again. */
const mostPlayed = 40;
/** Runs and episodes kept ready. */
const keptRuns = 8;
const keptEpisodes = 3;

export class Panels {
  readonly #environments: readonly EnvironmentNote[];
  readonly #report: (progress: RunProgress) => void;
  readonly #sessions = new Map<string, Promise<RunSession>>();
  readonly #players = new WeakMap<RunSession, Promise<Player | null>>();
  readonly #loaded = new Map<string, Promise<LoadedEpisode>>();

  /** @param environments all that there are */
  constructor(environments: readonly EnvironmentNote[], report: (progress: RunProgress) => void) {
    this.#environments = environments;
    this.#report = report;
  }

  /** Opens a run, or tells of one that is open. @throws Failure when there is none. */
  async open({ run }: { readonly run: string }): Promise<OpenedRun> {
    const session = await this.session(run);
    return { facts: runFacts(session.reader.info, session.environment), progress: session.progress };
  }

  async rows(asked: {
    readonly run: string;
    readonly query: RowQuery;
    readonly from: number;
    readonly count: number;
  }): Promise<RowPage> {
    const session = await this.session(asked.run);
    const { version } = session.progress;
    const { chosen, scored, reward } = select(session, asked.query);
    const { from, count } = asked;
    const wanted = chosen.slice(from, from + Math.min(count, mostRows));
    const rows = wanted.map((episode) => episodeRow(episode, session.noteOf(episode)));
    return { version, from, rows: bounded(rows, mostBytes), total: chosen.length, scored, reward };
  }

  async figures({ run }: { readonly run: string }): Promise<PanelFigures> {
    const { reader, environment } = await this.session(run);
    const context = { groupings: environment?.groupings ?? [], metrics: environment?.metrics ?? [] };
    return panelFigures(measured({ info: reader.info, episodes: reader.episodes }), context);
  }

  async steps(asked: {
    readonly run: string;
    readonly task: number;
    readonly from: number;
  }): Promise<StepsPage> {
    const session = await this.session(asked.run);
    const episode = session.episode(asked.task);
    const { steps, explanation, unplayed } = await this.#load(session, episode);
    const all = panelSteps(steps);
    const shown = bounded(all.slice(asked.from), mostBytes);
    const next = asked.from + shown.length;
    return {
      row: episodeRow(episode, session.noteOf(episode)),
      steps: shown,
      next: next < all.length ? next : null,
      total: all.length,
      sentence: explanation?.sentence ?? null,
      unwinnableAt: explanation?.unwinnableAt ?? null,
      unplayed,
      advice: episode.error === null ? null : clip(episode.error.advice, 500),
    };
  }

  async text(asked: {
    readonly run: string;
    readonly task: number;
    /** Place among the steps, from 0. */
    readonly at: number;
    readonly part: StepPart;
    readonly from: number;
  }): Promise<TextPage> {
    const session = await this.session(asked.run);
    const { steps } = await this.#load(session, session.episode(asked.task));
    const step = steps[asked.at];
    const whole = step === undefined ? null : textOfPart(step, asked.part);
    if (whole === null) throw new Failure('request', 'There is no such text in the episode any more.');
    const text = beginning(whole, asked.from, portion);
    const next = asked.from + text.length;
    return { text, next: next < whole.length ? next : null };
  }

  /** @param asked.step to look at, from 1; the one that shows the cause when null. */
  async transcript(asked: {
    readonly run: string;
    readonly task: number;
    readonly step: number | null;
  }): Promise<EpisodeTranscript> {
    const session = await this.session(asked.run);
    return this.#transcript(session, session.episode(asked.task), asked.step);
  }

  /** Episodes as tests, in the order of the plan, as many as take some milliseconds. */
  async verdicts(asked: { readonly run: string; readonly from: number }): Promise<VerdictPage> {
    const session = await this.session(asked.run);
    await session.whole();
    const { episodes } = session.reader;
    const until = performance.now() + 40;
    const verdicts: EpisodeVerdict[] = [];
    let at = asked.from;
    for (; at < episodes.length && verdicts.length < 100; at++) {
      if (verdicts.length > 0 && performance.now() >= until) break;
      const episode = episodes[at];
      if (episode === undefined) break;
      const isFailed = episode.outcome?.correct === false && episode.causeStep !== null;
      const line = isFailed ? (await this.#transcript(session, episode, null)).line : 0;
      verdicts.push({ row: episodeRow(episode), line });
    }
    const facts = runFacts(session.reader.info, session.environment);
    return { facts, verdicts, next: at < episodes.length ? at : null, total: episodes.length };
  }

  /** How full the working context was, step by step; null where nothing is scarce or nothing can be played again. */
  async context({ run }: { readonly run: string }, signal: AbortSignal): Promise<ContextUse | null> {
    const session = await this.session(run);
    await session.whole();
    const player = await this.#player(session);
    if (player?.environment.commentary?.gauge === undefined) return null;
    const ended = session.reader.episodes.filter(({ outcome }) => outcome !== null);
    const every = Math.max(1, ended.length / mostPlayed);
    const courses: (readonly unknown[])[] = [];
    for (let at = 0; at < ended.length; at += every) {
      await breathe();
      signal.throwIfAborted();
      const episode = ended[Math.floor(at)];
      if (episode === undefined) break;
      const played = await player.states(episode, await session.reader.said(episode.task));
      if (played !== null) courses.push(played.states);
      else if (courses.length === 0) return null; // the others are not to be had either
    }
    return contextUse(player.environment.commentary, courses, ended.length);
  }

  /** Looks whether a run went on. */
  async refresh({ run }: { readonly run: string }): Promise<RunProgress> {
    const session = await this.session(run);
    if (await session.refresh()) return session.progress;
    await this.close({ run });
    const anew = await this.session(run);
    this.#report(anew.progress);
    return anew.progress;
  }

  async close({ run }: { readonly run: string }): Promise<void> {
    const open = this.#sessions.get(run);
    this.#sessions.delete(run);
    for (const key of this.#loaded.keys()) if (key.startsWith(`${run}\n`)) this.#loaded.delete(key);
    await (await open?.catch(() => undefined))?.close();
  }

  /** The run at a path, opened when it is not yet. @throws Failure when there is none. */
  session(run: string): Promise<RunSession> {
    const open = this.#sessions.get(run);
    if (open !== undefined) {
      this.#sessions.delete(run);
      this.#sessions.set(run, open);
      return open;
    }
    const opening = RunSession.open(run, this.#environments, this.#report);
    this.#sessions.set(run, opening);
    opening.catch(() => this.#sessions.delete(run));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > keptRuns && oldest !== undefined) void this.close({ run: oldest });
    return opening;
  }

  #player(session: RunSession): Promise<Player | null> {
    const ready =
      this.#players.get(session) ?? import('./loaded.ts').then(({ openPlayer }) => openPlayer(session));
    this.#players.set(session, ready);
    return ready;
  }

  /** An episode that goes on is read again. */
  #load(session: RunSession, episode: RunEpisode): Promise<LoadedEpisode> {
    const key = `${session.run}\n${episode.task}\n${episode.events.length}`;
    const ready = this.#loaded.get(key);
    if (ready !== undefined) return ready;
    const loading = this.#player(session).then(async (player) => {
      const { loadEpisode } = await import('./loaded.ts');
      return loadEpisode(session, player, episode.task);
    });
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.delete(key));
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > keptEpisodes && oldest !== undefined) this.#loaded.delete(oldest);
    return loading;
  }

  async #transcript(
    session: RunSession,
    episode: RunEpisode,
    step: number | null,
  ): Promise<EpisodeTranscript> {
    const { info, place } = session.reader;
    const { events } = await session.reader.said(episode.task);
    const part = episode.index === null ? place.config?.parts.find((it) => 'file' in it) : undefined;
    const file = part !== undefined && 'file' in part ? part.file : null;
    const { episodeTranscript } = await import('../../engine/evals/panel/transcript.ts');
    return episodeTranscript(info, episode, events, file, step);
  }
}

interface Selection {
  readonly chosen: readonly RunEpisode[];
  readonly scored: number;
  /** Mean over the scored ones. */
  readonly reward: number | null;
}

/** What was asked for last in each version of a run: whoever scrolls asks for the same again and again. */
const selections = new WeakMap<
  readonly RunEpisode[],
  { readonly key: string; readonly selection: Selection }
>();

function select(session: RunSession, query: RowQuery): Selection {
  const { episodes } = session.reader;
  const key = JSON.stringify([query, session.noteVersion]);
  const known = selections.get(episodes);
  if (known?.key === key) return known.selection;
  const chosen = selectEpisodes(episodes, query, session.noteOf.bind(session));
  const rewards = chosen.flatMap(({ outcome }) => (outcome === null ? [] : [outcome.reward]));
  const reward = rewards.length === 0 ? null : rewards.reduce((sum, it) => sum + it, 0) / rewards.length;
  const selection = { chosen, scored: rewards.length, reward };
  selections.set(episodes, { key, selection });
  return selection;
}
