/** Where a page opens: before the person who asks for it, or out of the way of one who goes on writing. */
import * as vscode from 'vscode';

/** Second argument of the commands that open pages. Menus pass others there, which mean nothing. */
export const quietly = 'quietly';

/** The column of a new page, and whether what has the focus keeps it. */
export function placeOf(manner: unknown): { viewColumn: vscode.ViewColumn; preserveFocus: boolean } {
  const preserveFocus = manner === quietly;
  // A text stays to be seen as well: the page goes beside it.
  const isBeside = preserveFocus && vscode.window.activeTextEditor !== undefined;
  return { viewColumn: isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active, preserveFocus };
}

/** Whether an address is that of streams, which have no folder of their own. */
export function isStreamAddress(address: string): boolean {
  return address.endsWith('.stream');
}
