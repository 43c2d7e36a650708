/** What is offered while a step prompt is typed. A bar is the cursor. */
import { describe, expect, test } from 'vitest';
import { type CompletionItem, InsertTextFormat } from 'vscode-languageserver-types';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { token } from '../support/language.ts';
import { edited, openAtCursor, service, tinyPrompt } from '../support/prompts.ts';

const settings = { ...DEFAULTS, models: ['some-model', 'other: model'] };

/** The items at the bar, in the order in which an editor shows them. */
function complete(textWithBar: string): CompletionItem[] {
  const { document, position } = openAtCursor(textWithBar);
  const items = service.completion(document, position, settings, token);
  return items.sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1));
}

function labels(textWithBar: string): string[] {
  return complete(textWithBar).map(({ label }) => label);
}

/** The text after an item was chosen; `$0` is where the cursor is then. */
function choose(textWithBar: string, label: string): string {
  const { document } = openAtCursor(textWithBar);
  const item = complete(textWithBar).find((it) => it.label === label);
  if (!item?.textEdit || !('range' in item.textEdit)) throw new Error(`There is no ${label}.`);
  if (item.insertTextFormat !== InsertTextFormat.Snippet) expect(item.textEdit.newText).not.toContain('$');
  return edited(document, item.textEdit);
}

const fields = ['format', 'environment', 'split', 'options', 'model', 'sampling'];
const without = (...taken: string[]) => fields.filter((field) => !taken.includes(field));

describe('front matter', () => {
  test.each<[string, string, readonly string[]]>([
    ['keys', '---\n|\n---\n', fields],
    [
      'keys that are not there yet',
      '---\nformat: 1\nenvironment: tiny\n|\nsplit: x\n---\n',
      without('format', 'environment', 'split'),
    ],
    ['a key being typed', '---\nformat: 1\nenv|\n---\n', without('format')],
    ['a key in the middle', '---\nenv|ironment: tiny\n---\n', fields],
    ['versions', '---\nformat: |\n---\n', ['1']],
    ['environments', '---\nenvironment: |\n---\n', [...environments.map(({ id }) => id), 'tiny']],
    ['splits', '---\nenvironment: tiny\nsplit: |\n---\n', ['held_out', 'practice']],
    ['splits of no environment', '---\nsplit: |\n---\n', []],
    ['models', '---\nmodel: so|\n---\n', ['some-model', '"other: model"']],
    ['options in braces', '---\nenvironment: tiny\noptions: { | }\n---\n', ['size', 'loud']],
    ['options not there yet', '---\nenvironment: tiny\noptions: { size: 3, | }\n---\n', ['loud']],
    ['options in lines', '---\nenvironment: tiny\noptions:\n  size: 3\n  |\n---\n', ['loud']],
    ['the value of an option', '---\nenvironment: tiny\noptions: { loud: | }\n---\n', ['true', 'false']],
    [
      'the value of an option in lines',
      '---\nenvironment: tiny\noptions:\n  loud: |\n---\n',
      ['true', 'false'],
    ],
    [
      'nothing where a value goes over lines: an editor replaces within one',
      '---\nenvironment: tiny\noptions: { loud: fal\n  |se }\n---\n',
      [],
    ],
    ['an example', '---\nenvironment: tiny\noptions: { size: | }\n---\n', ['3']],
    [
      'one of several texts',
      '---\nsampling: { reasoning_effort: | }\n---\n',
      ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    ],
    [
      'an option two levels down',
      '---\nenvironment: navigator\noptions:\n  reward:\n    allow_abstain: |\n---\n',
      ['true', 'false'],
    ],
    [
      'an option two levels down in braces',
      '---\nenvironment: navigator\noptions: { reward: { allow_abstain: | } }\n---\n',
      ['true', 'false'],
    ],
    ['nothing right after a colon', '---\nformat:|\n---\n', []],
    ['nothing in a comment', '---\nformat: 1 # |\n---\n', []],
    ['nothing on a line that ends the front matter', '---\nformat: 1\n--|-\n', []],
    ['nothing for an unknown key', '---\nwhatever: |\n---\n', []],
    ['nothing in a list', '---\nsampling: { stop: [ | ] }\n---\n', []],
  ])('%s', (_, text, expected) => expect(labels(text)).toEqual(expected));

  test.each([
    ['---\nformat: 1\nenv|\n---\n', 'environment', '---\nformat: 1\nenvironment: \n---\n'],
    ['---\nenv|: tiny\n---\n', 'environment', '---\nenvironment: tiny\n---\n'],
    ['---\n|\n---\n', 'sampling', '---\nsampling: { $0 }\n---\n'],
    ['---\nenvironment: ti|n # this\n---\n', 'tiny', '---\nenvironment: tiny # this\n---\n'],
    [
      '---\nenvironment: tiny\noptions: { lo|, size: 3 }\n---\n',
      'loud',
      '---\nenvironment: tiny\noptions: { loud: , size: 3 }\n---\n',
    ],
    [
      '---\nenvironment: tiny\noptions: { loud: f|alse }\n---\n',
      'true',
      '---\nenvironment: tiny\noptions: { loud: true }\n---\n',
    ],
  ])('%j with %s', (text, label, expected) => expect(choose(text, label)).toBe(expected));
});

