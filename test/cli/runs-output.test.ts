/** What comes out of runs: tables, exports, suites, several prompts at once; and what is refused. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { type OracleEndpoint, oracleEndpoint } from '../support/http-runs.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { promptText } from '../support/played-runs.ts';

let command: HopscopeCommand;
let endpoint: OracleEndpoint;
let server: ModelServer;
let prompt: string;
let count = 0;

beforeAll(async () => {
  command = await buildCommand();
  prompt = command.file('shipped.step.md', promptText);
  endpoint = oracleEndpoint(promptText, 6, { doc_tokens: 8000 });
  server = await startModelServer((seen) => endpoint.respond(seen));
});

afterAll(async () => {
  await server?.close();
  command?.remove();
});

function newParent(): string {
  return path.join(command.folder, `out-${count++}`);
}

function runsIn(parent: string): readonly string[] {
  return readdirSync(parent).map((name) => path.join(parent, name));
}

async function good(args: readonly string[]) {
  const finished = await command.run(args);
  expect(finished.code, finished.err).toBe(0);
  expectNoCrash(finished);
  return finished;
}

/** Runs policies and gives the folders of their runs. */
async function policies(names: string, ...more: string[]): Promise<readonly string[]> {
  const parent = newParent();
  await good(['eval', '-p', names, '-s', 'id_test', '-o', 'doc_tokens=8000', '--out', parent, ...more]);
  return runsIn(parent);
}

const model = (): string[] => ['-m', 'test-model', '--base-url', server.baseUrl, '--workers', '1'];
const small = ['-s', 'id_test', '-o', 'doc_tokens=8000'];

