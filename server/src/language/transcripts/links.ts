/** Links in the front matter of a transcript: its instance, its step prompt, the file its instance comes from. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DocumentLink, Range } from 'vscode-languageserver-types';
import { fileBeside } from '../file-beside.ts';
import type { Analysis } from './analysis.ts';
import { placeOfValue } from './instance.ts';

export function transcriptLinks(document: TextDocument, { parsed, played }: Analysis): DocumentLink[] {
  const { prompt, instances } = parsed.transcript;
  const links: DocumentLink[] = [];
  const add = (key: string, target: string | undefined, tooltip: string) => {
    const { start, end } = placeOfValue(parsed, key);
    if (target === undefined) return;
    const range = Range.create(document.positionAt(start), document.positionAt(end));
    links.push({ ...DocumentLink.create(range, target), tooltip });
  };
  add('instance', played?.uri, 'Open the instance');
  add('instances', instances === null ? undefined : fileBeside(document.uri, instances), 'Open the file');
  add('prompt', prompt === null ? undefined : fileBeside(document.uri, prompt), 'Open the step prompt');
  return links;
}
