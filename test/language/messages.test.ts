/** What is said repeats of a text no more than can be read. */
import { expect, test } from 'vitest';
import type { DocumentSymbol } from 'vscode-languageserver-types';
import { asLabel, readable } from '../../server/src/language/sentence.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { openDocument, service, token } from '../support/language.ts';

test.each([
  ['There is no variable "a".', 'There is no variable "a".'],
  [`There is no "${'x'.repeat(1e6)}" here.`, `There is no "${'x'.repeat(98)}…${'x'.repeat(19)}" here.`],
  ['There is no "a\0b\u001b[2J\u202e".', 'There is no "a\\u0000b\\u001b[2J\\u202e".'],
  [`See https://example.org/${'a'.repeat(100)}.`, `See https://example.org/${'a'.repeat(100)}.`],
])('%j', (sentence, expected) => expect(readable(sentence)).toBe(expected));

test('words without end are cut, too', () => {
  expect(readable('word '.repeat(1e5)).length).toBe(1000);
  expect(asLabel('word '.repeat(1e5)).length).toBe(100);
});

const big = 'x'.repeat(1_000_000);
const odd = 'a\0b\u001b[2Jc\u202e';
const head = '---\nformat: 1\nenvironment: navigator\n';

test.each<[language: string, text: string]>([
  [
    'hopscope-prompt',
    `---\nformat: 1\nenvironment: ${big.slice(0, 90_000)}\n---\nuser:\n{{${big}}} {{#${big}}} {{/y${big}}}`,
  ],
  [
    'hopscope-prompt',
    `${head}split: "\\0"\noptions: { "${big.slice(0, 90_000)}": 1 }\n---\nuser:\n{{${odd}}} {{#${odd}}}`,
  ],
  ['hopscope-prompt', `${head}---\nuser:\nACTION: ${big}\nACTION: FOO${odd} 1\nACTION: READ ${odd}`],
  [
    'hopscope-episode',
    `${head}instance: ${big.slice(0, 90_000)}\n---\n=== step 1\nx\n=== verdict ${big}\n=== step 2 ${big}=1`,
  ],
  [
    'hopscope-episode',
    `${head}instance: hs1-train-17\noutcome: { stop: "${big.slice(0, 90_000)}\\0" }\n---\n=== step 1\nACTION: READ ${big}\n=== step 2\nACTION: ANSWER ${odd}${big}`,
  ],
  [
    'hopscope-episode',
    `${head}instance: x\ninstances: "\\0${big.slice(0, 90_000)}"\n---\n=== step 1\nACTION: READ ${odd}`,
  ],
])('of a %s (%#)', async (language, text) => {
  const document = openDocument(language, text);
  await service.prepare(document);
  const end = document.positionAt(text.length);
  const whole = { start: { line: 0, character: 0 }, end };
  const names = (symbols: readonly DocumentSymbol[]): string[] =>
    symbols.flatMap(({ name, detail = '', children = [] }) => [name, detail, ...names(children)]);
  const said = [
    ...service.diagnostics(document, DEFAULTS, token).map(({ message }) => String(message)),
    ...service.codeActions(document, whole, DEFAULTS, token).map(({ title }) => title),
    ...names(service.documentSymbols(document, DEFAULTS, token)),
  ];
  expect(said.length).toBeGreaterThan(1);
  for (const sentence of said) {
    expect(sentence.length).toBeLessThan(500);
    expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
