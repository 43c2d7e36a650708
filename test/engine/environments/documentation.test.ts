import { expect, test } from 'vitest';
import { addOption } from '../../../server/src/cli/arguments.ts';
import { documentation, minimalPrompt } from '../../../server/src/engine/environments/documentation.ts';
import { type OptionField, optionsOfScope } from '../../../server/src/engine/environments/option-fields.ts';
import { environments } from '../../../server/src/engine/environments/registry.ts';
import { checkStepPrompt } from '../../../server/src/engine/prompts/check-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';

test('a page says everything that a prompt can use, and where', () => {
  const { text, places } = documentation({
    id: 'tiny',
    title: 'Tiny',
    description: 'Says yes.',
    splits: [
      { id: 'train', size: 5, test: false, description: 'to iterate on' },
      { id: 'held', size: 2, test: true, description: 'held out' },
    ],
    optionFields: [
      { key: 'loud', type: 'boolean', example: 'true', description: 'Whether to shout.' },
      {
        key: 'size',
        scope: 'instance',
        type: 'integer',
        min: 1,
        max: 9,
        default: '2',
        example: '3',
        description: 'How large.',
      },
      {
        key: 'reward',
        scope: 'episode',
        type: 'mapping',
        example: '{ "beta": 1 }',
        description: 'What it is worth.',
        fields: [{ key: 'beta', type: 'number', min: 0, example: '1', description: 'How much.' }],
      },
    ],
    reasons: [{ code: 'too_small', description: 'It is too small.' }],
    variables: [
      {
        name: 'question',
        type: 'text',
        required: true,
        alternatives: ['q'],
        description: 'What is asked.',
        example: 'a `b`',
      },
      {
        name: 'held',
        type: 'list',
        privileged: true,
        description: 'What is held.',
        example: '2 items',
        items: [{ name: 'id', type: 'text', description: 'Its id.', example: '7' }],
      },
    ],
  });
  expect(text).toBe(`# Tiny

Says yes.

In a step prompt: \`environment: tiny\`

## A minimal step prompt

It tells what there is to know at a step; say in \`system:\` above it what to do.

\`\`\`hopscope-prompt
---
format: 1
environment: tiny
---
user:
{{question}}
\`\`\`

## Splits

- \`train\`: to iterate on; 5 instances
- \`held\`: held out; 2 instances, for tests

## Options

Keys of \`options\` in the front matter of step prompts and transcripts, and of \`-o key=value\` on the command line. \
There values are JSON, texts, or lists such as \`2,3\`, and a dot reaches into a mapping: \
\`-o loud=true\`, \`-o reward.beta=1\`, \`-o 'reward={ "beta": 1 }'\`.

How an episode is played:

- \`reward\` (mapping): What it is worth. E.g. \`{ "beta": 1 }\`
  - \`beta\` (number from 0): How much. E.g. \`1\`

Which instances are made:

- \`size\` (whole number from 1 to 9): How large. Default: 2. E.g. \`3\`

For both:

- \`loud\` (true or false): Whether to shout. E.g. \`true\`

## Reasons

Why an instance is not sound, and why the generator rejected an attempt. All checks are made, so there may be several.

- \`too_small\`: It is too small.

## Variables

What \`{{name}}\` prints, and what \`{{#name}}…{{/name}}\` goes through.

### question

Text, needed or \`q\`.

What is asked.

Example: \`\` a \`b\` \`\`

### held

List, privileged: tells what the agent must not know.

What is held.

Example: \`2 items\`

Inside of \`{{#held}}\`, for each item:

- \`id\` (text): Its id. \`7\`
`);
  const lineAt = (name: string) => text.slice(places.get(name) ?? 0).split('\n', 1)[0];
  expect(lineAt('split held')).toMatch(/^- `held`/);
  expect(lineAt('reason too_small')).toMatch(/^- `too_small`/);
  expect(lineAt('option reward.beta')).toMatch(/^ {2}- `beta`/);
  expect(lineAt('variable held')).toBe('### held');
  expect(lineAt('variable held.id')).toMatch(/^- `id`/);
});

