/** The environment whose data come from outside, through the whole command: without them, fetching them, and with them. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { twoHop } from '../../server/src/engine/environments/two-hop/index.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { instanceAt, optionsOf, published } from '../engine/two-hop/data.ts';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { startModelServer, wrong } from '../support/model-server.ts';
import { playedAnswers } from '../support/policy-answers.ts';
import { describeShared, sharedFolder } from '../support/shared.ts';

let command: HopscopeCommand;
let nothing: Readonly<Record<string, string | undefined>>;
let fetched: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  command = await buildCommand();
  const variables = { HOPSCOPE_DATA: undefined, http_proxy: undefined, HTTP_PROXY: undefined };
  nothing = { ...variables, HOPSCOPE_CACHE: path.join(command.folder, 'empty-cache') };
  fetched = { ...variables, HOPSCOPE_CACHE: path.join(command.folder, 'cache') };
});
afterAll(() => command?.remove());

const promptFile = 'prompts/two-hop/two-hop.step.md';
const promptText = readFileSync(promptFile, 'utf8');

describe('without data', () => {
  it.each([
    ['validate', 'two-hop'],
    ['generate', '--environment', 'two-hop', '-s', 'nocot', '-n', '3'],
    ['eval', '--environment', 'two-hop', '--policy', 'perfect', '-s', 'cot'],
    ['eval', path.resolve(promptFile), '--policy', 'perfect', '-n', '3', '--out', 'never'],
    ['baselines', '--environment', 'two-hop', '-s', 'nocot'],
    ['inspect', '--environment', 'two-hop', '-s', 'nocot', '--index', '0'],
  ])('%s %s %s says once what to do', async (...args) => {
    const done = await command.run(args, { env: nothing });
    expectNoCrash(done);
    expect(done.code).not.toBe(0);
    expect(done.out).toBe('');
    expect(done.err.match(/are not on this machine/g)?.length).toBe(1);
    expect(done.err).toContain('hopscope data fetch two-hop');
    expect(existsSync(path.join(command.folder, 'never'))).toBe(false);
  });

  it('lists what is missing, and fails to check it', async () => {
    const listed = await command.run(['data'], { env: nothing });
    expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/two-hop .*225 +5\.6 MB +not here/) });
    const checked = await command.run(['data', 'check', 'two-hop'], { env: nothing });
    expect(checked).toMatchObject({ code: 1, out: 'two-hop: 0 of 225 files as published, 225 missing\n' });
    const where = await command.run(['data', 'where', '--data', command.folder], { env: nothing });
    expect(where.out).toContain(`named folder: ${command.folder}\n`);
    expect(where.out).toContain('two-hop: not here');
  });

  it('asks nobody unless it is told to', async () => {
    const done = await command.run(['eval', '--environment', 'two-hop', '--policy', 'empty', '-s', 'cot'], {
      env: { ...nothing, HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    expect(done.err).not.toMatch(/connect|127\.0\.0\.1/);
  });

  it.each([
    [['data', 'get'], 'Known: list, fetch, check, where.'],
    [['data', 'fetch'], 'Say which data to fetch: two-hop'],
    [
      ['validate', 'two-hop', '-o', 'weights.correct=1e308'],
      'weights.correct must be a number from -1000000 to 1000000, not 1e+308.',
    ],
    [['data', 'fetch', 'twohop'], 'There are no data twohop. Did you mean two-hop?'],
    [
      ['data', 'fetch', 'two-hop', '--from', 'somewhere'],
      'somewhere is no address; for a folder use --data.',
    ],
    [['data', 'fetch', 'two-hop', '--commit', 'main'], 'main is no hash of a commit.'],
    [['data', 'check', '--commit', '0123456'], '--from and --commit belong to "data fetch".'],
    [['data', 'list', '--data', ''], 'Bad --data: there is no folder "".'],
    [['validate', 'two-hop', '--data', 'gone'], 'Bad --data: there is no folder gone.'],
  ])('%j is refused', async (args, message) => {
    const done = await command.run(args, { env: nothing });
    expectNoCrash(done);
    expect(done).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});

describeShared('two-hop from the command line', () => {
  let source: Server;
  let address: string;
  const folder = `${sharedFolder}/data/two-hop`;

  beforeAll(async () => {
    source = createServer((request, response) => {
      const [, name = ''] = /^\/datasets\/semi_synthetic\/([\w/.]+)$/.exec(request.url ?? '') ?? [];
      const file = path.join(folder, name);
      if (name === '' || !existsSync(file)) response.writeHead(404).end();
      else response.end(readFileSync(file));
    });
    source.listen(0, '127.0.0.1');
    await once(source, 'listening');
    const bound = source.address();
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  });
  afterAll(() => source?.close());

  it('fetches the data once, and needs no source from then on', async () => {
    const first = await command.run(['data', 'fetch', 'two-hop', '--from', address], { env: fetched });
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^two-hop: 225 files fetched, all in /),
    });
    const again = await command.run(['data', 'fetch', 'two-hop', '--from', 'http://127.0.0.1:9'], {
      env: fetched,
    });
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^two-hop: 0 files fetched, 225 were there/),
    });
    const checked = await command.run(['data', 'check'], { env: fetched });
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^two-hop: 225 of 225 files as published, in /),
    });
  });

  it('checks every row against its own grader', async () => {
    const done = await command.run(['validate', 'two-hop', '--data', folder], { env: nothing });
    expect(done).toEqual({
      code: 0,
      signal: null,
      out: 'nocot: 1,380 sound\ncot: 1,380 sound\nnocot_shuffled: 6,900 sound\n',
      err: '',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'names once what is missing or damaged, and never waits',
    async () => {
      const partial = path.join(command.folder, 'partial');
      cpSync(folder, partial, { recursive: true });
      const files = (twoHop.data?.set.files ?? []).map((file) => file.path);
      const [first = '', second = '', third = '', fourth = ''] = files.filter((file) =>
        file.includes('_cot'),
      );
      const place = (file: string) => path.join(partial, file);
      const everywhere = [
        ['validate', 'two-hop'],
        ['generate', '--environment', 'two-hop', '-s', 'cot'],
        ['data', 'check', 'two-hop'],
      ];
      const expectSaid = async (sentences: readonly string[]) => {
        for (const args of everywhere) {
          const done = await command.run([...args, '--data', partial], { env: nothing });
          expectNoCrash(done);
          expect(done.code).not.toBe(0);
          expect(done.err).not.toContain('There is no instance');
          for (const sentence of sentences) expect(done.err.split(sentence).length).toBe(2);
          if (args[0] !== 'data') expect(done.out).toBe('');
        }
      };
      rmSync(place(first));
      await expectSaid([
        `1 of the 225 files of the data "${twoHop.data?.set.title}" is missing: ${first}; get what is not there with "hopscope data fetch two-hop".`,
      ]);
      rmSync(place(second));
      execFileSync('mkfifo', [place(second)]);
      rmSync(place(third));
      symlinkSync('/dev/zero', place(third));
      rmSync(place(fourth));
      symlinkSync('/etc/hostname', place(fourth));
      await expectSaid([
        `Cannot read ${place(second)}: it is a pipe or a device, not a file.`,
        `Cannot read ${place(third)}: it is a pipe or a device, not a file.`,
        `${place(fourth)} is not the published file: it has `,
        'Take them away, then get what is not there with "hopscope data fetch two-hop".',
        `is missing: ${first};`,
      ]);
      for (const file of files.slice(0, 20)) rmSync(place(file), { force: true });
      await expectSaid([`${files.slice(0, 10).join(', ')} and `]);
    },
  );

  it.each([
    ['perfect', 1, 1, 0],
    ['most-common', 0.3, 0.3, 0.7],
    ['empty', 0, 0, 0],
    ['sentence', 1, 0, 0],
    ['enumerate-all', 1, 0, 25 / 3],
  ])('plays %s on the first 60', async (policy, reward, strict, spam) => {
    const args = [
      'eval',
      '--environment',
      'two-hop',
      '-s',
      'nocot',
      '-n',
      '60',
      '--policy',
      policy,
      '--json',
    ];
    const one = await command.run([...args, '--workers', '1', '--data', folder], { env: nothing });
    const two = await command.run([...args, '--workers', '2'], {
      env: { ...nothing, HOPSCOPE_DATA: folder },
    });
    expect(two.out).toBe(one.out);
    const { summary } = parseLines(one.out).at(-1) ?? {};
    expect(summary).toMatchObject({ episodes: 60, reward, prior: 0.3, strict_answer: strict });
    expect(Reflect.get(Object(summary), 'answer_spam')).toBeCloseTo(spam, 10);
  });

  it('shows the prior beside every result, and leaves out breakdowns that nobody would read', async () => {
    const args = ['eval', '--environment', 'two-hop', '-s', 'nocot', '--policy', 'most-common'];
    const done = await command.run([...args, '--data', folder], { env: nothing });
    expect(done.out).toMatch(/^most-common +1,380 +0\.183 ± 0\.010 +0\.183 +0\.183/m);
    expect(done.out.split('\n').length).toBeLessThan(40);
    expect(done.out).toMatch(/can only guess: read\s+its score beside the prior/);
    const baselines = await command.run(
      ['baselines', '--environment', 'two-hop', '-s', 'nocot', '-n', '60', '--data', folder],
      { env: nothing },
    );
    expect(baselines.out).toMatch(/most common answer.*0\.3000$/m);
  });

  it('takes part of the data, and no more than there are', async () => {
    const args = [
      'generate',
      '--environment',
      'two-hop',
      '-s',
      'cot',
      '-o',
      'domains=ships,parks',
      '-o',
      'max_per_file=2',
    ];
    const done = await command.run([...args, '--data', folder], { env: nothing });
    const rows = parseLines(done.out);
    expect(rows.length).toBe(14);
    expect(rows.map(({ domain }) => domain)).toEqual([...Array(6).fill('parks'), ...Array(8).fill('ships')]);
    const beyond = await command.run([...args, '-n', '15', '--data', folder], { env: nothing });
    expect(beyond).toMatchObject({ code: 2, err: expect.stringContaining('14 instances and no more') });
    // What was generated is played without the data.
    const file = command.file('some.jsonl', done.out);
    const played = await command.run(
      ['eval', '--environment', 'two-hop', '--instances', file, '--policy', 'perfect', '--json'],
      { env: nothing },
    );
    expect(parseLines(played.out).at(-1)).toMatchObject({ summary: { episodes: 14, reward: 1 } });
    const valid = await command.run(['validate', file, '--environment', 'two-hop'], { env: nothing });
    expect(valid).toMatchObject({ code: 0, out: '14 sound\n' });
    const recognized = await command.run(['validate', file], { env: nothing });
    expect(recognized).toMatchObject({ code: 0, out: '14 sound\n', err: '' });
    const [row] = rows;
    const broken = command.file('broken.jsonl', `${JSON.stringify({ ...row, question: undefined })}\n`);
    const nearly = await command.run(['validate', broken], { env: nothing });
    expect(nearly.err).toMatch(/line 1 is no two-hop instance: .*question/);
    const foreign = await command.run(['validate', file, '--environment', 'inventory'], { env: nothing });
    expect(foreign).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Lines 1 and 13 more of .* are instances of two-hop, not of inventory: validate with --environment two-hop/,
      ),
    });
  });

  it.each(['perfect', 'most-common', 'enumerate-all'])(
    'scores %s through an endpoint as in process',
    async (id) => {
      const environment = published();
      const policy = environment.policies.find((it) => it.id === id);
      if (policy === undefined) throw new Error('no such policy');
      const { respond, episodes } = playedAnswers({
        environment,
        prompt: parseStepPrompt(promptText).prompt,
        options: optionsOf(environment),
        policy,
        seed: '0',
        instances: Array.from({ length: 60 }, (_, index) => instanceAt(environment, 'nocot', index)),
      });
      const server = await startModelServer(respond);
      const out = path.join(command.folder, `runs-${id}`);
      const model = ['--model', 'test-model', '--base-url', server.baseUrl, '--workers', '1'];
      const prompt = command.file('two-hop.step.md', promptText);
      const done = await command.run(['eval', prompt, ...model, '-n', '60', '--out', out, '--data', folder], {
        env: nothing,
      });
      await server.close();
      expect(done.code).toBe(0);
      for (const { body } of server.requests) {
        // Nobody is told the answer: the data's first two messages and nothing else.
        expect(body?.['messages']).toMatchObject([{ role: 'system' }, { role: 'user' }]);
      }
      const [name = ''] = readdirSync(out);
      const results = parseLines(readFileSync(path.join(out, name, 'results.jsonl'), 'utf8'));
      expect(results.map(({ reward }) => reward)).toEqual(episodes.map(({ outcome }) => outcome.reward));
      const config = JSON.parse(readFileSync(path.join(out, name, 'configs/eval.json'), 'utf8'));
      expect(config.data).toMatchObject({ set: 'two-hop', commit: twoHop.data?.set.commit });
      expect(done.out + done.err).toContain('prior');
      const resumed = await command.run(['resume', path.join(out, name), '--data', folder], { env: nothing });
      expectNoCrash(resumed);
      expect(resumed.code).toBe(0);
    },
  );

  it('goes on with a run whose endpoint failed on the way', async () => {
    const environment = published();
    const policy = environment.policies.find((it) => it.id === 'most-common');
    if (policy === undefined) throw new Error('no such policy');
    const { respond, episodes } = playedAnswers({
      environment,
      prompt: parseStepPrompt(promptText).prompt,
      options: optionsOf(environment),
      policy,
      seed: '0',
      instances: Array.from({ length: 20 }, (_, index) => instanceAt(environment, 'nocot', index)),
    });
    let isWell = false;
    const server = await startModelServer((seen) =>
      isWell || seen.number < 12 ? respond(seen) : wrong(400, 'The model has gone.'),
    );
    const out = path.join(command.folder, 'runs-broken');
    const prompt = command.file('two-hop.step.md', promptText);
    const model = [
      '--model',
      'test-model',
      '--base-url',
      server.baseUrl,
      '--workers',
      '1',
      '--concurrency',
      '1',
    ];
    await command.run(['eval', prompt, ...model, '-n', '20', '--out', out, '--data', folder], {
      env: nothing,
    });
    const run = path.join(out, readdirSync(out)[0] ?? '');
    const rows = () => parseLines(readFileSync(path.join(run, 'results.jsonl'), 'utf8'));
    expect(rows().filter(({ error }) => error === null).length).toBe(12);
    isWell = true;
    const resumed = await command.run(['resume', run, '--data', folder], { env: nothing });
    const asked = server.requests.map(({ text }) => text).slice(0, 12);
    await server.close();
    expect(resumed.code).toBe(0);
    expect(rows().map(({ reward }) => reward)).toEqual(episodes.map(({ outcome }) => outcome.reward));
    // What was answered is not asked again.
    for (const text of asked) expect(server.requests.filter((it) => it.text === text).length).toBe(1);
  });

  it('compares runs, and sums them up with the prior', async () => {
    const runs = ['perfect', 'most-common'].map((id) => {
      const parent = path.join(command.folder, `runs-${id}`);
      return path.join(parent, readdirSync(parent)[0] ?? '');
    });
    const compared = await command.run(['compare', ...runs], { env: nothing });
    expect(compared.out).toMatch(/^correct +60 +1\.000 +0\.300 +-0\.700/m);
    expect(compared.out).toContain('prior-answer');
    const summed = await command.run(['summary', ...runs], { env: nothing });
    expect(summed.out).toMatch(/prior.*strict/);
    expect(summed).toMatchObject({ code: 0 });
  });
});
