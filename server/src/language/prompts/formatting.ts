/** Formats the front matter of a step prompt. What is below it is text, where every blank counts, and stays as it is. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Range, TextEdit } from 'vscode-languageserver-types';
import { formatYaml } from '../../engine/prompts/format-yaml.ts';
import type { PromptDocument } from './document.ts';

/** At most one edit; none when `range` lies below the front matter, or the YAML has errors. */
export function promptFormatting(
  document: TextDocument,
  range: Range | null,
  { text, prompt }: PromptDocument,
): TextEdit[] {
  const content = prompt.frontMatter?.content;
  if (!content) return [];
  if (range && document.offsetAt(range.start) > content.end) return [];
  const written = text.slice(content.start, content.end);
  const formatted = formatYaml(written);
  if (formatted === null) return [];
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const wanted = formatted.replaceAll('\n', lineBreak);
  if (wanted === written) return [];
  return [
    TextEdit.replace(
      { start: document.positionAt(content.start), end: document.positionAt(content.end) },
      wanted,
    ),
  ];
}
