/** CodeLens of a transcript: what a step can be compared with. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type CodeLens, Range } from 'vscode-languageserver-types';
import type { Analysis } from './analysis.ts';

/** One above each step whose reply was made from a text. */
export function transcriptLenses(
  document: TextDocument,
  { parsed, replay, environment }: Analysis,
): CodeLens[] {
  const compared = environment?.comparedTexts;
  if (compared === undefined || replay === undefined) return [];
  return parsed.layout.blocks.flatMap((block, position) => {
    const state = replay.steps[position]?.after;
    if (block.kind !== 'step' || state === undefined || compared(state) === null) return [];
    const at = document.positionAt(block.start);
    const command = {
      title: 'compare with what it was made from',
      command: 'hopscope.compareTexts',
      arguments: [document.uri, at],
    };
    return [{ range: Range.create(at, at), command }];
  });
}
