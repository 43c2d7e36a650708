/** Log compression through the whole command: made, validated, played by policies and over HTTP, resumed, compared, replayed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logCompression } from '../../server/src/engine/environments/log-compression/index.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { permutation } from '../../server/src/engine/random/shuffle.ts';
import { average, recordAt, records, replyOf, small } from '../engine/log-compression/kit.ts';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { type ModelServer, type Respond, startModelServer, wrong } from '../support/model-server.ts';
import { playedAnswers } from '../support/policy-answers.ts';

const environment = ['--environment', 'log-compression'];
const promptFile = path.resolve('prompts/log-compression/log-compression.step.md');
const otherPrompt = path.resolve('prompts/log-compression/checklist.step.md');

let command: HopscopeCommand;
let server: ModelServer;
let respond: Respond;

/** The fifty records that the published runs choose. */
const chosen = permutation('numpy', 42, 200)
  .slice(0, 50)
  .map((index) => recordAt('test', index));

beforeAll(async () => {
  command = await buildCommand();
  server = await startModelServer((seen) => respond(seen));
});

afterAll(async () => {
  await server?.close();
  command?.remove();
});

/** An endpoint that answers as a policy plays. */
function playing(policy: string, file: string): Respond {
  const found = logCompression.policies.find(({ id }) => id === policy);
  if (found === undefined) throw new Error(`no policy ${policy}`);
  const { prompt } = parseStepPrompt(readFileSync(file, 'utf8'));
  const episodes = { environment: logCompression, prompt, options: {}, seed: '0', instances: chosen };
  return playedAnswers({ ...episodes, policy: found }).respond;
}

function evalOver(out: string, prompt: string): string[] {
  const model = ['--model', 'test-model', '--base-url', server.baseUrl, '--workers', '1'];
  return ['eval', prompt, ...model, '-s', 'test', '-n', '50', '--shuffle-seed', '42', '--out', out];
}

function onlyRunIn(out: string): string {
  const [name = ''] = readdirSync(out);
  return path.join(out, name);
}

it('checks every record against its own grader', async () => {
  const done = await command.run(['validate', 'log-compression']);
  expect(done).toMatchObject({ code: 0, out: 'train: 200 sound\ntest: 200 sound\n' });
});

it('prints what policies score, by case', async () => {
  const policies = ['perfect', 'reference', 'raw-copy', 'empty', 'merge-by-first-word'];
  const done = await command.run(['eval', ...environment, '--policy', policies.join(','), '-s', 'train']);
  expect(done.code).toBe(0);
  for (const line of [
    /^perfect +200 +0\.980 /m,
    /^reference +200 +0\.000 /m,
    /^raw-copy +200 -1\.000 /m,
    /^empty +200 +0\.000 /m,
    /^merge-by-first-word +200 +0\.6\d\d /m,
    /^ +false_positive case +40 +0\.(?:89|90)\d /m,
  ]) {
    expect(done.out).toMatch(line);
  }
});

it('takes some cases only, in the published order', async () => {
  const cases = ['-o', 'cases=["mixed_noise","req_id"]'];
  const done = await command.run(['generate', ...environment, '-s', 'train', ...cases]);
  expect(done.code).toBe(0);
  const names = parseLines(done.out).map((row) => row['case']);
  expect(names).toEqual([...Array(40).fill('req_id'), ...Array(40).fill('mixed_noise')]);
});

