/** Small helpers for suites in the extension host. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Waits until `look` sees something, in turns of the event loop; the test's own limit ends a wait in vain. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function showUntitled(language: string, content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document);
  return document;
}

/** What is said about the form of actions in a document, as `severity code |text|`; not what replaying them says. */
export function problemsOf(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source, code }) => source === 'hopscope' && String(code).startsWith('action.'))
    .map(({ severity, code, range }) => {
      const name = vscode.DiagnosticSeverity[severity]?.toLowerCase();
      return `${name} ${code} |${document.getText(range)}|`;
    });
}

/** Waits until a document has exactly these problems; tells what it has when it never does. */
export async function hasProblems(document: vscode.TextDocument, expected: readonly string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  const isSame = () => JSON.stringify(problemsOf(document)) === JSON.stringify(expected);
  await eventually(() => (isSame() || Date.now() > deadline ? true : undefined));
  assert.deepEqual(problemsOf(document), expected);
}

export function closeAll(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
