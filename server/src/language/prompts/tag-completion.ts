/** Completion inside of `{{…}}`: the names that mean something there, those of the innermost section first. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type Range,
} from 'vscode-languageserver-types';
import { variableFacts } from '../../engine/environments/documentation.ts';
import type { Variable } from '../../engine/environments/variables.ts';
import { positionAt } from '../../engine/prompts/find.ts';
import { visibleVariables } from '../../engine/prompts/names.ts';
import { parseTemplate } from '../../engine/prompts/parse-template.ts';
import type { SectionNode } from '../../engine/prompts/template.ts';
import { blockAt, type PromptDocument } from './document.ts';

/** The tag in which a person is typing. */
interface OpenTag {
  /** Where its braces begin. */
  readonly start: number;
  /** Where its name begins, after braces and sign. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** `#`, `^`, `/`, `&`, `{` or nothing. */
  readonly sigil: string;
  /** The end of the closing braces when they are there. */
  readonly end: number | null;
}

/** Null outside of tags; no items in comments and for unknown environments. */
export function tagCompletion(
  document: TextDocument,
  offset: number,
  prompt: PromptDocument,
): CompletionItem[] | null {
  const block = blockAt(prompt, offset);
  const tag = block ? openTag(prompt.text, block.template.start, offset) : null;
  if (!block || !tag) return null;
  if (tag.sigil === '!') return [];
  const scopes = openSections(prompt.text, block.template.start, tag.start);
  const range = {
    start: document.positionAt(tag.nameStart),
    end: document.positionAt(tag.end ?? tag.nameEnd),
  };
  if (tag.sigil === '/') return closings(scopes, range);
  const variables = prompt.environment?.variables ?? [];
  const opened = prompt.environment ? sectionOpenedBy(block.template, tag.start) : null;
  return visibleVariables(scopes, variables).flatMap((level, depth) =>
    level.flatMap((variable, at) =>
      namesFor(variable, tag, opened).map((name, use) => item(variable, name, tag, range, [depth, at, use])),
    ),
  );
}

function openTag(text: string, from: number, offset: number): OpenTag | null {
  const braces = text.lastIndexOf('{{', offset - 1);
  const start = text[braces - 1] === '{' ? braces - 1 : braces;
  if (start < from) return null;
  const match = /^\{\{\s*([#^/&{!]?)\s*/.exec(text.slice(start, offset));
  if (!match) return null;
  const nameStart = start + match[0].length;
  const sigil = match[1] ?? '';
  if (sigil === '!')
    return text.slice(nameStart, offset).includes('}}')
      ? null
      : { start, nameStart, nameEnd: offset, sigil, end: null };
  if (!/^[\p{L}\p{N}_.-]*$/u.test(text.slice(nameStart, offset))) return null;
  const nameEnd = offset + (/^[\p{L}\p{N}_.-]*/u.exec(text.slice(offset))?.[0].length ?? 0);
  const closing = /^[ \t]*(\}{2,3})/.exec(text.slice(nameEnd));
  return { start, nameStart, nameEnd, sigil, end: closing ? nameEnd + closing[0].length : null };
}

/** The sections that are open at `to`, outermost first. What is being typed there must not be taken for their end. */
function openSections(text: string, from: number, to: number): SectionNode[] {
  const sections: SectionNode[] = [];
  let last = parseTemplate(text.slice(from, to), from).template.children.at(-1);
  while (last?.kind === 'section' && last.close === null) {
    sections.push(last);
    last = last.children.at(-1);
  }
  return sections;
}

/** The section whose opening tag begins at `start`, when it is one. */
function sectionOpenedBy(template: Parameters<typeof positionAt>[0], start: number): SectionNode | null {
  const { node } = positionAt(template, start);
  return node?.kind === 'section' && node.start === start ? node : null;
}

function closings(scopes: readonly SectionNode[], range: Range): CompletionItem[] {
  return scopes.toReversed().map(({ name }, at) => ({
    label: name.text,
    kind: CompletionItemKind.Variable,
    detail: at === 0 ? 'closes this section' : 'closes a section around it',
    sortText: String(at).padStart(2, '0'),
    preselect: at === 0,
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range, newText: `${name.text}}}` },
  }));
}

/** How a variable can be used at a tag. */
interface Use {
  readonly label: string;
  readonly newText: string;
  readonly isSnippet: boolean;
}

/** Without a sign, a list is offered as a section and everything else as what it prints; conditions both ways. */
function namesFor({ name, type, items = [] }: Variable, tag: OpenTag, opened: SectionNode | null): Use[] {
  const section = (sigil: string): Use => ({
    label: `${sigil}${name}`,
    newText: sectionText(name, sigil, items.length > 0 && sigil === '#'),
    isSnippet: true,
  });
  switch (tag.sigil) {
    case '#':
    case '^': {
      // A section that is closed already only gets its name.
      if (opened?.close) return [{ label: name, newText: `${name}}}`, isSnippet: false }];
      return [
        {
          ...section(tag.sigil),
          label: name,
          newText: sectionText(name, '', items.length > 0 && tag.sigil === '#'),
        },
      ];
    }
    case '{':
    case '&': {
      const closing = tag.sigil === '{' ? '}}}' : '}}';
      return items.length > 0 ? [] : [{ label: name, newText: name + closing, isSnippet: false }];
    }
    default: {
      const sections = type === 'list' || type === 'boolean' ? [section('#'), section('^')] : [];
      return items.length > 0
        ? sections
        : [{ label: name, newText: `${name}}}`, isSnippet: false }, ...sections];
    }
  }
}

/** What follows the braces of an opening tag: the rest of it, a place to write, and the closing tag. */
function sectionText(name: string, sigil: string, lines: boolean): string {
  const body = lines ? '\n$0\n' : '$0';
  return `${sigil}${name}}}${body}{{/${name}}}`;
}

function item(
  variable: Variable,
  { label, newText, isSnippet }: Use,
  tag: OpenTag,
  range: Range,
  order: readonly number[],
): CompletionItem {
  const { description, example, privileged } = variable;
  const facts = variableFacts(variable).join(', ');
  return {
    label,
    kind: variable.type === 'list' ? CompletionItemKind.Struct : CompletionItemKind.Variable,
    detail: facts,
    documentation: { kind: 'markdown', value: `${description}\n\nExample: \`${example}\`` },
    filterText: tag.sigil === '' ? label : variable.name,
    // What the agent must not know comes last.
    sortText: [privileged === true ? 1 : 0, ...order].map((part) => String(part).padStart(2, '0')).join(''),
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range, newText },
  };
}
