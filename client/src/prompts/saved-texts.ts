/** The saved versions of open documents, for what compares the present one with them. */
import * as vscode from 'vscode';

export class SavedTexts implements vscode.Disposable {
  readonly #known = new Map<string, string>();
  readonly #subscriptions = [
    vscode.workspace.onDidSaveTextDocument((document) => this.#remember(document)),
    vscode.workspace.onDidCloseTextDocument((document) => this.#known.delete(document.uri.toString())),
  ];

  /** Null for a document that was never saved, or whose file cannot be read. */
  async of(document: vscode.TextDocument): Promise<string | null> {
    if (document.isUntitled) return null;
    if (!document.isDirty) return this.#remember(document);
    const known = this.#known.get(document.uri.toString());
    if (known !== undefined) return known;
    try {
      // It was changed before anybody asked, e.g. in an earlier session.
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
      this.#known.set(document.uri.toString(), text);
      return text;
    } catch {
      return null;
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #remember(document: vscode.TextDocument): string {
    const text = document.getText();
    this.#known.set(document.uri.toString(), text);
    return text;
  }
}
