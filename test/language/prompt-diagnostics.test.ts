/** What is underlined in step prompts. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { describeRange, noteOf, openDocument, token } from '../support/language.ts';
import { readMarks } from '../support/marks.ts';
import { openPrompt, service, tinyPrompt } from '../support/prompts.ts';

/** Whether exactly the marked places are marked. */
function check(marked: string, lineBreak = '\n'): void {
  const { text, marks } = readMarks(marked);
  const found = service.diagnostics(openPrompt(text.replaceAll('\n', lineBreak)), DEFAULTS, token);
  expect(found.map((it) => describeRange(text, it.range.start, it.range.end, noteOf(it)))).toEqual(
    marks.map(({ line, start, end, note }) =>
      describeRange(text, { line, character: start }, { line, character: end }, note),
    ),
  );
}

/** What is said about a text, as `code: message`. */
function messages(text: string): string[] {
  const found = service.diagnostics(openPrompt(text), DEFAULTS, token);
  return found.map(({ code, message }) => `${code}: ${message}`);
}

const cases: Readonly<Record<string, string>> = {
  'nothing is wrong': `
---
format: 1
environment: tiny
split: practice
options: { size: 3 }
model: some-model
sampling: { temperature: 0.8, stop: ["\\n"] }
---
system:
Count.
user:
{{#is_first}}Begin.{{/is_first}} {{! aside }} Up to {{goal}}: {{words}}
{{#said}}{{text}}{{^last}}, {{/last}}{{/said}}
`,
  'no front matter': `
user:
^^^^^ error front-matter.missing-block
Hello
`,
  'front matter that does not end': `
---
^^^ error front-matter.unclosed
format: 1
environment: tiny
user:
{{goal}}
`,
  'YAML that is none': `
---
format: 1
environment: tiny
options: { size: 3
                 ^ error front-matter.syntax
---
user:
{{goal}}
`,
  'unknown, repeated and missing keys': `
---
^^^ error front-matter.missing
enviroment: tiny
^^^^^^^^^^ error front-matter.unknown-key
format: 1
format: 1
^^^^^^ error front-matter.duplicate-key
sampling: { temprature: 1 }
            ^^^^^^^^^^ error front-matter.unknown-key
---
user:
Hello
`,
  'values of the wrong type or out of range': `
---
format: 2
        ^ error front-matter.range
environment: tiny
model: 5
       ^ error front-matter.type
sampling: { temperature: 9, top_p: much, max_tokens: 1.5, reasoning_effort: hgih }
                         ^ error front-matter.range
                                   ^^^^ error front-matter.type
                                                     ^^^ error front-matter.type
                                                                            ^^^^ error front-matter.range
---
user:
{{goal}}
`,
  'an unknown environment': `
---
format: 1
environment: tyni
             ^^^^ error front-matter.unknown-environment
---
user:
{{whatever}}
`,
  'an unknown split': `
---
format: 1
environment: tiny
split: practise
       ^^^^^^^^ error front-matter.unknown-split
---
user:
{{goal}}
`,
  'options of the environment, each for itself': `
---
format: 1
environment: tiny
options:
  size: 30
        ^^ error front-matter.option
  sise: 3
  ^^^^ error front-matter.unknown-option
---
user:
{{goal}}
`,
  'options that do not go together': `
---
format: 1
environment: tiny
options: { size: 3, loud: true }
         ^^^^^^^^^^^^^^^^^^^^^^^ error front-matter.option
---
user:
{{goal}}
`,
  'no role line': `
---
format: 1
environment: tiny
---
Count up to {{goal}}.
^^^^^^^^^^^^^^^^^^^^^ error prompt.no-role
`,
  'text that belongs to no message, a block without any, and a line that is almost a role line': `
---
format: 1
environment: tiny
---
Note to myself.
^^^^^^^^^^^^^^^ error prompt.text-before-role
system:
^^^^^^^ warning prompt.empty-block
user:
{{goal}}
System:
^^^^^^^ info prompt.role-spelling
`,
  'names that mean nothing here': `
---
format: 1
environment: tiny
---
user:
{{gaol}} {{#said}}{{txt}} {{goal}}{{/said}} {{text}}
  ^^^^ error template.unknown-name
                    ^^^ error template.unknown-name
                                              ^^^^ error template.unknown-name
`,
  'names that are used in a wrong way': `
---
format: 1
environment: tiny
---
user:
{{goal}} {{said}} {{said.text}} {{goal.value}} {{#each said}}{{/each said}} {{ }}
           ^^^^ warning template.list-as-text
                    ^^^^^^^^^ error template.no-fields
                                  ^^^^^^^^^^ error template.no-fields
                                                  ^^^^^^^^^ error template.bad-name
                                                                ^^^^^^^^^ error template.bad-name
                                                                            ^^^^^ error template.empty-name
`,
  'sections that do not close': `
---
format: 1
environment: tiny
---
user:
{{goal}} {{#said}}{{text}}{{/sayd}} {{/said}} {{#is_first}}
                          ^^^^^^^^^ error template.wrong-close
                                              ^^^^^^^^^^^^^ error template.unclosed-section
system:
{{/goal}} {{goal {{> other}}
^^^^^^^^^ error template.stray-close
          ^^^^^^ error template.unclosed-tag
                 ^^^^^^^^^^^ error template.unsupported
`,
  'what the environment cannot be played without': `
---
format: 1
environment: tiny
---
system:
Count.
user:
^^^^^ warning template.unused-required
{{words}}
`,
  'what the agent must not know': `
---
format: 1
environment: tiny
---
user:
Up to {{goal}}. Psst: {{last_number}}. goal-2, goal-20, {{! goal-2 }} GOAL-2
                        ^^^^^^^^^^^ warning template.privileged
                                       ^^^^^^ warning prompt.secret
                                                                      ^^^^^^ warning prompt.secret
`,
  'malformed example actions': `
---
format: 1
environment: navigator
split: train
---
system:
ACTION: READ 12
ACTION: READ <id>
ACTION: COMPRESS ‹ids› :: <what you need>
ACTION: ANSWER {{abstain_token}}
Write \`ACTION: FETCH\` and you lose.
{{! ACTION: FETCH 1 }}
{{!
ACTION: FETCH 1
}}
ACTION: FETCH 12
        ^^^^^ error action.unknown-verb
ACTION: READ S1
             ^^ error action.read-needs-chunk
user:
{{question}} {{map_text}} {{held_text}}
`,
};