describe('summary', () => {
  it('prints the table of the published environment, with counts', async () => {
    const folders = await policies('oracle,no-read', '-n', '8', '-r', '2');
    const { out } = await good(['summary', ...folders]);
    for (const title of [
      'episodes',
      'reward ± SE',
      'step-weighted',
      'accuracy ± SE',
      'ceiling',
      'budget',
      'wrong',
      'steps/min',
    ]) {
      expect(out).toContain(title);
    }
    expect(out).toMatch(/^oracle · id_test +16\/16\/0 +0\.950 ± 0\.000 +0\.950 +1\.000 ± 0\.000/m);
    expect(out).toMatch(/^ {2}2 hops +\d+\/\d+\/0 /m);
    expect(out).toMatch(/pass@k +1: 1\.000 {2}2: 1\.000 {2}\(over 8 instances with all 2 rollouts scored/);
    expect(out).toContain('failed by: gave-up 16');
  });

  it('does not blame the endpoint for a prompt that prints too much', async () => {
    const nested = '{{#map}}{{#map}}{{id}} {{header}}{{/map}}{{/map}}'.repeat(400);
    const greedy = command.file(
      'greedy.step.md',
      `---\nformat: 1\nenvironment: navigator\n---\nuser:\n${nested}\n`,
    );
    const parent = newParent();
    const played = await command.run(['eval', greedy, ...model(), ...small, '-n', '2', '--out', parent]);
    const [folder = ''] = runsIn(parent);
    for (const out of [played.out, (await command.run(['summary', folder])).out]) {
      expect(out).toContain('failed by: prompt-too-large 2');
      expect(out).not.toContain('provider-error');
    }
  });

  it('as JSON: the same figures', async () => {
    const [folder = ''] = await policies('oracle', '-n', '3');
    const [run] = parseLines((await good(['summary', folder, '--json'])).out);
    expect(run).toMatchObject({
      run: { folder, environment: 'navigator', prompt: null, requested: 3 },
      all: { counts: { requested: 3, scored: 3, errored: 0, unfinished: 0 }, reward: { n: 3, mean: 0.95 } },
      by: { n_hops: expect.any(Array) },
      dollars: null,
    });
  });

  it('of runs in the public formats', async () => {
    const [folder = ''] = await policies('oracle', '-n', '3');
    for (const name of ['traces.jsonl', 'results.jsonl']) {
      const { out } = await good(['summary', path.join(folder, name)]);
      expect(out).toMatch(/oracle · navigator +3\/3\/0 +0\.950/);
    }
  });

  it.each([
    ['nothing', 'missing', /^There is no run .*missing; check the path\.$/m],
    [
      'a folder without a run',
      '.',
      /holds no run: there is neither steps\.jsonl nor traces\.jsonl nor results\.jsonl/,
    ],
  ])('of %s', async (_, name, message) => {
    mkdirSync(path.join(command.folder, 'empty'), { recursive: true });
    const { code, err } = await command.run(['summary', path.join(command.folder, 'empty', name)]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });
});

describe('export', () => {
  it('writes all formats, the same ones as the run has', async () => {
    const [folder = ''] = await policies('random-reader', '-n', '4');
    const into = newParent();
    await good(['export', folder, '--out', into]);
    expect(readdirSync(into)).toEqual(['episodes.csv', 'metadata.json', 'results.jsonl', 'traces.jsonl']);
    for (const name of ['metadata.json', 'results.jsonl', 'traces.jsonl']) {
      expect(readFileSync(path.join(into, name), 'utf8')).toBe(readFileSync(path.join(folder, name), 'utf8'));
    }
    expect(readFileSync(path.join(into, 'episodes.csv'), 'utf8').split('\n').length).toBe(6);
  });

  it('writes a table to standard output', async () => {
    const [folder = ''] = await policies('no-read', '-n', '2');
    const { out } = await good(['export', folder, '--csv', '--out', '-']);
    expect(out.split('\n').length).toBe(4);
    expect(await command.run(['export', folder, '--out', '-'])).toMatchObject({ code: 2, out: '' });
  });

  it('writes what is asked for, of a run of another program too', async () => {
    const [folder = ''] = await policies('oracle', '-n', '2');
    const foreign = newParent();
    mkdirSync(foreign);
    copyFileSync(path.join(folder, 'traces.jsonl'), path.join(foreign, 'traces.jsonl'));
    await good(['export', foreign, '--results']);
    expect(readdirSync(foreign)).toEqual(['metadata.json', 'results.jsonl', 'traces.jsonl']);
    const { out } = await good(['summary', path.join(foreign, 'results.jsonl')]);
    expect(out).toMatch(/2\/2\/0 +0\.950/);
  });
});

describe('what a run is on', () => {
  const indicesOf = (folder: string): unknown =>
    JSON.parse(readFileSync(path.join(folder, 'configs', 'eval.json'), 'utf8')).instances;

  it('a shuffle takes the first of the order of the whole split', async () => {
    const [four = ''] = await policies('no-read', '-n', '4', '--shuffle-seed', '0');
    const [six = ''] = await policies('no-read', '-n', '6', '--shuffle-seed', '0');
    const [[a], [b]] = [indicesOf(four), indicesOf(six)] as [
      [{ indices: number[] }],
      [{ indices: number[] }],
    ];
    expect(b.indices.slice(0, 4)).toEqual(a.indices);
    expect(a.indices).not.toEqual([0, 1, 2, 3]);
  });

  it('a suite, which is named, pinned or not', async () => {
    const [folder = ''] = await policies('no-read', '--indices', '5,2');
    const members = parseLines(readFileSync(path.join(folder, 'traces.jsonl'), 'utf8')).map(
      (row) => (row['task'] as { hash: string }).hash,
    );
    const suite = (hash: string) => ({
      format: 1,
      name: 'two of them',
      environment: 'navigator',
      options: { doc_tokens: [8000] },
      instances: [
        { split: 'id_test', index: 2, hash: `sha256:${hash}` },
        { split: 'id_test', index: 5 },
      ],
    });
    const pinned = command.file('pinned.suite.json', JSON.stringify(suite(members[0] ?? '')));
    const parent = newParent();
    await good(['eval', '-p', 'oracle', '--suite', pinned, '--out', parent]);
    const [run = ''] = runsIn(parent);
    const { out } = await good(['summary', run]);
    expect(out).toContain('oracle · two of them');
    const stale = command.file('stale.suite.json', JSON.stringify(suite('0'.repeat(64))));
    const refused = await command.run(['eval', '-p', 'oracle', '--suite', stale, '--out', newParent()]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/hs1-id_test-2\S* is not what it was when the suite was made/);
  });

  it('a file of instances, which must not change afterwards', async () => {
    const generated = await good(['generate', ...small, '-n', '3', '--no-audit']);
    const file = command.file('three.jsonl', generated.out);
    const parent = newParent();
    await good(['eval', '-p', 'oracle', '--instances', file, '--indices', '2,0', '--out', parent]);
    const [run = ''] = runsIn(parent);
    expect(indicesOf(run)).toMatchObject([
      { file, ids: [expect.stringContaining('-0'), expect.stringContaining('-2')] },
    ]);
    expect((await good(['summary', run])).out).toMatch(/oracle · .*three\.jsonl +2\/2\/0 +0\.950/);
    writeFileSync(file, `${generated.out}\n`);
    const { code, err } = await command.run(['resume', run]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/three\.jsonl has changed since the run was begun/),
    });
  });
});

