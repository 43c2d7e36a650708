/** The chunks that one episode holds, marked in the document of its instance while that is open. */
import * as vscode from 'vscode';
import type { ChunkPlace, SessionOpened, SessionView } from '../../../server/src/protocol.ts';
import type { HeldMarks } from './marks.ts';

export class HeldChunks {
  readonly #marks: HeldMarks;
  readonly #find: () => Promise<readonly ChunkPlace[] | undefined>;
  #places: readonly ChunkPlace[] | undefined;

  /** @param find where the chunks stand: asked for when they are to be marked for the first time */
  constructor(marks: HeldMarks, find: () => Promise<readonly ChunkPlace[] | undefined>) {
    this.#marks = marks;
    this.#find = find;
  }

  /** Call with every view that is shown. */
  async show(opened: SessionOpened | undefined, view: SessionView | undefined): Promise<void> {
    const uri = opened?.instance.uri;
    const map = view?.panel?.map;
    if (!uri || !map) return;
    const isOpen = vscode.window.visibleTextEditors.some(
      ({ document }) => document.uri.toString() === vscode.Uri.parse(uri).toString(),
    );
    if (!isOpen) return;
    this.#places ??= await this.#find();
    if (this.#places) {
      this.#marks.show({ uri, numbers: map.held, places: this.#places, depth: view.depth });
    }
  }

  /** The panel was closed. */
  hide(opened: SessionOpened | undefined): void {
    const uri = opened?.instance.uri;
    if (uri) this.#marks.hide(uri);
  }
}
