/** The service's diagnostics of texts that no editor has open, as plain data. */
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import type { FileInstances } from './instances/instances.ts';
import { createLanguageService } from './service.ts';
import { DEFAULTS } from './settings.ts';

/** Languages that have diagnostics. */
export type CheckedLanguage = 'hopscope-prompt' | 'hopscope-episode' | 'markdown';

/** What is said about a part of a text. Lines and columns count from 1, columns in UTF-16 code units; ends are exclusive. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: 'error' | 'warning' | 'info';
  /** Dotted and stable. */
  readonly code: string;
  readonly message: string;
}

/** What an editor with nothing set lists in its Problems view about `text`, in its order. */
export type Checker = (uri: string, language: CheckedLanguage, text: string) => Promise<Finding[]>;

/** By ending, the longest first, in lower case. */
const ENDINGS: readonly (readonly [string, CheckedLanguage])[] = [
  ['.step.md', 'hopscope-prompt'],
  ['.episode', 'hopscope-episode'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
];

/** The language of a file by its name, as the editor decides it; undefined for any other. */
export function languageOf(path: string): CheckedLanguage | undefined {
  const name = path.toLowerCase();
  return ENDINGS.find(([ending]) => name.endsWith(ending))?.[1];
}

/** @param files where instances come from that transcripts name by a file. */
export function createChecker(environments: readonly Environment[], files: FileInstances): Checker {
  const service = createLanguageService(environments, { files });
  const { token } = new CancellationTokenSource();
  return async (uri, language, text) => {
    const document = TextDocument.create(uri, language, 1, text);
    await service.prepare(document);
    return service.diagnostics(document, DEFAULTS, token).flatMap(toFinding);
  };
}

/** Nothing for hints: they only fade text. */
function toFinding({ range: { start, end }, severity, code, message }: Diagnostic): Finding[] {
  if (severity === DiagnosticSeverity.Hint) return [];
  return [
    {
      line: start.line + 1,
      column: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1,
      severity: nameOf(severity),
      code: String(code ?? ''),
      message: typeof message === 'string' ? message : message.value,
    },
  ];
}

function nameOf(severity: DiagnosticSeverity | undefined): Finding['severity'] {
  if (severity === DiagnosticSeverity.Warning) return 'warning';
  return severity === DiagnosticSeverity.Information ? 'info' : 'error';
}
