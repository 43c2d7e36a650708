/** Sessions kept over reloads of the window, each in a file of its own in the extension's storage. */
import * as vscode from 'vscode';
import type { TranscriptPlace } from './transcript.ts';

/** Where the transcripts of sessions are, by session. */
const placesKey = 'hopscope.episode.transcripts';

/** Files of sessions that nobody came back to are taken away after so many ms. */
const longest = 30 * 24 * 3600 * 1000;

export class KeptSessions {
  readonly #folder: vscode.Uri;
  readonly #memory: vscode.Memento;
  /** By session, so that two versions of one are not written at the same time. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor({ storageUri, globalStorageUri, workspaceState }: vscode.ExtensionContext) {
    this.#memory = workspaceState;
    this.#folder = vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'episodes');
  }

  /** What was kept last; undefined when there is nothing. */
  async read(session: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file(session)));
    } catch {
      return undefined;
    }
  }

  /** A session that cannot be kept is merely not there after a reload. */
  async write(session: string, text: string): Promise<void> {
    const before = this.#writing.get(session);
    const writing = (async () => {
      await before;
      const whole = vscode.Uri.joinPath(this.#folder, `${session}.new`);
      await vscode.workspace.fs.writeFile(whole, new TextEncoder().encode(text));
      await vscode.workspace.fs.rename(whole, this.#file(session), { overwrite: true });
    })().catch(() => {});
    this.#writing.set(session, writing);
    await writing;
  }

  /** Where the transcript of a session is; undefined when it has none. */
  placeOf(session: string): TranscriptPlace | undefined {
    return this.#places()[session];
  }

  /** Keeps where the transcript of a session is. */
  async setPlace(session: string, place: TranscriptPlace): Promise<void> {
    await this.#memory.update(placesKey, { ...this.#places(), [session]: place });
  }

  async forget(session: string): Promise<void> {
    const { [session]: gone, ...places } = this.#places();
    if (gone) await this.#memory.update(placesKey, places);
    await this.#writing.get(session);
    this.#writing.delete(session);
    await Promise.resolve(vscode.workspace.fs.delete(this.#file(session))).catch(() => {});
  }

  /** Takes away what nobody will come back to. */
  async tidy(): Promise<void> {
    try {
      const files = await vscode.workspace.fs.readDirectory(this.#folder);
      const places = Object.entries(this.#places()).filter(([session]) =>
        files.some(([name]) => this.#file(session).path.endsWith(`/${name}`)),
      );
      await this.#memory.update(placesKey, Object.fromEntries(places));
      for (const [name] of files) {
        const file = vscode.Uri.joinPath(this.#folder, name);
        const { mtime } = await vscode.workspace.fs.stat(file);
        if (Date.now() - mtime > longest) await vscode.workspace.fs.delete(file);
      }
    } catch {
      // There is nothing, or somebody else was quicker.
    }
  }

  #places(): Readonly<Record<string, TranscriptPlace>> {
    return this.#memory.get(placesKey, {});
  }

  #file(session: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${session.replace(/[^\w-]/g, '_')}.json`);
  }
}
