/** SARIF 2.1.0, the format in which code hosts and editors take results of checks. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ArtifactLocation, Log, Result } from 'sarif';
import type { Finding } from '../../language/check.ts';
import type { CheckedFile } from './check-report.ts';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<
  Finding['severity'],
  Result.level
>;

/**
 * One run with a result for each finding. Files below the working folder are named relative to it, as code hosts want
 * them.
 *
 * @param folder the working folder, absolute
 */
export function sarifLog(files: readonly CheckedFile[], version: string, folder: string): Log {
  const codes = [...new Set(files.flatMap(({ findings }) => findings.map(({ code }) => code)))].sort();
  const results = files.flatMap(({ name, findings }) =>
    findings.map((finding): Result => {
      const { line, column, endLine, endColumn, severity, code, message } = finding;
      const region = { startLine: line, startColumn: column, endLine, endColumn };
      return {
        ruleId: code,
        ruleIndex: codes.indexOf(code),
        level: levels[severity],
        message: { text: message },
        locations: [{ physicalLocation: { artifactLocation: locationOf(name, folder), region } }],
      };
    }),
  );
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'hopscope', version, rules: codes.map((id) => ({ id })) } },
        invocations: [{ executionSuccessful: files.every(({ text }) => text !== null) }],
        originalUriBaseIds: { [base]: { uri: `${pathToFileURL(folder).href.replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

/** What relative addresses are relative to; the name that code hosts know. */
const base = '%SRCROOT%';

function locationOf(name: string, folder: string): ArtifactLocation {
  if (name === 'standard input') return { uri: 'stdin' };
  const relative = path.relative(folder, path.resolve(folder, name));
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    return { uri: pathToFileURL(path.resolve(folder, name)).href };
  }
  return { uri: relative.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: base };
}