describe('several at once', () => {
  it('prompts and policies are played side by side on the same instances', async () => {
    const other = command.file('other.step.md', promptText.replace('user:', 'user:\nThink first.'));
    const parent = newParent();
    const { out } = await good([
      'eval',
      prompt,
      other,
      '-p',
      'oracle,no-read',
      ...small,
      '-n',
      '3',
      '-c',
      '1',
      '--out',
      parent,
      '--json',
    ]);
    const lines = parseLines(out);
    expect(lines.filter((line) => 'start' in line).length).toBe(4);
    const order = lines.flatMap((line) =>
      'episode' in line ? [(line['episode'] as { task: number }).task] : [],
    );
    expect(order).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    expect(
      readdirSync(parent)
        .map((name) => name.replace(/[0-9a-f]{8}$/, '*'))
        .sort(),
    ).toEqual([
      'navigator--policy-no-read--other--*',
      'navigator--policy-no-read--shipped--*',
      'navigator--policy-oracle--other--*',
      'navigator--policy-oracle--shipped--*',
    ]);
  });
});

describe('an early stop', () => {
  it('ends both runs when it is clear which one is better', async () => {
    const parent = newParent();
    const args = ['-p', 'random-reader,oracle', ...small, '-n', '60', '-c', '1', '--out', parent, '--json'];
    const { code, out } = await command.run(['eval', ...args, '--until-decided']);
    expect(code).toBe(0);
    const ends = parseLines(out).flatMap((line) => ('done' in line ? [line['done']] : []));
    const reason = expect.stringMatching(
      /^The second run is better by 0\.\d+ ± 0\.\d+ after \d+ of 60 pairs/,
    );
    expect(ends).toMatchObject([
      { status: 'decided', reason },
      { status: 'decided', reason },
    ]);
  });

  it('needs two runs', async () => {
    const parent = newParent();
    const args = ['eval', '-p', 'oracle', ...small, '-n', '3', '--out', parent, '--until-decided'];
    expect(await command.run(args)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--until-decided needs two runs/),
    });
  });
});

describe('before a run', () => {
  it('--estimate says what it takes, and writes and asks nothing', async () => {
    const prices = command.file('prices.json', '{"test-*": {"input": 1000, "output": 0}}');
    const parent = newParent();
    const asked = server.count;
    const args = [
      'eval',
      prompt,
      ...model(),
      ...small,
      '-n',
      '6',
      '--out',
      parent,
      '--estimate',
      '--prices',
      prices,
    ];
    const { out } = await good(args);
    expect(out).toMatch(/^6 episodes take at least about \d+ requests, [\d,]+ tokens in and [\d,]+ out, \$/);
    const [line] = parseLines((await good([...args, '--json'])).out);
    expect(line).toMatchObject({
      estimate: { episodes: 6, requests: expect.any(Number), dollars: expect.any(Number) },
    });
    expect(server.count).toBe(asked);
    expect(readdirSync(command.folder)).not.toContain(path.basename(parent));
  });

  it('a model plays 20 instances of a split unless more are asked for', async () => {
    const [line] = parseLines(
      (await good(['eval', prompt, ...model(), '-s', 'train', '--estimate', '--json'])).out,
    );
    expect(line).toMatchObject({ estimate: { episodes: 20 } });
  });
});

