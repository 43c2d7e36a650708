/** The runs that the workspace has, as the language server lists them, kept up to date with the folders. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunListing, RunRow, StreamEntry, StreamListing } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { allPlaces, whyNoRuns } from './places.ts';

/** Ms that changes are gathered for: a run writes many lines a second. */
const pause = 250;
/**
 * Ms between two looks at runs that are under way or in sight: a process that was killed changes no file, and of what comes in
 * folders that have just been made nobody may be told.
 */
const look = 5000;

/** Runs and streams: both are of the workspace, and what cannot be read of either is told of in one place. */
export type Listing = RunListing & Pick<StreamListing, 'streams'>;

const nothing: Listing = { runs: [], broken: [], testSplits: [], streams: [] };

export class RunModel implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  #listing = nothing;
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** The list that is being read, and whether another one is to follow it. */
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isWanted = false;
  #isInSight = () => false;
  /** Fires when the list has changed. */
  readonly onDidChange = this.#changes.event;

  constructor(client: LanguageClient) {
    this.#client = client;
    this.#subscriptions = [
      this.#changes,
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#watch()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('hopscope.runs') || change.affectsConfiguration('hopscope.eval')) {
          this.#watch();
        }
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#looking);
    for (const one of [...this.#watchers, ...this.#subscriptions]) one.dispose();
  }

  get listing(): Listing {
    return this.#listing;
  }

  /** The run at the address of its folder, if it is listed. */
  find(uri: string): RunRow | undefined {
    return this.#listing.runs.find((run) => run.uri === sameUri(uri));
  }

  /** The streams at an address, if they are listed. */
  findStream(uri: string): StreamEntry | undefined {
    return this.#listing.streams.find((stream) => stream.uri === sameUri(uri));
  }

  /** @param isInSight whether somebody looks at the list: then it is read again now and then. */
  watchWhile(isInSight: () => boolean): void {
    this.#isInSight = isInSight;
    this.refreshSoon();
  }

  /** Reads the list when nobody has yet; from then on it is kept up to date. */
  async ready(): Promise<Listing> {
    if (!this.#isWanted) {
      this.#isWanted = true;
      this.#watch();
    }
    await this.refresh();
    return this.#listing;
  }

  /** Reads the list again; resolves when what is on the disk now is in it. */
  refresh(): Promise<void> {
    if (this.#reading) {
      this.#isStale = true;
      return this.#reading;
    }
    this.#reading = this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Reads it again soon, together with what else changes. */
  readonly refreshSoon = (): void => {
    if (!this.#isWanted) return;
    // A timer that is running is left alone: a run that never pauses is to be seen moving.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, pause);
  };

  async #readUntilFresh(): Promise<void> {
    do {
      this.#isStale = false;
      const listing = await this.#read();
      const isSame = JSON.stringify(listing) === JSON.stringify(this.#listing);
      this.#listing = listing;
      if (!isSame) this.#changes.fire();
    } while (this.#isStale);
    clearTimeout(this.#looking);
    const { runs, streams } = this.#listing;
    const isMoving = [...runs, ...streams].some(({ status }) => status === 'running');
    if (isMoving || this.#isInSight()) this.#looking = setTimeout(this.refreshSoon, look);
  }

  async #read(): Promise<Listing> {
    if (whyNoRuns() !== undefined) return nothing;
    const places = allPlaces();
    if (places.length === 0) return nothing;
    const folders = [...new Set(places.map(({ runs }) => vscode.Uri.file(runs).toString()))];
    const prices = places.find((place) => place.prices !== null)?.prices ?? null;
    const results = places.map(({ results: folder }) => vscode.Uri.file(folder).toString());
    const [listing, found] = await Promise.all([
      ask(this.#client, 'hopscope/listRuns', { folders, prices }),
      ask(this.#client, 'hopscope/listStreams', { folders: [...new Set([...folders, ...results])], prices }),
    ]);
    return {
      ...listing,
      runs: listing.runs.map((run) => ({ ...run, uri: sameUri(run.uri) })),
      streams: found.streams.map((stream) => ({ ...stream, uri: sameUri(stream.uri) })),
      broken: [...listing.broken, ...found.broken],
    };
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
    if (!this.#isWanted) return;
    for (const { base, runs, results } of allPlaces()) {
      for (const folder of new Set([runs, results])) {
        this.#watchFor(new vscode.RelativePattern(vscode.Uri.file(folder), '**'));
        // When the folder itself comes or goes, nothing in it is told of.
        const own = path.relative(base, folder).split(path.sep).join('/');
        if (own !== '' && !own.startsWith('..')) this.#watchFor(new vscode.RelativePattern(base, own));
      }
    }
    this.refreshSoon();
  }

  #watchFor(pattern: vscode.RelativePattern): void {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.#watchers.push(
      watcher,
      watcher.onDidCreate(this.refreshSoon),
      watcher.onDidChange(this.refreshSoon),
      watcher.onDidDelete(this.refreshSoon),
    );
  }
}

/** An address in the editor's own spelling, of which there is one; Node leaves more characters as they are. */
export function sameUri(uri: string): string {
  return vscode.Uri.parse(uri).toString();
}
