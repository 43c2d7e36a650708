/** Texts that nobody writes, and machines do: every feature answers, with no more than helps. */
import { expect, test } from 'vitest';
import { Range } from 'vscode-languageserver-types';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { mostProblems, shownProblems } from '../../server/src/language/shown-problems.ts';
import { openDocument, service, token } from '../support/language.ts';
import { head } from '../support/transcripts.ts';

const prompt =
  '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n';
const long = 'options: { step_budget_base: 10000, context_ceiling: 10000000 }\n';
const many = 50_000;

/** `count` steps, each with the reply that `reply` gives for its number from 0. */
function manySteps(count: number, reply: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `\n=== step ${at + 1}\n${reply(at)}\n`).join('');
}

const texts: readonly (readonly [what: string, language: string, text: string])[] = [
  ['tags that open and nothing else', 'hopscope-prompt', `${prompt}${'{{#'.repeat(300_000)}`],
  ['sections that are never closed', 'hopscope-prompt', `${prompt}${'{{#a}}'.repeat(300_000)}`],
  ['sections in each other', 'hopscope-prompt', `${prompt}${'{{^a}}'.repeat(many)}${'{{/a}}'.repeat(many)}`],
  ['it on one line', 'hopscope-prompt', `${prompt}${'{{#a}} '.repeat(many)}${'{{/a}}'.repeat(many)}`],
  ['nothing but closing tags', 'hopscope-prompt', `${prompt}${'{{/a}}'.repeat(many)}`],
  ['nothing but role lines', 'hopscope-prompt', `${prompt}${'user:\n'.repeat(many)}`],
  ['lists in lists', 'hopscope-prompt', `---\nformat: 1\noptions: ${'['.repeat(90_000)}\n---\nuser:\nx\n`],
  ['mappings in mappings', 'hopscope-prompt', `---\noptions: ${'{a: '.repeat(20_000)}\n---\nuser:\nx\n`],
  ['dashes in a row', 'hopscope-prompt', `---\noptions:\n${'- '.repeat(40_000)}\n---\nuser:\nx\n`],
  ['lists in lists', 'hopscope-episode', `---\noptions: ${'['.repeat(90_000)}\n---\n=== step 1\nx\n`],
  ['one key again and again', 'hopscope-prompt', `---\n${'k: 1\n'.repeat(19_000)}---\nuser:\nx\n`],
  ['step 1 again and again', 'hopscope-episode', `${head()}${'=== step 1\n'.repeat(many)}`],
  ['it without front matter', 'hopscope-episode', '=== step 1\n'.repeat(many)],
  ['calls', 'hopscope-episode', `${head()}=== step 1\nx\n${'=== call a id=1\n{}\n'.repeat(20_000)}`],
  ['reasoning', 'hopscope-episode', `${head()}=== step 1\nx\n${'=== reasoning\nx\n'.repeat(20_000)}`],
  ['values', 'hopscope-episode', `${head()}=== step 1 ${'a=1 '.repeat(20_000)}\nx\n`],
  [
    'ten thousand reads',
    'hopscope-episode',
    head(long) + manySteps(10_000, (at) => `ACTION: READ ${at % 60}`),
  ],
  [
    'thousands of summaries',
    'hopscope-episode',
    head(long) +
      manySteps(5000, (at) =>
        at === 0 ? 'ACTION: READ 28' : `ACTION: COMPRESS ${at === 1 ? 28 : `S${at - 1}`} :: ${at}`,
      ),
  ],
  ['ids', 'hopscope-episode', `${head()}=== step 1\nACTION: READ ${'1, '.repeat(100_000)}`],
  ['actions of a draft', 'hopscope-episode', 'ACTION: READ x\n'.repeat(many)],
  ['fenced transcripts', 'markdown', '```hopscope-episode\nACTION: READ x\n```\n'.repeat(20_000)],
];

test.each(texts)('%s (%s)', { timeout: 20_000 }, (_, language, text) => {
  const document = openDocument(language, text);
  const end = document.positionAt(text.length);
  const whole = Range.create(0, 0, end.line, end.character);
  const found = service.diagnostics(document, DEFAULTS, token);
  expect(found.length).toBeLessThanOrEqual(mostProblems + 1);
  expect(service.codeActions(document, whole, DEFAULTS, token).length).toBeLessThanOrEqual(50);
  service.inlayHints(document, whole, DEFAULTS, token);
  service.documentSymbols(document, DEFAULTS, token);
  service.foldingRanges(document, token);
  service.semanticTokens(document, null, DEFAULTS, token);
  service.documentLinks(document, token);
  service.formatting(document, null, token);
  service.hover(document, end, DEFAULTS, token);
  service.completion(document, end, DEFAULTS, token);
  service.definition(document, end, token);
});

test('the rest of very many problems is counted, and errors come before remarks', () => {
  const problem = (severity: 'error' | 'info', start: number) =>
    ({ code: 'x', severity, message: '', start, end: start + 1 }) as const;
  const few = [problem('info', 0), problem('error', 1)];
  expect(shownProblems(few)).toEqual(few);
  const infos = Array.from({ length: mostProblems + 2 }, (_, at) => problem('info', at));
  const errors = Array.from({ length: 10 }, (_, at) => problem('error', 5000 + at));
  const shown = shownProblems([...infos, ...errors]);
  expect(shown).toHaveLength(mostProblems + 1);
  expect(shown.filter(({ severity }) => severity === 'error')).toHaveLength(10);
  expect(shown.at(-1)).toMatchObject({
    code: 'document.more',
    severity: 'info',
    message: '12 more problems are not shown: mend some of these first.',
    start: mostProblems - 10,
  });
});
