/** One run that is shown: read on in the background, in stretches that let questions in between. */
import { setImmediate as breathe } from 'node:timers/promises';
import { noNotes, noteLine, type RunNotes } from '../../engine/evals/notes.ts';
import type { RunProgress } from '../../engine/evals/panel/answers.ts';
import { type EnvironmentNote, groupingsIn } from '../../engine/evals/panel/environment-note.ts';
import type { RunEpisode } from '../../engine/evals/run-data.ts';
import { Failure } from '../failure.ts';
import { isLocked } from '../runs/lock.ts';
import { readNotes } from '../runs/notes.ts';
import { openRunReader, type RunReader } from './run-reader.ts';

/** Longest time for which other questions wait, in ms. */
const stretch = 25;
/** Time between two reports of progress, in ms. */
const reportEvery = 250;
/** Rows that are wanted at first, and the longest time to wait for them, in ms. */
const firstRows = 50;
const firstPatience = 50;

let versions = 0;

/** Versions never come again, not even when a run is opened anew: whoever shows one knows by it what is out of date. */
function nextVersion(): number {
  versions++;
  return versions;
}

export class RunSession {
  readonly run: string;
  readonly reader: RunReader;
  /** Null for one that is not known here. */
  readonly environment: EnvironmentNote | null;
  readonly #report: (progress: RunProgress) => void;
  #version = nextVersion();
  #pumping: Promise<void> | null = null;
  #isClosed = false;
  #failure: string | null = null;
  #notes: RunNotes = noNotes;
  /** Raised whenever notes were read. */
  noteVersion = 0;

  private constructor(
    run: string,
    reader: RunReader,
    environments: readonly EnvironmentNote[],
    report: (progress: RunProgress) => void,
  ) {
    this.run = run;
    this.reader = reader;
    this.#report = report;
    const note = environments.find(({ id }) => id === reader.info.environment) ?? null;
    this.environment = note && { ...note, groupings: reader.groupings ?? note.groupings };
  }

  /** Resolves when first rows are there. @throws Failure when there is no run. */
  static async open(
    run: string,
    environments: readonly EnvironmentNote[],
    report: (progress: RunProgress) => void,
  ): Promise<RunSession> {
    const reader = await openRunReader(run, groupingsIn(environments));
    // What a foreign run is of stands in its first line.
    const until = performance.now() + firstPatience;
    let lines = 0;
    await reader.read(() => ++lines > firstRows || performance.now() >= until);
    const session = new RunSession(run, reader, environments, report);
    await session.#readNotes();
    void session.#pump();
    return session;
  }

  get progress(): RunProgress {
    const { reader } = this;
    return {
      run: this.run,
      version: this.#version,
      episodes: reader.count,
      scanned: reader.scanned,
      size: reader.size,
      isComplete: reader.isComplete,
      isRunning: reader.isRunning ?? isLocked(reader.place.folder),
      badLines: reader.badLines,
      failure: this.#failure,
    };
  }

  /** The episode of a number. @throws Failure when there is none. */
  episode(task: number): RunEpisode {
    const { episodes } = this.reader;
    // In the order of the plan, of which some may not be begun.
    const near = episodes[task];
    const found = near?.task === task ? near : episodes.find((episode) => episode.task === task);
    if (found === undefined) throw new Failure('request', `The run has no episode ${task}.`);
    return found;
  }

  /** What somebody wrote about an episode, on one line; empty for nothing. */
  noteOf({ task }: RunEpisode): string {
    const note = this.#notes.episodes.get(task);
    return note === undefined ? '' : noteLine(note);
  }

  /** Looks whether the run went on, or something was noted. @returns false when it has to be opened again. */
  async refresh(): Promise<boolean> {
    const change = await this.reader.refresh();
    await this.#readNotes();
    if (change === 'changed') return false;
    if (change === 'grown') void this.#pump();
    else this.#tell();
    return true;
  }

  /** Resolves when all that is there has been read. @throws Failure when it cannot be. */
  async whole(): Promise<void> {
    await this.#pump();
    if (this.#failure !== null) throw new Failure('run', this.#failure);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.reader.close().catch(() => undefined);
  }

  #pump(): Promise<void> {
    this.#pumping ??= this.#readOn().finally(() => {
      this.#pumping = null;
    });
    return this.#pumping;
  }

  async #readOn(): Promise<void> {
    let reported = performance.now();
    try {
      while (!this.reader.isComplete && !this.#isClosed) {
        const until = performance.now() + stretch;
        await this.reader.read(() => performance.now() >= until);
        if (performance.now() - reported >= reportEvery) {
          this.#tell();
          reported = performance.now();
        }
        await breathe();
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#failure = error instanceof Error ? error.message : String(error);
    }
    if (!this.#isClosed) this.#tell();
  }

  /** Notes that cannot be read are told of by what shows and edits them. */
  async #readNotes(): Promise<void> {
    this.#notes = await readNotes(this.reader.place.folder).catch(() => noNotes);
    this.noteVersion++;
  }

  #tell(): void {
    this.#version = nextVersion();
    this.#report(this.progress);
  }
}
