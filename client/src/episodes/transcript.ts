/** The transcript of an episode, opened beside its panel: both follow each other's step and each other's changes. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { difference, lineOf, stepAt } from './transcript-text.ts';

/** Time after the last change or movement until the panel follows, in ms. */
const pause = 150;

/** The document that is the transcript of an episode, and what was in it when it and the panel last said the same. */
export interface TranscriptPlace {
  readonly uri: string;
  /** Digest of its text. */
  readonly text: string;
  /** Digest of the branch as it would be printed there: the document may say the same in other words. */
  readonly branch: string;
}

export interface TranscriptHost {
  /** The text of the branch that the panel shows. Undefined when there is none. */
  print(target: string): Promise<string | undefined>;
  /**
   * Follows an edited text and goes to the step of that number; to the end when it is null.
   *
   * @returns why it cannot be followed, as a sentence; null when it was
   */
  follow(text: string, step: number | null): Promise<string | null>;
  /** Told whenever that changes: why the document is not followed, null when it is. */
  stoodApart(reason: string | null): void;
  /** Goes to the step of that number on the branch that is shown. */
  go(step: number): Promise<void>;
  /** Whether a text may be a transcript of this episode: names of new documents are given again. */
  isOwn(text: string): boolean;
  /** Keeps the place over reloads of the window. */
  remember(place: TranscriptPlace): void;
}