test.each(environments.map((environment) => [environment.id, environment] as const))(
  'the page of %s explains every name once',
  (_id, environment) => {
    const { text, places } = documentation(environment);
    for (const { name, items = [] } of environment.variables) {
      expect(text.slice(places.get(`variable ${name}`))).toMatch(new RegExp(`^### ${name}\n`));
      for (const item of items) expect(places.has(`variable ${name}.${item.name}`)).toBe(true);
    }
    const named = {
      split: environment.splits.map(({ id }) => id),
      option: (environment.optionFields ?? []).map(({ key }) => key),
      metric: environment.metrics.map(({ id }) => id),
      reason: (environment.reasons ?? []).map(({ code }) => code),
    };
    for (const [kind, names] of Object.entries(named)) {
      for (const name of names) expect(places.has(`${kind} ${name}`)).toBe(true);
    }
  },
);

/** Values of an option that must be accepted, and some that must not. */
function samples({ type, min, max, values, fields = [] }: OptionField): { good: unknown[]; bad: unknown[] } {
  if (type === 'text' && values) return { good: [...values], bad: ['no such value', 1, true] };
  if (type === 'boolean') return { good: [true, false], bad: ['yes', 1, null] };
  if (type === 'text') return { good: ['a'], bad: [1, true] };
  if (type === 'mapping') {
    const [field] = fields;
    return { good: [{}], bad: [{ nonsense: 1 }, field ? { [field.key]: [] } : 1] };
  }
  const good = [min, max].filter((it) => it !== undefined);
  const bad: unknown[] = ['a', {}];
  if (min !== undefined) bad.push(min - 1);
  if (max !== undefined) bad.push(max + 1);
  if (type === 'integers') return { good: [...good, good], bad: [...bad, [], [good[0], 'a']] };
  return { good, bad };
}

test.each(environments.map((environment) => [environment.id, environment] as const))(
  'the options of %s are described as they are checked',
  (_id, environment) => {
    const { optionFields = [] } = environment;
    for (const field of optionFields) {
      const { good, bad } = samples(field);
      for (const value of good)
        expect(environment.parseOptions({ [field.key]: value })).toMatchObject({ ok: true });
      for (const value of bad)
        expect(environment.parseOptions({ [field.key]: value })).toMatchObject({ ok: false });
    }
    const refused = environment.parseOptions({ 'no such option': 1 });
    if (refused.ok) throw new Error('An unknown option is accepted.');
    for (const { key } of optionFields) expect(refused.error).toContain(key);
  },
);

test.each(environments.map((environment) => [environment.id, environment] as const))(
  'the examples for options of %s are accepted as they stand on a command line',
  (_id, environment) => {
    for (const { key, example, fields = [] } of environment.optionFields ?? []) {
      const given = [`${key}=${example}`, ...fields.map((field) => `${key}.${field.key}=${field.example}`)];
      for (const text of given) {
        expect(environment.parseOptions(addOption(text, undefined))).toMatchObject({ ok: true });
      }
    }
  },
);

test.each(environments.map((environment) => [environment.id, environment] as const))(
  'lists of %s may be given with commas between their items',
  (_id, environment) => {
    for (const { key, type, values = [] } of environment.optionFields ?? []) {
      if (type !== 'texts') continue;
      const items = values.slice(0, 2);
      const parsed = environment.parseOptions(addOption(`${key}=${items.join(', ')}`, undefined));
      expect(parsed).toEqual(environment.parseOptions({ [key]: items }));
      expect(parsed.ok).toBe(true);
      expect(environment.parseOptions({ [key]: `${items[0]},` }).ok).toBe(false);
    }
  },
);

test('options are told apart by what they decide about', () => {
  const fields = [
    { key: 'a', scope: 'instance', type: 'text', description: '', example: '' },
    { key: 'b', scope: 'episode', type: 'text', description: '', example: '' },
  ] as const satisfies readonly OptionField[];
  const options = { b: 1, a: 2, c: 3 };
  expect(optionsOfScope(fields, options, 'instance')).toEqual({ a: 2, c: 3 });
  expect(optionsOfScope(fields, options, 'episode')).toEqual({ b: 1, c: 3 });
  expect(optionsOfScope(undefined, options, 'episode')).toEqual(options);
});

test.each(environments.map((it) => [it.id, it] as const))(
  'the minimal step prompt of %s is one',
  (_, environment) => {
    const { prompt, problems } = parseStepPrompt(minimalPrompt(environment));
    expect([...problems, ...checkStepPrompt(prompt, [environment])]).toEqual([]);
  },
);
