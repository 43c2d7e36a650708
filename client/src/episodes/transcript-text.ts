/** Where steps stand in the text of a transcript, and what of it is to be changed. */
import * as vscode from 'vscode';

/** Steps are counted, whatever number stands on their lines. */
function isStepLine(document: vscode.TextDocument, line: number): boolean {
  return /^=== step\b/.test(document.lineAt(line).text);
}

/** The number of the step at a line; 0 in front of all. */
export function stepAt(document: vscode.TextDocument, line: number): number {
  let step = 0;
  for (let at = 0; at <= line && at < document.lineCount; at++) if (isStepLine(document, at)) step++;
  return step;
}

/** The line on which a step begins; the first one when there is none. */
export function lineOf(document: vscode.TextDocument, step: number): number {
  let found = 0;
  for (let at = 0; at < document.lineCount && step > 0; at++) {
    if (isStepLine(document, at) && ++found === step) return at;
  }
  return 0;
}

/** The part of a document that differs from `text`, and what belongs there. */
export function difference(document: vscode.TextDocument, text: string): [vscode.Range, string] {
  const before = document.getText();
  let start = 0;
  const shorter = Math.min(before.length, text.length);
  while (start < shorter && before[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
  return [range, text.slice(start, text.length - end)];
}