export class TranscriptBeside implements vscode.Disposable {
  readonly #host: TranscriptHost;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Undefined while nothing is followed. */
  #document: vscode.TextDocument | undefined;
  #place: TranscriptPlace | undefined;
  /** Its text as far as the panel follows it: a change to that is no change of the person's, and any other text stays. */
  #known: string | undefined;
  /** Why its present text is not followed; null when it is. */
  #apart: string | null = null;
  /** Counts what the panel has shown. */
  #shown = 0;
  /** The branch as it was printed when the text said the same. */
  #branch = '';
  #depth = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: TranscriptHost) {
    this.#host = host;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document !== this.#document) return;
        if (document.getText() !== this.#known) this.#later(() => this.#read());
        else this.#standApart(null); // taken back
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (textEditor.document !== this.#document || kind === undefined) return;
        const step = stepAt(textEditor.document, textEditor.selection.active.line);
        if (step !== this.#depth && textEditor.document.getText() === this.#known) {
          this.#later(() => this.#host.go(step));
        }
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#wasSavedAs(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#wasSavedAs(document)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document !== this.#document) return;
        this.#document = undefined;
        this.#standApart(null);
      }),
    ];
  }

  /** Why the text of the document is not followed, as a sentence; null while both say the same. */
  get apart(): string | null {
    return this.#apart;
  }

  /** The episode was opened from this text at that address: its document is the one to be opened beside. */
  async cameFrom(uri: string, text: string): Promise<void> {
    const branch = await this.#host.print(uri);
    if (branch !== undefined) this.#remember(uri, text, branch);
  }

  /** The transcript was written to a file: that is the one to be opened beside, unless another one is open. */
  wasSaved(uri: vscode.Uri, text: string): void {
    if (this.#document === undefined) this.#remember(uri.toString(), text, text);
  }

  /** After a reload of the window: the document is followed again if it is still open. */
  async resume(place: TranscriptPlace | undefined): Promise<void> {
    if (!place || this.#document) return;
    this.#place = place;
    const document = findOpen(place.uri);
    if (document && isShown(document) && this.#host.isOwn(document.getText()))
      await this.#meet(document, place);
  }

  /** Opens it, or shows it again. */
  async open(): Promise<void> {
    const place = this.#place;
    const known = this.#document ?? (place && (await openAgain(place, this.#host)));
    if (known && !this.#document && place) await this.#meet(known, place);
    const document = known ?? (await this.#make());
    if (!document) return;
    await vscode.window.showTextDocument(document, {
      viewColumn: columnOf(document) ?? vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    this.#reveal();
  }

  /** The panel shows another step or another branch now. */
  async show(depth: number): Promise<void> {
    this.#depth = depth;
    this.#shown++;
    const document = this.#document;
    if (!document || document.isClosed) return;
    const branch = await this.#host.print(addressFor(document));
    if (branch === undefined || document.isClosed) return;
    // Somebody has begun to write meanwhile: that is followed, and not overwritten.
    if (document.getText() !== this.#known) return;
    if (branch !== this.#branch) await this.#write(document, branch);
    this.#reveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** A new document with the branch that the panel shows. */
  async #make(): Promise<vscode.TextDocument | undefined> {
    const content = await this.#host.print(addressFor(undefined));
    if (content === undefined) return undefined;
    const document = await vscode.workspace.openTextDocument({ language: 'hopscope-episode', content });
    this.#document = document;
    this.#remember(document.uri.toString(), content, content);
    return document;
  }

  /** From now on a document is followed. Whichever of both has changed since they said the same shows the other. */
  async #meet(document: vscode.TextDocument, { text, branch }: TranscriptPlace): Promise<void> {
    this.#document = document;
    this.#known = undefined;
    if (digest(document.getText()) !== text) return this.#read();
    this.#known = document.getText();
    const printed = await this.#host.print(addressFor(document));
    if (printed === undefined) return;
    if (digest(printed) === branch) this.#branch = printed;
    else await this.#write(document, printed);
  }

  async #write(document: vscode.TextDocument, branch: string): Promise<void> {
    this.#remember(document.uri.toString(), branch, branch);
    if (branch === document.getText()) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, ...difference(document, branch));
    await vscode.workspace.applyEdit(edit);
  }

  async #read(): Promise<void> {
    const document = this.#document;
    if (!document || document.isClosed) return;
    const text = document.getText();
    const editor = editorOf(document);
    const shown = this.#shown;
    const apart = await this.#host.follow(
      text,
      editor ? stepAt(document, editor.selection.active.line) : null,
    );
    if (document !== this.#document || document.getText() !== text) return; // that is read in its turn
    this.#standApart(apart);
    if (apart !== null) return;
    const branch = await this.#host.print(addressFor(document));
    if (branch === undefined || document !== this.#document || document.getText() !== text) return;
    this.#remember(document.uri.toString(), text, branch);
    // The panel has gone on meanwhile, perhaps before the branch was printed.
    if (this.#shown === shown) return;
    this.#branch = '';
    await this.show(this.#depth);
  }

  #standApart(reason: string | null): void {
    if (reason === this.#apart) return;
    this.#apart = reason;
    this.#host.stoodApart(reason);
  }

  #remember(uri: string, text: string, branch: string): void {
    this.#known = text;
    this.#standApart(null);
    this.#branch = branch;
    this.#place = { uri, text: digest(text), branch: digest(branch) };
    this.#host.remember(this.#place);
  }

  /** A new document that is saved goes on as another one, of a file. */
  #wasSavedAs(document: vscode.TextDocument): void {
    const before = this.#document;
    if (!before?.isUntitled || document.isUntitled || document.languageId !== 'hopscope-episode') return;
    const text = document.getText();
    if (text !== this.#known) return;
    this.#document = document;
    this.#remember(document.uri.toString(), text, this.#branch);
  }

  #later(run: () => Promise<void>): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void run(), pause);
  }

  /** Puts the cursor on the step that the panel shows, unless it is there. */
  #reveal(): void {
    const document = this.#document;
    const editor = document && editorOf(document);
    if (!document || !editor || stepAt(document, editor.selection.active.line) === this.#depth) return;
    const place = new vscode.Position(lineOf(document, this.#depth), 0);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The address that files are named from: an untitled transcript is most likely saved into the folder. */
function addressFor(document: vscode.TextDocument | undefined): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (document && !document.isUntitled) return document.uri.toString();
  return folder ? vscode.Uri.joinPath(folder, 'untitled.episode').toString() : 'untitled:episode';
}

function findOpen(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri && document.languageId === 'hopscope-episode',
  );
}

/** The document at a place; undefined when it is gone, or when another one has its name now. */
async function openAgain(
  { uri }: TranscriptPlace,
  { isOwn }: TranscriptHost,
): Promise<vscode.TextDocument | undefined> {
  const open = findOpen(uri);
  if (open) return isOwn(open.getText()) ? open : undefined;
  const address = vscode.Uri.parse(uri);
  if (address.scheme === 'untitled') return undefined; // asking for it would make an empty one
  return Promise.resolve(vscode.workspace.openTextDocument(address)).catch(() => undefined);
}

function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find((editor) => editor.document === document);
}

/** The column in which it has a tab. */
function columnOf({ uri }: vscode.TextDocument): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}

function isShown(document: vscode.TextDocument): boolean {
  return columnOf(document) !== undefined;
}