describe('refused before anything is written', () => {
  it.each<[string, () => string[], RegExp]>([
    ['no endpoint', () => ['-m', 'x'], /^Say where the model is with --base-url or in HOPSCOPE_BASE_URL\.$/],
    ['a bad endpoint', () => ['-m', 'x', '--base-url', 'ftp://x'], /^The base URL must begin with https/],
    [
      'no model',
      () => ['--base-url', server.baseUrl],
      /^Name a model with --model: .*shipped\.step\.md does not\.$/,
    ],
    ['a model and a policy', () => [...model(), '-p', 'oracle'], /^Name models or policies, not both\.$/],
    [
      'bad sampling',
      () => [...model(), '-S', 'temperature=3'],
      /^Bad --sampling: temperature must be a number from 0 to 2\.$/,
    ],
    ['bad options', () => [...model(), '-o', 'ceiling=3'], /^Bad --option: /],
    [
      'dollars without a price',
      () => [...model(), '--limit', 'dollars=1'],
      /^A limit in dollars needs the price of test-model/,
    ],
    [
      'half a request',
      () => [...model(), '--limit', 'requests=2.5'],
      /limit of requests must be a whole number/,
    ],
    [
      'another model in the extra body',
      () => [...model(), '--extra-body', '{"model":"other"}'],
      /model is decided by the run itself and cannot be set in the extra body\.$/,
    ],
    [
      'other messages in the extra body',
      () => [...model(), '--extra-body', '{"messages":[]}'],
      /messages is decided by the run itself/,
    ],
    ['a prompt twice', () => [prompt, ...model()], /shipped\.step\.md is there twice; --rollouts plays more/],
    [
      'a split that is not there',
      () => [...model(), '-s', 'id_tes'],
      /has no split id_tes\. Did you mean id_test\?/,
    ],
    [
      'a suite that is not there',
      () => [...model(), '--suite', 'no.json'],
      /^no\.json cannot be read: there is no such file/,
    ],
    ['a bad price table', () => [...model(), '--prices', prompt], /shipped\.step\.md is not valid JSON\.$/],
  ])('%s', async (_, more, message) => {
    const parent = newParent();
    const finished = await command.run(['eval', prompt, ...more(), '--out', parent]);
    expectNoCrash(finished);
    expect(finished.code).toBe(2);
    expect(finished.err.trimEnd()).toMatch(message);
    expect(readdirSync(command.folder)).not.toContain(path.basename(parent));
  });

  it.each([
    [
      'a broken prompt',
      '---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{#held}}\n',
      /bad\.step\.md line 6: /,
    ],
    [
      'a prompt for nothing',
      '---\nformat: 1\nenvironment: nothing\n---\nuser:\n{{question}}\n',
      /There is no environment "nothing"/,
    ],
  ])('%s', async (_, text, message) => {
    const file = command.file('bad.step.md', text);
    const finished = await command.run(['eval', file, ...model(), ...small]);
    expectNoCrash(finished);
    expect(finished).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  });
});

describe('resume', () => {
  it.each([
    [
      'what is no run',
      () => command.folder,
      /holds no run of this program: configs\/eval\.json is not there/,
    ],
    ['what is not there', () => path.join(command.folder, 'missing'), /holds no run of this program/],
  ])('refuses %s', async (_, folder, message) => {
    expect(await command.run(['resume', folder()])).toMatchObject({
      code: 2,
      err: expect.stringMatching(message),
    });
  });

  it('refuses a run whose configuration was changed', async () => {
    const [folder = ''] = await policies('oracle', '-n', '2');
    const file = path.join(folder, 'configs', 'eval.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"rollouts": 1', '"rollouts": 2'));
    const { code, err } = await command.run(['resume', folder]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/eval\.json was changed: what it asks for is not/),
    });
  });
});
