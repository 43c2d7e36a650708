/** Problems of a transcript, as the editor shows them. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-types';
import { toDiagnostics } from '../diagnostics.ts';
import { mostProblems } from '../shown-problems.ts';
import type { Analysis } from './analysis.ts';
import { type PlacedNote, transcriptNotes } from './notes.ts';

/** Diagnostics in text order; those that tell what the agent must not know only with `spoilers`. */
export function transcriptDiagnostics(
  document: TextDocument,
  analysis: Analysis,
  spoilers: boolean,
): Diagnostic[] {
  const notes = transcriptNotes(analysis).filter(({ privileged }) => spoilers || !privileged);
  return [...toDiagnostics(document, notes), ...fadings(document, notes)];
}

/** Hints that only fade: the editor does not list them. */
function fadings(document: TextDocument, notes: readonly PlacedNote[]): Diagnostic[] {
  const faded = notes.flatMap(({ code, message, faded }) =>
    faded && faded.end > faded.start ? [{ code, message, severity: 'info' as const, ...faded }] : [],
  );
  return toDiagnostics(document, faded.slice(0, mostProblems)).map((diagnostic) => ({
    ...diagnostic,
    severity: DiagnosticSeverity.Hint,
    tags: [DiagnosticTag.Unnecessary],
  }));
}
