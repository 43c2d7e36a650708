import { describe, expect, it } from 'vitest';
import { canonicalJson, hashText } from '../../../server/src/engine/evals/identity.ts';
import { planTasks } from '../../../server/src/engine/evals/plan.ts';
import { configureRun, describeRun, type RunRequest } from '../../../server/src/engine/evals/run-config.ts';
import { parseRunConfig, printRunConfig } from '../../../server/src/engine/evals/run-config-file.ts';

const text = 'user:\n{{question}} \u2028 \ud800\n';

const request: RunRequest = {
  id: '0123abcd',
  created: '2026-01-02T03:04:05.000Z',
  version: '0.1.0',
  environment: 'navigator',
  generatorVersion: 1,
  options: { context_ceiling: 700, reward: { beta: 0.1 } },
  label: 'id_test',
  suite: null,
  parts: [
    { split: 'id_test', indices: [4, 2, 9] },
    { file: '/a/b.jsonl', hash: 'sha256:1', ids: ['x'], pins: { 0: 'sha256:2' } },
  ],
  rollouts: 2,
  shuffleSeed: 3,
  agent: {
    kind: 'model',
    model: 'm',
    baseUrl: 'http://localhost:8000/v1',
    sampling: { temperature: 0.5, stop: ['x'] },
    extraBody: { reasoning: { effort: 'low' }, store: null },
  },
  prompt: { name: 'p', path: 'p.step.md', text, hash: hashText(text) },
};

/** The identity after a change. */
function identity(change: Partial<RunRequest>): string {
  return configureRun({ ...request, ...change }).identity;
}

describe('the identity of a run', () => {
  const { agent } = request;
  if (agent.kind !== 'model') throw new Error('a model');

  it.each<[string, Partial<RunRequest>]>([
    ['the environment', { environment: 'other' }],
    ['the generator', { generatorVersion: 2 }],
    ['an option', { options: { context_ceiling: 701, reward: { beta: 0.1 } } }],
    ['an option inside of another', { options: { context_ceiling: 700, reward: { beta: 0.2 } } }],
    ['the indices', { parts: [{ split: 'id_test', indices: [4, 2] }] }],
    ['their order', { parts: [{ split: 'id_test', indices: [2, 4, 9] }, ...request.parts.slice(1)] }],
    ['the split', { parts: [{ split: 'train', indices: [4, 2, 9] }, ...request.parts.slice(1)] }],
    [
      'what is in a file',
      { parts: [...request.parts.slice(0, 1), { file: '/a/b.jsonl', hash: 'sha256:3', ids: ['x'] }] },
    ],
    ['rollouts', { rollouts: 3 }],
    ['the model', { agent: { ...agent, model: 'n' } }],
    ['sampling', { agent: { ...agent, sampling: { temperature: 0.6, stop: ['x'] } } }],
    ['the body', { agent: { ...agent, extraBody: {} } }],
    ['a policy instead', { agent: { kind: 'policy', policy: 'p', seed: '0' } }],
    ['the prompt', { prompt: { name: 'p', path: null, text: `${text} `, hash: hashText(`${text} `) } }],
  ])('changes with %s', (_, change) => {
    expect(identity(change)).not.toBe(identity({}));
  });

  it.each<[string, Partial<RunRequest>]>([
    ['when and by what version', { id: '00000000', created: 'later', version: '9' }],
    ['what figures call it', { label: 'l', suite: 's' }],
    ['the order of keys', { options: { reward: { beta: 0.1 }, context_ceiling: 700 } }],
    ['where the endpoint is', { agent: { ...agent, baseUrl: 'http://localhost:8001/v1' } }],
    ['where the prompt file is', { prompt: { name: 'q', path: null, text, hash: hashText(text) } }],
    [
      'where a file of instances is',
      { parts: [...request.parts.slice(0, 1), { file: '/c.jsonl', hash: 'sha256:1', ids: ['x'] }] },
    ],
  ])('does not depend on %s', (_, change) => {
    expect(identity(change)).toBe(identity({}));
  });
});

describe('the file of a configuration', () => {
  const config = configureRun(request);
  const printed = printRunConfig(config);
  const change = (edit: (file: Record<string, unknown>) => void): string => {
    const file = JSON.parse(printed);
    edit(file);
    return JSON.stringify(file);
  };

  it('is read as it was written', () => {
    expect(parseRunConfig(printed)).toEqual({ ok: true, value: config });
  });

  it('is read for a policy without a prompt', () => {
    const scripted = configureRun({
      ...request,
      agent: { kind: 'policy', policy: 'p', seed: '' },
      prompt: null,
    });
    expect(parseRunConfig(printRunConfig(scripted))).toEqual({ ok: true, value: scripted });
  });

  it('keeps keys without a value', () => {
    const scripted = printRunConfig(configureRun({ ...request, prompt: null, shuffleSeed: null }));
    expect(JSON.parse(scripted)).toMatchObject({ prompt: null, suite: null, shuffle_seed: null });
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '{', /^is not valid JSON$/],
    ['something else', '{"model": "m"}', /^is no run of this program: format: /],
    [
      'a later format',
      change((file) => {
        file['format'] = 2;
      }),
      /not the format this version reads: 1$/,
    ],
    [
      'another model',
      change((file) => {
        file['agent'] = { ...request.agent, kind: 'policy', policy: 'p', seed: '' };
      }),
      /^was changed: what it asks for/,
    ],
    [
      'more rollouts',
      change((file) => {
        file['rollouts'] = 5;
      }),
      /^was changed: what it asks for/,
    ],
    [
      'another prompt',
      change((file) => {
        file['prompt'] = { ...request.prompt, text: 'x' };
      }),
      /^was changed: the prompt/,
    ],
  ])('is refused: %s', (_, content, error) => {
    expect(parseRunConfig(content)).toEqual({ ok: false, error: expect.stringMatching(error) });
  });

  it('says what identifies the run', () => {
    expect(describeRun(config, 'f')).toMatchObject({
      id: '0123abcd',
      format: 'hopscope',
      requested: 8,
      split: null,
    });
    const one = configureRun({ ...request, parts: request.parts.slice(0, 1) });
    expect(describeRun(one, 'f')).toMatchObject({ split: 'id_test', requested: 6 });
  });
});

it('the plan goes through all instances before it comes back to one', () => {
  const plan = planTasks(request);
  expect(plan.map(({ task }) => task)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(plan.map(({ rollout, example }) => `${rollout}.${example}`)).toEqual([
    ...['0.0', '0.1', '0.2', '0.3', '1.0', '1.1', '1.2', '1.3'],
  ]);
  expect(plan[4]?.source).toEqual({ split: 'id_test', index: 4 });
  expect(plan[7]).toMatchObject({ source: { file: '/a/b.jsonl', id: 'x' }, pin: 'sha256:2' });
});

it('canonical JSON sorts keys and nothing else', () => {
  expect(canonicalJson({ b: [3, 1, { d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[3,1,{"d":1}]}');
  expect(hashText('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