describe('runs over HTTP', () => {
  it('play the published choice of records, resume, and compare', async () => {
    const out = path.join(command.folder, 'grep');
    // The endpoint gives up half way, and comes back.
    const answer = playing('grep', promptFile);
    let left = 20;
    respond = (seen) => (left-- > 0 ? answer(seen) : wrong(401, 'Out of office.'));
    const cut = await command.run(evalOver(out, promptFile));
    expectNoCrash(cut);
    expect(cut.code).not.toBe(0);
    const run = onlyRunIn(out);

    let asked = 0;
    respond = (seen) => {
      asked++;
      return answer(seen);
    };
    const resumed = await command.run(['resume', run, '--workers', '1']);
    expectNoCrash(resumed);
    expect(resumed.code).toBe(0);
    expect(asked).toBeGreaterThanOrEqual(30);
    expect(asked).toBeLessThan(50);

    const rewards = chosen.map((record) => {
      const start = logCompression.start(record, {});
      const reply = { kind: 'reply', text: replyOf('grep', record) } as const;
      return logCompression.outcome(logCompression.advance(start, reply)).reward;
    });
    const summary = await command.run(['summary', run]);
    expect(summary.code).toBe(0);
    expect(summary.out).toContain(average(rewards).toFixed(3));
    for (const [name, count] of [
      ['timestamp', 12],
      ['req_id', 9],
      ['line_num', 7],
      ['false_positive', 11],
      ['mixed_noise', 11],
    ]) {
      expect(summary.out).toMatch(new RegExp(`${name} case +${count}/${count}/0 `));
    }

    respond = playing('merge-by-first-word', otherPrompt);
    const otherOut = path.join(command.folder, 'merge');
    expect(await command.run(evalOver(otherOut, otherPrompt))).toMatchObject({ code: 0 });
    const compared = await command.run(['compare', run, onlyRunIn(otherOut)]);
    expectNoCrash(compared);
    expect(compared.code).toBe(0);
    expect(compared.out).toMatch(/merged/);

    const exported = await command.run(['export', run, '--csv', '--html', '--traces', '--results']);
    expectNoCrash(exported);
    expect(exported.code).toBe(0);
    expect(readFileSync(path.join(run, 'report.html'), 'utf8')).toContain('fidelity');
  }, 60_000);
});

it('replays recorded replies', async () => {
  const instances = command.file('records.jsonl', `${JSON.stringify(small)}\n`);
  const episodes = command.file(
    'episodes.jsonl',
    `${JSON.stringify({ instance_id: 'small', actions: [replyOf('perfect', small)] })}\n`,
  );
  const done = await command.run([
    'replay',
    ...environment,
    '--instances',
    instances,
    '--episodes',
    episodes,
  ]);
  expectNoCrash(done);
  expect(done.code).toBe(0);
  expect(done.out).toContain('"gate":true');
});

describe('records of files', () => {
  it('are played as they are', async () => {
    const lines = records('train', 5).map((record) => JSON.stringify({ ...record, id: undefined }));
    const file = command.file('published.jsonl', `${lines.join('\n')}\n`);
    const done = await command.run(['eval', ...environment, '--policy', 'perfect', '--instances', file]);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^perfect +5 +1\.000 /m) });
  });

  it.each([
    ['{"raw": 7}', 'raw must be a text, not 7'],
    ['{', 'is cut off'],
    [JSON.stringify({ ...small, prefix_regex: '(((' }), 'prefix_regex is no regular expression'],
    [JSON.stringify({ ...small, critical: [] }), 'no_critical_lines'],
  ])('that are wrong are told of: %s', async (line, message) => {
    const file = command.file('wrong.jsonl', `${line}\n`);
    const done = await command.run(['validate', ...environment, file]);
    expectNoCrash(done);
    expect(done.code).toBe(1);
    expect(done.out + done.err).toContain(message);
  });

  it('with a hostile pattern are read in no time to speak of', async () => {
    const raw = `${' '.repeat(20_000)}x\n${'a'.repeat(20_000)}!`;
    const hostile = {
      ...small,
      raw,
      critical: [{ line: 2, text: raw.split('\n')[1] }],
      prefix_regex: '^(a+)+$',
    };
    const file = command.file('hostile.jsonl', `${JSON.stringify(hostile)}\n`);
    const done = await command.run(['validate', ...environment, file]);
    expectNoCrash(done);
    expect(done.code).toBe(1);
  });
});

it.each([
  [['-o', 'cases=everything'], 'cases must be one of timestamp, req_id'],
  [['-o', 'cases=[]'], 'cases must be one of'],
  [['-o', 'seed_path=a.jsonl'], 'give a file of records with --instances FILE'],
  [['-o', 'lossy_reference=maybe'], 'lossy_reference must be true or false'],
  [['-o', 'n=1'], 'has no option "n"'],
])('refuses %j', async (args, message) => {
  const done = await command.run(['eval', ...environment, '--policy', 'empty', '-s', 'train', ...args]);
  expectNoCrash(done);
  expect(done).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
});

it('is explained on a page of its own', async () => {
  const { out: text } = await command.run(['docs', 'log-compression']);
  expect(text).toContain('## What it measures');
  expect(text).toContain('fidelity_metric');
});
