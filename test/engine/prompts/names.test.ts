import { describe, expect, it } from 'vitest';
import type { Variable } from '../../../server/src/engine/environments/variables.ts';
import { positionAt } from '../../../server/src/engine/prompts/find.ts';
import { checkNames, resolveName } from '../../../server/src/engine/prompts/names.ts';
import { parseTemplate } from '../../../server/src/engine/prompts/parse-template.ts';
import { nearestName } from '../../../server/src/engine/text/nearest.ts';
import { showProblems } from '../../support/problems.ts';

function variable(name: string, rest: Partial<Variable> = {}): Variable {
  return { name, type: 'text', description: '', example: '', ...rest };
}

const variables: readonly Variable[] = [
  variable('question'),
  variable('used', { type: 'number' }),
  variable('answer', { privileged: true }),
  variable('tags', { type: 'list' }),
  variable('map', {
    type: 'list',
    items: [
      variable('id'),
      variable('header'),
      variable('parts', { type: 'list', items: [variable('word')] }),
    ],
  }),
];

describe('checkNames', () => {
  const cases: readonly [text: string, problems: readonly string[]][] = [
    ['{{question}} {{used}} {{tags}} {{#tags}}{{.}}{{/tags}}', []],
    ['{{#map}}{{id}} {{question}} {{#parts}}{{word}}{{header}}{{/parts}}{{/map}}', []],
    ['{{#question}}{{.}}{{/question}}{{^map}}none{{/map}}', []],
    ['{{qestion}}', ['template.unknown-name «qestion»']],
    ['{{id}}', ['template.unknown-name «id»']],
    ['{{^map}}{{id}}{{/map}}', ['template.unknown-name «id»']],
    ['{{#mpa}}{{id}}{{hedaer}}{{/mpa}}', ['template.unknown-name «mpa»', 'template.unknown-name «hedaer»']],
    ['{{#somewhere}}{{anything}}{{/somewhere}}', ['template.unknown-name «somewhere»']],
    ['{{map.id}} {{used.x}}', ['template.no-fields «map.id»', 'template.no-fields «used.x»']],
    ['{{map}}', ['template.list-as-text «map»']],
    ['{{answer}}{{#answer}}x{{/answer}}', ['template.privileged «answer»', 'template.privileged «answer»']],
    ['{{a b}}{{}}', []],
  ];
  it.each(cases)('%j', (text, expected) => {
    expect(showProblems(text, checkNames(parseTemplate(text).template, variables))).toEqual(expected);
  });

  it('suggests the nearest name in scope', () => {
    const { template } = parseTemplate('{{#map}}{{haeder}}{{/map}}{{haeder}}');
    expect(checkNames(template, variables).map(({ data }) => data)).toEqual([
      { name: 'haeder', nearest: 'header' },
      { name: 'haeder' },
    ]);
  });

  it('resolves a name through the sections around it', () => {
    const text = '{{#map}}{{#parts}}x{{/parts}}{{/map}}';
    const { scopes } = positionAt(parseTemplate(text).template, text.indexOf('x'));
    expect(resolveName('word', scopes, variables)?.name).toBe('word');
    expect(resolveName('header', scopes, variables)?.name).toBe('header');
    expect(resolveName('used', scopes, variables)?.type).toBe('number');
    expect(resolveName('nothing', scopes, variables)).toBeNull();
  });
});

describe('nearestName', () => {
  const cases: readonly [name: string, candidates: readonly string[], nearest: string | null][] = [
    ['temprature', ['top_p', 'temperature'], 'temperature'],
    ['Model', ['model'], 'model'],
    ['mpa', ['map', 'held'], 'map'],
    ['x', ['map', 'held'], null],
    ['step_left', ['steps_used', 'steps_left'], 'steps_left'],
    ['', ['a'], 'a'],
    ['word', [], null],
    ['x'.repeat(1000), ['x'.repeat(999)], null],
  ];
  it.each(cases)('%j among %j', (name, candidates, nearest) => {
    expect(nearestName(name, candidates)).toBe(nearest);
  });
});
