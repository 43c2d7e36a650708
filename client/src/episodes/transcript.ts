/** The transcript of an episode, opened beside its panel: both follow each other's step and each other's changes. */
import * as vscode from 'vscode';

/** Time after the last change or movement until the panel follows, in ms. */
const pause = 150;

export interface TranscriptHost {
  /** The text of the branch that the panel shows. Undefined when there is none. */
  print(target: string): Promise<string | undefined>;
  /** Follows an edited text and goes to the step of that number; to the end when it is null. */
  follow(text: string, step: number | null): Promise<void>;
  /** Goes to the step of that number on the branch that is shown. */
  go(step: number): Promise<void>;
}

export class TranscriptBeside implements vscode.Disposable {
  readonly #host: TranscriptHost;
  readonly #subscriptions: readonly vscode.Disposable[];
  #document: vscode.TextDocument | undefined;
  /** What we wrote into it last: a change to that is no change of the person's. */
  #written = '';
  #depth = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: TranscriptHost) {
    this.#host = host;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#document && document.getText() !== this.#written)
          this.#later(() => this.#read());
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (textEditor.document !== this.#document || kind === undefined) return;
        const step = stepAt(textEditor.document, textEditor.selection.active.line);
        if (step !== this.#depth && textEditor.document.getText() === this.#written) {
          this.#later(() => this.#host.go(step));
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.#document) this.#document = undefined;
      }),
    ];
  }

  /** Opens it, or shows it again. */
  async open(): Promise<void> {
    const text = await this.#host.print(placeOf(undefined));
    if (text === undefined) return;
    if (this.#document === undefined || this.#document.isClosed) {
      this.#written = text;
      this.#document = await vscode.workspace.openTextDocument({
        language: 'hopscope-episode',
        content: text,
      });
    }
    await vscode.window.showTextDocument(this.#document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    this.#reveal();
  }

  /** The panel shows another step or another branch now. */
  async show(depth: number): Promise<void> {
    this.#depth = depth;
    const document = this.#document;
    if (!document || document.isClosed) return;
    const text = await this.#host.print(placeOf(document));
    if (text === undefined || document.isClosed) return;
    // Somebody has begun to write meanwhile: that is followed, and not overwritten.
    if (document.getText() !== this.#written) return;
    if (text !== document.getText()) {
      this.#written = text;
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, ...difference(document, text));
      await vscode.workspace.applyEdit(edit);
    }
    this.#reveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #later(run: () => Promise<void>): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void run(), pause);
  }

  async #read(): Promise<void> {
    const document = this.#document;
    if (!document || document.isClosed) return;
    const text = document.getText();
    this.#written = text; // what a person writes stays as it is written
    const editor = editorOf(document);
    const step = editor ? stepAt(document, editor.selection.active.line) : null;
    await this.#host.follow(text, step);
  }

  /** Puts the cursor on the step that the panel shows, unless it is there. */
  #reveal(): void {
    const document = this.#document;
    const editor = document && editorOf(document);
    if (!document || !editor || stepAt(document, editor.selection.active.line) === this.#depth) return;
    const line = lineOf(document, this.#depth);
    const place = new vscode.Position(line, 0);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The address that files are named from: an untitled transcript is most likely saved into the folder. */
function placeOf(document: vscode.TextDocument | undefined): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (document && !document.isUntitled) return document.uri.toString();
  return folder ? vscode.Uri.joinPath(folder, 'untitled.episode').toString() : 'untitled:episode';
}

function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find((editor) => editor.document === document);
}

/** Steps are counted, whatever number stands on their lines. */
function isStepLine(document: vscode.TextDocument, line: number): boolean {
  return /^=== step\b/.test(document.lineAt(line).text);
}

/** The number of the step at a line; 0 in front of all. */
function stepAt(document: vscode.TextDocument, line: number): number {
  let step = 0;
  for (let at = 0; at <= line && at < document.lineCount; at++) if (isStepLine(document, at)) step++;
  return step;
}

function lineOf(document: vscode.TextDocument, step: number): number {
  let found = 0;
  for (let at = 0; at < document.lineCount && step > 0; at++) {
    if (isStepLine(document, at) && ++found === step) return at;
  }
  return 0;
}

/** The part of a document that differs from `text`, and what belongs there. */
function difference(document: vscode.TextDocument, text: string): [vscode.Range, string] {
  const before = document.getText();
  let start = 0;
  const shorter = Math.min(before.length, text.length);
  while (start < shorter && before[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
  return [range, text.slice(start, text.length - end)];
}
