/** Marks the chunks that an episode holds in the document of its instance, while no transcript does that. */
import * as vscode from 'vscode';
import type { ChunkPlace } from '../../../server/src/protocol.ts';

/** What is to be marked. */
export interface Held {
  /** Address of the instance. */
  readonly uri: string;
  readonly numbers: readonly number[];
  readonly places: readonly ChunkPlace[];
  readonly depth: number;
}

export class HeldMarks implements vscode.Disposable {
  readonly #type = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('hopscope.heldBackground'),
    borderColor: new vscode.ThemeColor('hopscope.heldBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    overviewRulerColor: new vscode.ThemeColor('hopscope.heldBorder'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #subscription = vscode.window.onDidChangeVisibleTextEditors(() => this.#draw(false));
  /** Of the panel that moved last. */
  #held: Held | undefined;

  /** Shows what an episode holds; the newest chunk is brought into sight. */
  show(held: Held): void {
    this.#held = held;
    this.#draw(true);
  }

  /** Shows nothing any more of that instance. */
  hide(uri: string): void {
    if (this.#held?.uri !== uri) return;
    this.#held = undefined;
    this.#draw(false);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#type.dispose();
  }

  #draw(reveals: boolean): void {
    const held = this.#held;
    const editors = vscode.window.visibleTextEditors;
    // The transcript's own marks follow the same step: twice would only be darker.
    const isMarked = editors.some(({ document }) => document.languageId === 'hopscope-episode');
    for (const editor of editors) {
      if (editor.document.languageId !== 'hopscope-instance') continue;
      const isPlayed =
        held !== undefined && editor.document.uri.toString() === vscode.Uri.parse(held.uri).toString();
      const ranges =
        isPlayed && !isMarked
          ? held.numbers.flatMap((number) => {
              const place = held.places.find((it) => it.number === number);
              if (!place) return [];
              return [new vscode.Range(place.start, 0, Math.max(place.start, place.end - 1), 0)];
            })
          : [];
      editor.setDecorations(this.#type, ranges);
      const newest = ranges.at(-1);
      if (newest && reveals) {
        editor.revealRange(newest, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }
}
