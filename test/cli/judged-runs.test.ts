/** Runs of episodes that a model judges, and of conversations that become too long, from the command line. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';
import { type Answer, type Respond, type Seen, startModelServer, wrong } from '../support/model-server.ts';
import { servingAnswers } from '../support/serving-endpoint.ts';

let command: HopscopeCommand;
let prompt: string;

beforeAll(async () => {
  command = await buildCommand();
  const shipped = path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md');
  prompt = command.file('mine.step.md', readFileSync(shipped, 'utf8'));
});

afterAll(() => command?.remove());

/** A judge that finds nothing mentioned. */
function strict({ body }: Seen): Answer {
  const [, user] = (body?.['messages'] ?? []) as readonly { readonly content: string }[];
  const facts = Array.from((user?.content ?? '').matchAll(/^(\w+): \w/gm), ([, fact = '']) => fact);
  const verdicts = Object.fromEntries(facts.map((fact) => [fact, 'N']));
  return { said: { text: JSON.stringify({ verdicts, invented: [] }) } };
}

async function serve(judge: Respond): Promise<string> {
  const play = servingAnswers(['mini_pitch', 'mini_retail'], 'oracle');
  const server = await startModelServer((seen) =>
    seen.body?.['model'] === 'strict' ? judge(seen) : play(seen),
  );
  onTestFinished(server.close);
  return server.baseUrl;
}

const pitches = (baseUrl: string, out: string) => [
  ...['eval', prompt, '--split', 'mini_pitch_test', '-n', '3', '--model', 'm', '--base-url', baseUrl],
  ...['--out', out, '--json'],
];

interface Line {
  readonly episode?: { readonly reward: number | null; readonly stop: string };
  readonly done?: {
    readonly status: string;
    readonly counts: { readonly scored: number; readonly errored: number };
  };
}

const linesOf = (out: string) => parseLines(out) as readonly Line[];

/** What was recorded of the run in a folder of one. */
function steps(out: string): readonly Readonly<Record<string, unknown>>[] {
  const parent = path.join(command.folder, out);
  const [run = ''] = readdirSync(parent);
  return parseLines(readFileSync(path.join(parent, run, 'steps.jsonl'), 'utf8'));
}

const verdictsIn = (out: string) =>
  steps(out).flatMap(({ event }) => ((event as { kind?: string })?.kind === 'verdict' ? [event] : []));

it('lets the model judge that is named, and keeps its verdicts', async () => {
  const baseUrl = await serve(strict);
  const { code, err, out } = await command.run([...pitches(baseUrl, 'judged'), '--judge-model', 'strict']);
  expect(err).toBe('');
  expect(code).toBe(0);
  const rewards = linesOf(out).flatMap(({ episode }) => (episode === undefined ? [] : [episode]));
  expect(rewards).toHaveLength(3);
  expect(verdictsIn('judged')).toHaveLength(3);
  expect(verdictsIn('judged')[0]).toMatchObject({ judge: 'strict' });
});

it('counts what the judge leaves open as an error, which resuming mends', async () => {
  let isSober = false;
  const baseUrl = await serve((seen) => (isSober ? strict(seen) : { said: { text: 'Lovely!' } }));
  const first = await command.run([...pitches(baseUrl, 'vague'), '--judge-model', 'strict']);
  expect(first.code).not.toBe(0);
  expect(steps('vague').filter(({ type }) => type === 'end')).toEqual([]);
  isSober = true;
  const [run = ''] = readdirSync(path.join(command.folder, 'vague'));
  const second = await command.run(['resume', path.join('vague', run), '--base-url', baseUrl]);
  expect(second.code).toBe(0);
  expect(steps('vague').filter(({ type }) => type === 'end')).toHaveLength(3);
});

it('says what to name where a judge is needed and none is named', async () => {
  const baseUrl = await serve(strict);
  const { code, out } = await command.run([...pitches(baseUrl, 'unjudged'), '-o', 'judge=model']);
  expect(code).not.toBe(0);
  expect(out).toContain('--judge-model');
});

it('does not let policies be judged by a model', async () => {
  const args = [
    'eval',
    '--environment',
    'serving',
    '-p',
    'oracle',
    '--judge-model',
    'strict',
    '--out',
    'none',
  ];
  expect((await command.run(args)).err).toContain('--judge-model has no effect where policies play');
});

it('scores a conversation that no longer fits the model', async () => {
  const server = await startModelServer(() => wrong(400, 'This exceeds the maximum context length.'));
  onTestFinished(server.close);
  const { code } = await command.run([
    ...[
      'eval',
      prompt,
      '--split',
      'mini_retail_test',
      '-n',
      '2',
      '--model',
      'm',
      '--base-url',
      server.baseUrl,
    ],
    ...['--out', 'long', '--json'],
  ]);
  expect(code).toBe(0);
  const ends = steps('long').filter(({ type }) => type === 'end');
  expect(ends).toHaveLength(2);
  for (const end of ends) expect(end).toMatchObject({ outcome: { reward: 0, stop: 'context-overflow' } });
});