describe.each(Object.entries(cases))('%s', (_, marked) => {
  test.each(['\n', '\r\n'])('with line breaks %j', (lineBreak) => check(marked, lineBreak));
});

test('an output beyond the cap, at the tag that goes beyond', () => {
  const huge = `${'{{#said}}'.repeat(1)}${'x'.repeat(400_000)}{{/said}}`;
  const text = tinyPrompt(`user:\n{{goal}}${huge}{{#is_first}}{{/is_first}}${'y'.repeat(700_000)}\n`);
  expect(service.diagnostics(openPrompt(text), DEFAULTS, token)).toEqual([]);
  const document = openPrompt(text);
  service.prompts.preview(document, { step: 2 }, null, DEFAULTS);
  const [problem, ...others] = service.diagnostics(document, DEFAULTS, token);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ severity: 1, code: 'prompt.too-long' });
  expect(problem?.message).toContain('At step 2 of the preview');
  expect(document.getText(problem?.range)).toMatch(/^y/);
});

test('sections that multiply beyond the cap, though they print nothing', () => {
  const nested = `${'{{#map}}'.repeat(4)}${'{{/map}}'.repeat(4)}`;
  const front = '---\nformat: 1\nenvironment: navigator\n---\n';
  const document = openPrompt(`${front}user:\n{{question}}{{held_text}}${nested}`);
  const found = service.diagnostics(document, DEFAULTS, token);
  expect(found.map(({ code, range }) => `${code} ${document.getText(range)}`)).toEqual([
    'prompt.too-long {{#map}}',
  ]);
});

test('messages say what to do', () => {
  expect(messages(tinyPrompt('user:\n{{gaol}}', 'options: { sise: 3, size: 30 }\n'))).toEqual([
    'front-matter.unknown-option: Tiny has no option "sise". Did you mean "size"?',
    'front-matter.option: size must be a whole number from 1 to 9.',
    expect.stringMatching(/^template\.unused-required: "goal" is never used/),
    'template.unknown-name: There is no variable "gaol" here. Did you mean "goal"?',
  ]);
  expect(messages(tinyPrompt('user:\n{{goal}} goal-2'))).toEqual([
    'prompt.secret: "goal-2" is the answer of tiny-practice-0, on which the prompt is previewed: written into the ' +
      'prompt it helps on that instance only.',
  ]);
});

test('with spoilers hidden nothing tells the answer', () => {
  const document = openPrompt(tinyPrompt('user:\n{{goal}} goal-2'));
  expect(service.diagnostics(document, { ...DEFAULTS, spoilers: false }, token)).toEqual([]);
});

test('the answer is that of the instance that is previewed', () => {
  const document = openPrompt(tinyPrompt('user:\n{{goal}} goal-2'));
  service.prompts.preview(document, { index: 5 }, null, DEFAULTS);
  expect(service.diagnostics(document, DEFAULTS, token)).toEqual([]);
});

const shipped = path.join(import.meta.dirname, '../../prompts');
const files = fs
  .readdirSync(shipped, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.step.md'));

test('there are shipped prompts', () => expect(files.length).toBeGreaterThan(2));

test.each(files)('the shipped prompt %s is clean', (file) => {
  const text = fs.readFileSync(path.join(shipped, file), 'utf8');
  const document = openDocument('hopscope-prompt', text, `test:/${file}`);
  expect(service.diagnostics(document, DEFAULTS, token)).toEqual([]);
});
