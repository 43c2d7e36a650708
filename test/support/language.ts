/** The language service as tests call it: texts with marks in, texts with marks out. */
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from 'vscode-languageserver-types';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { createLanguageService, type LanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { readMarks } from './marks.ts';

/** A service over everything there is. */
export const service: LanguageService = createLanguageService(environments);

/** A token that is never cancelled. */
export const token = new CancellationTokenSource().token;

export function openDocument(
  languageId: string,
  text: string,
  uri = `test:/file.${languageId}`,
): TextDocument {
  return TextDocument.create(uri, languageId, 1, text);
}

const SEVERITIES = ['', 'error', 'warning', 'info', 'hint'];

/** Diagnostics as notes of marks: `error action.no-ids`. */
export function noteOf({ severity = 1, code = '' }: Diagnostic): string {
  return `${SEVERITIES[severity]} ${code}`;
}

/** A diagnostic or a mark as one line, to be compared. */
export function describeRange(
  text: string,
  start: { line: number; character: number },
  end: { line: number; character: number },
  note: string,
): string {
  const lines = text.split(/\r\n|\r|\n/);
  const part =
    start.line === end.line
      ? lines[start.line]?.slice(start.character, end.character)
      : `to line ${end.line + 1}`;
  return `${start.line + 1}:${start.character + 1} |${part}| ${note}`;
}

/** The marks of `marked` and what `diagnostics` says about its text, each as lines that must be equal. */
export function compareDiagnostics(
  languageId: string,
  marked: string,
  { lineBreak = '\n' }: { lineBreak?: string } = {},
): { readonly found: readonly string[]; readonly expected: readonly string[] } {
  const { text, marks } = readMarks(marked);
  const document = openDocument(languageId, text.replaceAll('\n', lineBreak));
  const diagnostics = service.diagnostics(document, DEFAULTS, token);
  return {
    found: diagnostics.map((found) => describeRange(text, found.range.start, found.range.end, noteOf(found))),
    expected: marks.map(({ line, start, end, note }) =>
      describeRange(text, { line, character: start }, { line, character: end }, note),
    ),
  };
}
