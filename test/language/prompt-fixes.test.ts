/** Quick fixes of step prompts: what each makes of the text, and that the problem is gone then. */
import { expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver-types';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { token } from '../support/language.ts';
import { edited, openPrompt, service, tinyPrompt } from '../support/prompts.ts';

function problemsOf(text: string): readonly string[] {
  return service.diagnostics(openPrompt(text), DEFAULTS, token).map(({ code }) => String(code));
}

/** The fixes offered where the problem of that code is. */
function fixes(text: string, code: string): { actions: CodeAction[]; apply: (action: CodeAction) => string } {
  const document = openPrompt(text);
  const problem = service.diagnostics(document, DEFAULTS, token).find((it) => it.code === code);
  if (!problem) throw new Error(`There is no ${code}.`);
  const actions = service
    .codeActions(document, problem.range, DEFAULTS, token)
    .filter(({ diagnostics }) => diagnostics?.some((it) => it.code === code));
  for (const { diagnostics } of actions) expect(diagnostics).toEqual([problem]);
  return {
    actions,
    apply({ edit }) {
      const [change, ...others] = edit?.changes?.[document.uri] ?? [];
      if (!change || others.length > 0) throw new Error('There is not one edit.');
      return edited(document, change);
    },
  };
}

const goal = 'user:\n{{goal}}\n';

/** Code, text before, title of the fix, text after. */
const cases: readonly (readonly [code: string, before: string, title: string, after: string])[] = [
  [
    'front-matter.unknown-key',
    tinyPrompt(goal, 'modle: x\n'),
    'Change to "model"',
    tinyPrompt(goal, 'model: x\n'),
  ],
  [
    'front-matter.unknown-environment',
    `---\nformat: 1\nenvironment: tyni\n---\n${goal}`,
    'Change to "tiny"',
    tinyPrompt(goal),
  ],
  [
    'front-matter.unknown-split',
    tinyPrompt(goal, 'split: practise\n'),
    'Change to "practice"',
    tinyPrompt(goal, 'split: practice\n'),
  ],
  [
    'front-matter.unknown-option',
    tinyPrompt(goal, 'options: { sise: 3 }\n'),
    'Change to "size"',
    tinyPrompt(goal, 'options: { size: 3 }\n'),
  ],
  [
    'front-matter.range',
    tinyPrompt(goal, 'sampling: { reasoning_effort: hgih }\n'),
    'Change to "high"',
    tinyPrompt(goal, 'sampling: { reasoning_effort: high }\n'),
  ],
  ['front-matter.type', tinyPrompt(goal, 'model: 5\n'), 'Put it in quotes', tinyPrompt(goal, 'model: "5"\n')],
  [
    'front-matter.missing',
    `---\nenvironment: tiny\n---\n${goal}`,
    'Add "format: 1"',
    tinyPrompt(goal).replace('format: 1\nenvironment: tiny', 'format: 1\nenvironment: tiny'),
  ],
  [
    'front-matter.missing-block',
    'user:\n{{question}}{{map_text}}{{held_text}}\n',
    'Add front matter',
    '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}{{map_text}}{{held_text}}\n',
  ],
  [
    'front-matter.unclosed',
    `---\nformat: 1\nenvironment: tiny\n${goal}`,
    'Close the front matter',
    tinyPrompt(goal),
  ],
  ['prompt.no-role', tinyPrompt('{{goal}}\n'), 'Make it a user message', tinyPrompt('user:\n{{goal}}\n')],
  [
    'prompt.text-before-role',
    tinyPrompt(`Count.\n${goal}`),
    'Make it a system message',
    tinyPrompt(`system:\nCount.\n${goal}`),
  ],
  ['prompt.empty-block', tinyPrompt(`system:\n\n${goal}`), 'Remove the empty block', tinyPrompt(goal)],
  [
    'prompt.role-spelling',
    tinyPrompt(`${goal}Assistant:\n1\n`),
    'Change to "assistant:"',
    tinyPrompt(`${goal}assistant:\n1\n`),
  ],
  [
    'prompt.role-spelling',
    tinyPrompt(`${goal}Assistant:\n1\n`),
    'Leave it as text, with a blank before it',
    tinyPrompt(`${goal} Assistant:\n1\n`),
  ],
  ['prompt.secret', tinyPrompt(`${goal}goal-2!`), 'Replace by a placeholder', tinyPrompt(`${goal}<answer>!`)],
  ['template.unknown-name', tinyPrompt('user:\n{{gaol}}'), 'Change to "goal"', tinyPrompt('user:\n{{goal}}')],
  ['template.unclosed-tag', tinyPrompt('user:\n{{goal\n'), 'Close the tag', tinyPrompt('user:\n{{goal}}\n')],
  [
    'template.unclosed-tag',
    tinyPrompt('user:\n{{{goal}}\n'),
    'Close the tag',
    tinyPrompt('user:\n{{{goal}}}\n'),
  ],
  [
    'template.unclosed-section',
    tinyPrompt('user:\n{{goal}}\n{{#said}}\n- {{text}}\n\nsystem:\nCount.\n'),
    'Close it with {{/said}}',
    tinyPrompt('user:\n{{goal}}\n{{#said}}\n- {{text}}\n{{/said}}\n\nsystem:\nCount.\n'),
  ],
  [
    'template.unclosed-section',
    tinyPrompt('user:\n{{goal}}\n  {{#said}}  \n  - {{text}}'),
    'Close it with {{/said}}',
    tinyPrompt('user:\n{{goal}}\n  {{#said}}  \n  - {{text}}\n  {{/said}}'),
  ],
  [
    'template.unclosed-section',
    tinyPrompt('user:\n{{goal}} {{#is_first}}Begin.\nNow.'),
    'Close it with {{/is_first}}',
    tinyPrompt('user:\n{{goal}} {{#is_first}}Begin.{{/is_first}}\nNow.'),
  ],
  [
    'template.wrong-close',
    tinyPrompt('user:\n{{goal}}{{#said}}x{{/sayd}}'),
    'Change to {{/said}}',
    tinyPrompt('user:\n{{goal}}{{#said}}x{{/said}}'),
  ],
  [
    'template.stray-close',
    tinyPrompt('user:\n{{goal}}{{/said}}.'),
    'Remove this tag',
    tinyPrompt('user:\n{{goal}}.'),
  ],
  [
    'template.empty-name',
    tinyPrompt('user:\n{{goal}}{{ }}.'),
    'Remove this tag',
    tinyPrompt('user:\n{{goal}}.'),
  ],
  [
    'template.unused-required',
    tinyPrompt('user:\nCount.\n\n'),
    'Add {{goal}} at the end',
    tinyPrompt('user:\nCount.\n{{goal}}\n\n'),
  ],
  [
    'template.list-as-text',
    '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}{{map}}{{held_text}}\n',
    'Print "map_text" instead',
    '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}{{map_text}}{{held_text}}\n',
  ],
];

test.each(cases)('%s in %j: %s', (code, before, title, after) => {
  const { actions, apply } = fixes(before, code);
  const action = actions.find((it) => it.title === title);
  expect(actions.map((it) => it.title)).toContain(title);
  if (!action) return;
  expect(action).toMatchObject({ kind: 'quickfix' });
  expect(action.isPreferred === true).toBe(actions.length === 1);
  const mended = apply(action);
  expect(mended).toBe(after);
  const count = (codes: readonly string[]) => codes.filter((it) => it === code).length;
  expect(count(problemsOf(mended))).toBe(count(problemsOf(before)) - 1);
});

test('there are none elsewhere', () => {
  const document = openPrompt(tinyPrompt('user:\n{{gaol}} {{goal}}'));
  const start = document.positionAt(document.getText().length);
  expect(service.codeActions(document, { start, end: start }, DEFAULTS, token)).toEqual([]);
});
