/** Problems of a document, as the editor shows them. */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { Diagnostic, DiagnosticSeverity, DiagnosticTag, Range } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import type { Problem } from '../engine/problem.ts';
import { fencedBlocks } from './fenced-blocks.ts';
import { readable } from './sentence.ts';
import type { DocumentSettings } from './settings.ts';
import { shownProblems } from './shown-problems.ts';
import { fragmentProblems } from './transcripts/problems.ts';

/** What the editor's Problems view shows behind each message. */
const SOURCE = 'hopscope';

const SEVERITIES: Readonly<Record<Problem['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** Codes of text that has no effect, which the editor fades. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['action.ignored-line', 'action.extra-ids']);

/** Diagnostics of the transcripts in a Markdown file, in text order. */
export function diagnostics(
  document: TextDocument,
  environments: readonly Environment[],
  settings: DocumentSettings,
  token: CancellationToken,
): Diagnostic[] {
  if (!settings.checkMarkdownTranscripts) return [];
  const text = document.getText();
  const problems: Problem[] = [];
  for (const { start, end } of fencedBlocks(text, 'hopscope-episode')) {
    if (token.isCancellationRequested) return [];
    for (const problem of fragmentProblems(text, start, end, environments)) problems.push(problem);
  }
  return toDiagnostics(document, problems);
}

/** `problems` of the text of `document`, in the same order; of very many only as many as help. */
export function toDiagnostics(document: TextDocument, problems: readonly Problem[]): Diagnostic[] {
  return shownProblems(problems).map((problem) => {
    const range = Range.create(document.positionAt(problem.start), document.positionAt(problem.end));
    const severity = SEVERITIES[problem.severity];
    const diagnostic = Diagnostic.create(range, readable(problem.message), severity, problem.code, SOURCE);
    if (problem.data) diagnostic.data = problem.data;
    if (problem.unused || WITHOUT_EFFECT.has(problem.code)) diagnostic.tags = [DiagnosticTag.Unnecessary];
    return diagnostic;
  });
}
