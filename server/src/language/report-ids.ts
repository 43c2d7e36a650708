/**
 * Result ids of pulled diagnostics. Two equal ids promise the same diagnostics, so that the editor need not be sent
 * them again, nor we compute them.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';

export interface ReportIds {
  /** Changes with every edit, when the document is opened anew, and with {@link ReportIds.invalidate}. */
  of(document: TextDocument): string;
  /** Call when something else that diagnostics depend on has changed, e.g. settings. */
  invalidate(): void;
}

export function createReportIds(): ReportIds {
  // An open document is one object until it is closed; its version counts edits and starts anew with the next one.
  const openings = new WeakMap<TextDocument, number>();
  let opened = 0;
  let generation = 0;
  return {
    of(document) {
      let opening = openings.get(document);
      if (opening === undefined) {
        opening = ++opened;
        openings.set(document, opening);
      }
      return `${generation}.${opening}.${document.version}`;
    },
    invalidate: () => void generation++,
  };
}
