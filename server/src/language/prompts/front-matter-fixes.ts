/** How the problems of front matter can be mended. */
import type { Problem } from '../../engine/problem.ts';
import { promptFields } from '../../engine/prompts/step-prompt.ts';
import { type Fix, insertion, replacement, writtenAt } from '../fix.ts';
import { fieldAt } from '../front-matter/fields.ts';
import type { PromptDocument } from './document.ts';

type Fixer = (problem: Problem, document: PromptDocument) => readonly Fix[];

const toNearest: Fixer = (problem) => {
  const nearest = problem.data?.['nearest'];
  return typeof nearest === 'string' ? [replacement(`Change to "${nearest}"`, problem, nearest)] : [];
};

export const frontMatterFixers: Readonly<Record<string, Fixer>> = {
  'front-matter.unknown-key': toNearest,
  'front-matter.unknown-environment': toNearest,
  'front-matter.unknown-split': toNearest,
  'front-matter.unknown-option': toNearest,
  'front-matter.range': toNearest,
  'front-matter.missing-block': ({ start }, { environments }) => {
    const lines = ['---', 'format: 1', `environment: ${environments[0]?.id ?? ''}`, '---', ''];
    return [insertion('Add front matter', start, lines.join('\n'))];
  },
  'front-matter.unclosed': (_, { text, prompt }) => {
    const at = prompt.frontMatter?.content.end ?? 0;
    const lineBreak = /[\r\n]$/.test(text.slice(0, at)) ? '' : '\n';
    return [insertion('Close the front matter', at, `${lineBreak}---\n`)];
  },
  'front-matter.missing': ({ data }, { prompt, environment }) => {
    const key = String(data?.['key']);
    const example = fieldAt(promptFields, [key], environment)?.example;
    const at = prompt.frontMatter?.content.start;
    return example === undefined || at === undefined
      ? []
      : [insertion(`Add "${key}: ${example}"`, at, `${key}: ${example}\n`)];
  },
  'front-matter.type': (problem, { text, prompt, environment }) => {
    const entry = prompt.frontMatter?.entries.find(({ value }) => value.start === problem.start);
    const field = entry && fieldAt(promptFields, entry.path, environment);
    const isPlain = typeof entry?.data === 'number' || typeof entry?.data === 'boolean';
    if (field?.type !== 'text' || !isPlain) return [];
    return [replacement('Put it in quotes', problem, JSON.stringify(writtenAt(text, problem)))];
  },
};
