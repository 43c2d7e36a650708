/** Moves to a place of a document: what CodeLens and links in hovers run. */
import * as vscode from 'vscode';

/** Arguments are an address, a line and a character, both from 0. */
export function registerReveal(): vscode.Disposable {
  return vscode.commands.registerCommand(
    'hopscope.reveal',
    async (address: string, line: number, character: number) => {
      const uri = vscode.Uri.parse(address, true);
      const place = new vscode.Position(line, character);
      const shown = vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.toString() === uri.toString(),
      );
      const editor = await vscode.window.showTextDocument(uri, {
        ...(shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn }),
        selection: new vscode.Range(place, place),
      });
      editor.revealRange(
        new vscode.Range(place, place),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    },
  );
}
