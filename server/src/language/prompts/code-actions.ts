/** Quick fixes of step prompts: an edit for each problem that has a clear one. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type CodeAction, CodeActionKind, type Range, TextEdit } from 'vscode-languageserver-types';
import type { Problem } from '../../engine/problem.ts';
import { toDiagnostics } from '../diagnostics.ts';
import { readable } from '../sentence.ts';
import type { PromptDocument } from './document.ts';
import { promptFixes } from './fixes.ts';

/** Problems whose fixes are offered at once; nobody reads a longer menu. */
const most = 50;

/** The fixes of `problems` that touch `range`, of the first ones if there are very many. */
export function promptCodeActions(
  document: TextDocument,
  range: Range,
  prompt: PromptDocument,
  problems: readonly Problem[],
): CodeAction[] {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  return problems
    .filter(({ start, end }) => start <= to && from <= end)
    .slice(0, most)
    .flatMap((problem) => {
      const diagnostics = toDiagnostics(document, [problem]);
      const fixes = promptFixes(prompt, problem);
      return fixes.map(({ title, start, end, newText }): CodeAction => {
        const place = { start: document.positionAt(start), end: document.positionAt(end) };
        return {
          title: readable(title),
          kind: CodeActionKind.QuickFix,
          diagnostics,
          ...(fixes.length === 1 ? { isPreferred: true } : {}),
          edit: { changes: { [document.uri]: [TextEdit.replace(place, newText)] } },
        };
      });
    });
}