describe('role lines', () => {
  const roles = ['system:', 'user:', 'assistant:'];

  test.each<[string, readonly string[]]>([
    [tinyPrompt('|'), roles],
    ['|\nuser:\n', roles],
    [tinyPrompt('us|'), roles],
    [tinyPrompt('user:\nHello\n|\n'), roles],
    [tinyPrompt('user:\nHello |\n'), []],
    [tinyPrompt('user:\nHello|, world\n'), []],
  ])('%j', (text, expected) => expect(labels(text)).toEqual(expected));

  test('one begins a message', () => {
    expect(choose(tinyPrompt('us|'), 'user:')).toBe(tinyPrompt('user:\n'));
  });
});

describe('names', () => {
  const top = [
    'goal',
    '#said',
    '^said',
    'words',
    '#words',
    '^words',
    'is_first',
    '#is_first',
    '^is_first',
    'last_number',
  ];
  const names = ['goal', 'said', 'words', 'is_first', 'last_number'];

  test.each<[string, string, readonly string[]]>([
    ['at the top', 'user:\n{{|', top],
    ['with closing braces', 'user:\n{{|}}', top],
    ['after a blank', 'user:\n{{ |', top],
    ['in the middle of a name', 'user:\n{{go|l}}', top],
    ['of a section', 'user:\n{{#|}}', names],
    ['of an inverted section', 'user:\n{{^|', names],
    ['unescaped', 'user:\n{{{|}}}', names.filter((name) => name !== 'said')],
    ['of items first', 'user:\n{{#said}}{{|}}{{/said}}', ['text', 'last', '#last', '^last', ...top]],
    [
      'of items in a section that is not closed',
      'user:\n{{#said}}{{|',
      ['text', 'last', '#last', '^last', ...top],
    ],
    ['not of items in an inverted section', 'user:\n{{^said}}{{|}}{{/said}}', top],
    ['to close with', 'user:\n{{#said}}{{#last}}{{/|}}', ['last', 'said']],
    ['to close with, when nothing is open', 'user:\n{{/|}}', []],
    ['none in a comment', 'user:\n{{! |}}', []],
    ['none behind a tag', 'user:\nx {{goal}}| y', []],
    ['none on a role line', 'user:|\n', []],
  ])('%s', (_, body, expected) => expect(labels(tinyPrompt(body))).toEqual(expected));

  test.each([
    ['{{go|', 'goal', '{{goal}}'],
    ['{{go|}}', 'goal', '{{goal}}'],
    ['{{ go|al }} after', 'goal', '{{ goal}} after'],
    ['{{|}}', '#said', '{{#said}}\n$0\n{{/said}}'],
    ['{{|}}', '^said', '{{^said}}$0{{/said}}'],
    ['{{#|}}', 'is_first', '{{#is_first}}$0{{/is_first}}'],
    ['{{#sa|}}', 'said', '{{#said}}\n$0\n{{/said}}'],
    ['{{#|}}x{{/said}}', 'said', '{{#said}}x{{/said}}'],
    ['{{#said}}x{{/|', 'said', '{{#said}}x{{/said}}'],
    ['{{{wo|}}}', 'words', '{{{words}}}'],
  ])('%s with %s', (body, label, expected) => {
    expect(choose(tinyPrompt(`user:\n${body}`), label)).toBe(tinyPrompt(`user:\n${expected}`));
  });

  test('say what they are', () => {
    const items = complete(tinyPrompt('user:\n{{|'));
    const named = (label: string) => items.find((it) => it.label === label);
    expect(named('goal')).toMatchObject({ detail: 'Number, needed' });
    expect(named('last_number')).toMatchObject({
      detail: 'Text, privileged: tells what the agent must not know',
    });
    expect(named('#said')).toMatchObject({ detail: 'List', filterText: '#said' });
  });

  test('none for an environment that there is not', () => {
    expect(labels('---\nenvironment: nowhere\n---\nuser:\n{{|}}')).toEqual([]);
  });
});
