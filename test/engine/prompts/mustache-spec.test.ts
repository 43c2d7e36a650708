/** The official Mustache cases, as far as they concern the part of the language that is kept. */
import { expect, it } from 'vitest';
import { compileTemplate } from '../../../server/src/engine/prompts/compile.ts';
import { parseTemplate } from '../../../server/src/engine/prompts/parse-template.ts';
import { renderTraced } from '../../../server/src/engine/prompts/trace.ts';
import { checkFields, describeShared, hasShared, readShared, requireAll } from '../../support/shared.ts';

interface Case {
  readonly name: string;
  readonly desc: string;
  readonly data: unknown;
  readonly template: string;
  readonly expected: string;
}

/**
 * Cases whose expectation is not ours. All of them expect `& " < >` to be escaped for HTML; what a model reads
 * is no HTML, so the raw text is expected instead.
 */
const differing: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  interpolation: {
    'HTML Escaping': 'These characters should be HTML escaped: & " < >\n',
    'Implicit Iterators - HTML Escaping': 'These characters should be HTML escaped: & " < >\n',
  },
  sections: { 'Implicit Iterator - HTML Escaping': '"(&)(")(<)(>)"' },
};

const files = ['comments', 'interpolation', 'inverted', 'sections'];

describeShared('Mustache specification', () => {
  if (!hasShared && !requireAll) return;
  for (const file of files) {
    const cases = readCases(file);
    it(`${file}: has every case that the table names`, () => {
      const names = cases.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(differing[file] ?? {})));
    });
    for (const { name, template, data, expected, desc } of cases) {
      it(`${file}: ${name}`, () => {
        const parsed = parseTemplate(template);
        expect(parsed.problems, desc).toEqual([]);
        const wanted = differing[file]?.[name] ?? expected;
        expect(compileTemplate(parsed.template)(data), desc).toBe(wanted);
        expect(renderTraced(parsed.template, data).text, desc).toBe(wanted);
      });
    }
  }
});

function readCases(file: string): readonly Case[] {
  const content: unknown = JSON.parse(readShared(`data/mustache-spec/${file}.json`));
  if (
    typeof content !== 'object' ||
    content === null ||
    !('tests' in content) ||
    !Array.isArray(content.tests)
  ) {
    throw new Error(`${file}.json has no list of tests`);
  }
  if (content.tests.length === 0) throw new Error(`${file}.json has no tests`);
  return content.tests.map((row: Case) => {
    checkFields(row, { required: ['name', 'desc', 'data', 'template', 'expected'] }, `${file}.json`);
    return row;
  });
}
