/** What `hopscope check` found, for a person. */
import type { Finding } from '../../language/check.ts';
import type { Style } from '../style.ts';
import { counted } from '../table.ts';

export interface CheckedFile {
  /** As it is shown. */
  readonly name: string;
  /** Null when it could not be read. */
  readonly text: string | null;
  readonly findings: readonly Finding[];
}

/** Columns of a source line that are shown; of longer lines the part around the finding. */
const shown = 96;

/** A line for each finding, with the source below it. */
export function describeFile({ name, text, findings }: CheckedFile, style: Style): string {
  if (findings.length === 0) return '';
  const lines = text?.split(/\r\n|\r|\n/) ?? [];
  return findings
    .map((finding) => {
      const place = style.bold(`${visible(name)}:${finding.line}:${finding.column}`);
      const severity = finding.severity === 'error' ? style.bad(finding.severity) : finding.severity;
      const head = `${place} ${severity} ${style.dim(finding.code)} ${visible(finding.message)}\n`;
      return text === null ? head : head + excerpt(lines[finding.line - 1] ?? '', finding, style);
    })
    .join('');
}

/** The line with carets below what is meant. */
function excerpt(line: string, { line: number, column, endLine, endColumn }: Finding, style: Style): string {
  const start = column - 1;
  const end = endLine === number ? endColumn - 1 : line.length;
  const from = start <= shown - 16 ? 0 : start - 16;
  const cut = (text: string) => (from > 0 ? `…${text}` : text);
  const source = cut(visible(line.slice(from, from + shown))) + (line.length > from + shown ? '…' : '');
  const indent = ' '.repeat(start - from + (from > 0 ? 1 : 0));
  const carets = '^'.repeat(Math.max(1, Math.min(end, from + shown) - start));
  const gutter = `${String(number).padStart(5)} | `;
  const blank = ' '.repeat(gutter.length);
  return `${style.dim(gutter)}${source}\n${blank}${indent}${style.bad(carets)}\n`;
}

/**
 * `text` without what a terminal would obey or not show: control and format characters, such as escape sequences and
 * those that turn the direction of reading. One code unit for one, so that carets stand where they should.
 */
function visible(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, '\uFFFD');
}

/** What was found altogether. */
export function describeTotals(files: number, counts: Readonly<Record<Finding['severity'], number>>): string {
  const { error, warning, info } = counts;
  const parts = [
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
    ...(info > 0 ? [counted(info, 'info')] : []),
  ];
  return `${parts.join(', ') || 'nothing wrong'} in ${counted(files, 'file')}\n`;
}
