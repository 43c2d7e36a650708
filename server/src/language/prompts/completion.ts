/** Completion in step prompts: front matter, role lines, and the names in tags. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver-types';
import { promptFields } from '../../engine/prompts/step-prompt.ts';
import { frontMatterCompletion } from '../front-matter/completion.ts';
import type { PromptDocument } from './document.ts';
import { tagCompletion } from './tag-completion.ts';

const roles: Readonly<Record<string, string>> = {
  system: 'What holds for the whole episode: rules, actions, advice.',
  user: 'What the agent sees at this step.',
  assistant: 'Words put into the agent’s mouth.',
};

/** @param models names that are offered for `model:`. */
export function promptCompletion(
  document: TextDocument,
  offset: number,
  prompt: PromptDocument,
  models: readonly string[],
): CompletionItem[] {
  const { frontMatter } = prompt.prompt;
  if (frontMatter && offset >= frontMatter.content.start && offset <= frontMatter.content.end) {
    return frontMatterCompletion(document, offset, {
      text: prompt.text,
      frontMatter,
      fields: promptFields,
      environment: prompt.environment,
      environments: prompt.environments,
      models,
    });
  }
  if (frontMatter && offset <= frontMatter.end) return [];
  const inTag = tagCompletion(document, offset, prompt);
  return inTag ?? roleCompletion(document, offset);
}

/** At the start of a line: a line that begins a message. */
function roleCompletion(document: TextDocument, offset: number): CompletionItem[] {
  const text = document.getText();
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const lineEnd = /[\r\n]|$/.exec(text.slice(offset))?.index ?? 0;
  if (!/^[a-z]*$/.test(text.slice(lineStart, offset) + text.slice(offset, offset + lineEnd))) return [];
  const range = { start: document.positionAt(lineStart), end: document.positionAt(offset + lineEnd) };
  return Object.entries(roles).map(([role, documentation], at) => ({
    label: `${role}:`,
    kind: CompletionItemKind.Keyword,
    detail: 'begins a message',
    documentation,
    sortText: String(at),
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range, newText: `${role}:\n` },
  }));
}
