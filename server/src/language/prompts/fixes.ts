/** How the problems of a step prompt can be mended: for each code the edits that a person most likely wants. */
import type { Problem } from '../../engine/problem.ts';
import type { Range, SectionNode, TemplateNode } from '../../engine/prompts/template.ts';
import { type Fix, insertion, removal, replacement, writtenAt } from '../fix.ts';
import type { PromptDocument } from './document.ts';
import { frontMatterFixers } from './front-matter-fixes.ts';

type Fixer = (problem: Problem, document: PromptDocument) => readonly Fix[];

/** The fixes of `problem`, likeliest first; none for problems that only a person can mend. */
export function promptFixes(document: PromptDocument, problem: Problem): readonly Fix[] {
  return (fixers[problem.code] ?? frontMatterFixers[problem.code])?.(problem, document) ?? [];
}

const fixers: Readonly<Record<string, Fixer>> = {
  'prompt.no-role': ({ start }) => [insertion('Make it a user message', start, 'user:\n')],
  'prompt.text-before-role': ({ start }) => [insertion('Make it a system message', start, 'system:\n')],
  'prompt.empty-block': ({ start }, { prompt }) => {
    const block = prompt.blocks.find(({ line }) => line.start === start);
    return block && prompt.blocks.length > 1
      ? [removal('Remove the empty block', { start: block.start, end: block.end })]
      : [];
  },
  'prompt.role-spelling': (problem) => [
    replacement(`Change to "${fact(problem, 'role')}:"`, problem, `${fact(problem, 'role')}:`),
    insertion('Leave it as text, with a blank before it', problem.start, ' '),
  ],
  'prompt.secret': (problem) => [
    replacement('Replace by a placeholder', problem, `<${fact(problem, 'kind').replaceAll(' ', '-')}>`),
  ],
  'template.unknown-name': (problem) => {
    const nearest = fact(problem, 'nearest');
    return nearest === '' ? [] : [replacement(`Change to "${nearest}"`, problem, nearest)];
  },
  'template.unclosed-tag': (problem, { text }) => {
    const tag = writtenAt(text, problem);
    const missing = tag.startsWith('{{{') ? '}}}' : '}}';
    const there = /\}*$/.exec(tag)?.[0].length ?? 0;
    return [insertion('Close the tag', problem.end, missing.slice(there))];
  },
  'template.unclosed-section': closeSection,
  'template.wrong-close': (problem) => {
    const expected = fact(problem, 'expected');
    return [replacement(`Change to {{/${expected}}}`, problem, `{{/${expected}}}`)];
  },
  'template.stray-close': (problem) => [removal('Remove this tag', problem)],
  'template.empty-name': (problem) => [removal('Remove this tag', problem)],
  'template.list-as-text': (problem, { text, environment }) => {
    const name = writtenAt(text, problem);
    const list = environment?.variables.find((variable) => variable.name === name);
    const ready = list?.alternatives?.filter((other) =>
      environment?.variables.some(({ name: known, type }) => known === other && type === 'text'),
    );
    return (ready ?? []).map((other) => replacement(`Print "${other}" instead`, problem, other));
  },
  'template.unused-required': (problem, { text, prompt, environment }) => {
    const last = prompt.blocks.at(-1);
    const name = fact(problem, 'name');
    const variable = environment?.variables.find((it) => it.name === name);
    if (!last || !variable) return [];
    const isList = (variable.items ?? []).length > 0;
    const printed = [...(isList ? [] : [name]), ...(variable.alternatives ?? [])].filter((other) =>
      environment?.variables.some(({ name: known, items = [] }) => known === other && items.length === 0),
    );
    const at = endOfText(text, last);
    return printed.map((other) => insertion(`Add {{${other}}} at the end`, at, `\n{{${other}}}`));
  },
};

/** Closes a section where its content ends: on a line of its own when the opening tag has one. */
function closeSection(problem: Problem, { text, prompt }: PromptDocument): readonly Fix[] {
  const block = prompt.blocks.find(({ start, end }) => start <= problem.start && problem.start < end);
  const section = block ? sectionAt(block.template.children, problem.start) : undefined;
  if (!block || !section) return [];
  const closing = `{{/${section.name.text}}}`;
  const title = `Close it with ${closing}`;
  const lineStart =
    Math.max(text.lastIndexOf('\n', section.start - 1), text.lastIndexOf('\r', section.start - 1)) + 1;
  const indent = text.slice(lineStart, section.start);
  const lineEnd = /[\r\n]|$/.exec(text.slice(section.open.end))?.index ?? 0;
  const isAlone = `${indent}${text.slice(section.open.end, section.open.end + lineEnd)}`.trim() === '';
  if (!isAlone) return [insertion(title, Math.min(section.open.end + lineEnd, section.end), closing)];
  return [insertion(title, endOfText(text, section), `\n${indent}${closing}`)];
}

function sectionAt(nodes: readonly TemplateNode[], start: number): SectionNode | undefined {
  for (const node of nodes) {
    if (node.kind !== 'section' || start < node.start || start >= node.end) continue;
    return node.start === start ? node : sectionAt(node.children, start);
  }
  return undefined;
}

/** Where the last line of `range` that is not blank ends. */
function endOfText(text: string, { start, end }: Range): number {
  return start + text.slice(start, end).trimEnd().length;
}

function fact({ data }: Problem, key: string): string {
  const value = data?.[key];
  return value === undefined ? '' : String(value);
}
