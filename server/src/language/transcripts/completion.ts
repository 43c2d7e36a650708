/** What could be typed next in a transcript: an action that the state allows, or the next step's marker. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  MarkupKind,
  Range,
  TextEdit,
} from 'vscode-languageserver-types';
import type { Proposal } from '../../engine/environments/commentary.ts';
import { transcriptFields } from '../../engine/transcripts/transcript.ts';
import { frontMatterCompletion } from '../front-matter/completion.ts';
import type { Analysis } from './analysis.ts';
import { cursorAt, typedText } from './cursor.ts';
import { renumberFrom } from './edits.ts';
import { stepNumber } from './notes.ts';

const kinds: Readonly<Record<Proposal['kind'], CompletionItemKind>> = {
  verb: CompletionItemKind.Keyword,
  text: CompletionItemKind.Value,
  chunk: CompletionItemKind.Reference,
  summary: CompletionItemKind.Variable,
};

/** Best first; what the order would give away is left out without `spoilers`. */
export function transcriptCompletion(
  document: TextDocument,
  offset: number,
  analysis: Analysis,
  spoilers: boolean,
  models: readonly string[],
): CompletionItem[] {
  const { frontMatter } = analysis.parsed.layout;
  if (frontMatter && offset >= frontMatter.content.start && offset <= frontMatter.content.end) {
    const { text, environment, environments } = analysis;
    const known = { text, frontMatter, fields: transcriptFields, environment, environments, models };
    return frontMatterCompletion(document, offset, known);
  }
  const line = analysis.text.slice(lineStart(analysis.text, offset), offset);
  if (/^={1,3}(?: \w*)?$/.test(line)) return markerItem(document, offset, line, analysis);
  const cursor = cursorAt(analysis, offset);
  if (!cursor?.commentary?.complete || cursor.isMarker) return [];
  const typed = typedText(analysis, cursor.index);
  if (!typed || offset < typed.start || offset > typed.start + typed.text.length) return [];
  const proposals = cursor.commentary.complete(cursor.state, typed.text, offset - typed.start, spoilers);
  return proposals.map((proposal, rank) => {
    const { kind, label, detail, documentation, filter, insert } = proposal;
    const start = document.positionAt(typed.start + proposal.start);
    const range = Range.create(start, document.positionAt(typed.start + proposal.end));
    return {
      label,
      kind: kinds[kind],
      labelDetails: { description: detail },
      ...(documentation === '' ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
      filterText: filter,
      sortText: String(rank).padStart(5, '0'),
      textEdit: TextEdit.replace(range, insert),
    };
  });
}

function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text.charCodeAt(start - 1) !== 0x0a && text.charCodeAt(start - 1) !== 0x0d) start--;
  return start;
}

/** The marker of a new step in the place of the line that is being typed; later steps are numbered anew. */
function markerItem(
  document: TextDocument,
  offset: number,
  line: string,
  analysis: Analysis,
): CompletionItem[] {
  const { blocks, frontMatter } = analysis.parsed.layout;
  const start = offset - line.length;
  if (frontMatter !== null && start < frontMatter.end) return [];
  const index = blocks.findIndex((block) => block.start >= start);
  const before = index < 0 ? blocks.length : index;
  const number = stepNumber(analysis.parsed.transcript.events, before - 1) + 1;
  // What is being typed may itself be read as a marker already.
  const isOwn = blocks[before]?.start === start;
  const marker = `=== step ${number}`;
  return [
    {
      label: marker,
      kind: CompletionItemKind.Snippet,
      filterText: marker,
      textEdit: TextEdit.replace(
        Range.create(document.positionAt(start), document.positionAt(offset)),
        marker,
      ),
      additionalTextEdits: renumberFrom(document, analysis, isOwn ? before + 1 : before, number + 1),
    },
  ];
}
