/** What a model that judges uses: in the figures, apart and in the sum, and in the same budget as whom it judges. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';
import { startModelServer } from '../support/model-server.ts';
import { servingAnswers } from '../support/serving-endpoint.ts';

let command: HopscopeCommand;
let prompt: string;
let prices: string;

beforeAll(async () => {
  command = await buildCommand();
  const shipped = path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md');
  prompt = command.file('mine.step.md', readFileSync(shipped, 'utf8'));
  // A million tokens of either cost as much as is easily added up.
  prices = command.file(
    'prices.json',
    JSON.stringify({ m: { input: 1000, output: 1000 }, strict: { input: 2000, output: 2000 } }),
  );
});

afterAll(() => command?.remove());

/** An agent of 110 tokens a request and a judge of 1,100, who finds nothing mentioned. */
async function serve() {
  const play = servingAnswers(['mini_pitch'], 'oracle');
  const server = await startModelServer(async (seen) => {
    if (seen.body?.['model'] !== 'strict') {
      const { said } = await play(seen);
      return said === undefined ? {} : { said: { ...said, usage: usage(100, 10) } };
    }
    const [, user] = seen.body['messages'] as readonly { readonly content: string }[];
    const facts = Array.from((user?.content ?? '').matchAll(/^(\w+): \w/gm), ([, fact = '']) => fact);
    const verdicts = Object.fromEntries(facts.map((fact) => [fact, 'N']));
    return { said: { text: JSON.stringify({ verdicts, invented: [] }), usage: usage(1000, 100) } };
  });
  onTestFinished(server.close);
  return server;
}

const usage = (input: number, output: number) => ({ input, output });

const judged = ['--model', 'm', '--judge-model', 'strict', '-c', '1'];

/** The two kinds of evals, each with so many episodes as are asked for. */
const kinds = [
  {
    kind: 'an ordinary run',
    args: ['--split', 'mini_pitch_test', '-n', '8'],
    /** What it prints when it is done. */
    sums: (lines: readonly unknown[]) => {
      const { done } = lines.at(-1) as { done: Record<string, unknown> };
      return { agent: done['usage'], judge: done['judge_usage'], dollars: done['dollars'] };
    },
  },
  {
    kind: 'a stream',
    args: ['--stream', 'mini_pitch', '--windows', '0'],
    sums: (lines: readonly unknown[]) => {
      const { summary } = lines.at(-1) as { summary: { tokens: Record<string, object>; dollars: number } };
      const { test, judge } = summary.tokens;
      return { agent: test, judge, dollars: summary.dollars };
    },
  },
];

describe.each(kinds)('$kind', ({ args, sums }) => {
  const folder = args.includes('--stream') ? 'stream' : 'run';
  const evalOf = async (out: string, more: readonly string[] = []) => {
    const server = await serve();
    const given = ['eval', prompt, ...args, ...judged, '--base-url', server.baseUrl];
    const out_ = ['--out', `${folder}-${out}`];
    return { server, ...(await command.run([...given, ...out_, ...more])) };
  };

  it('counts the judge apart and in the sum', async () => {
    const { code, out } = await evalOf('costs', ['--prices', prices, '--json']);
    expect(code).toBe(0);
    const { agent, judge, dollars } = sums(parseLines(out));
    expect(agent).toMatchObject({ input: 800, output: 80 });
    expect(judge).toMatchObject({ input: 8000, output: 800 });
    // 880 tokens at $1,000 a million, 8,800 at twice that.
    expect(dollars).toBeCloseTo(0.88 + 17.6, 9);
  });

  it('says so to people', async () => {
    const { out } = await evalOf('told', ['--prices', prices]);
    expect(out).toMatch(/8,800/);
    expect(out).toMatch(/\$17\.60?/);
    expect(out).toMatch(/\$18\.48/);
  });

  it('gives no sum in dollars where the price of the judge is not known', async () => {
    const table = command.file('some.json', JSON.stringify({ m: { input: 1000, output: 1000 } }));
    const { out } = await evalOf('unpriced', ['--prices', table, '--json']);
    expect(sums(parseLines(out)).dollars).toBeNull();
  });

  it.each([
    ['requests=6', 6, 'The limit of 6 requests is reached.'],
    ['tokens=3_000', 6, 'The limit of 3000 tokens is reached (3630 used).'],
    ['dollars=4', 4, 'The limit of $4 is reached ($4.6200 spent).'],
  ])('is ended by the limit %s, to which both count', async (limit, requests, sentence) => {
    const { code, out, err, server } = await evalOf(limit, ['--prices', prices, '--limit', limit]);
    expect(code).not.toBe(0);
    expect(server.count).toBe(requests);
    expect(`${out}${err}`.replace(/\s+/g, ' ')).toContain(sentence);
  });

  it('needs the price of the judge to keep a limit in dollars', async () => {
    const table = command.file('some.json', JSON.stringify({ m: { input: 1, output: 1 } }));
    const { code, err, server } = await evalOf('no-price', ['--prices', table, '--limit', 'dollars=1']);
    expect({ code, count: server.count }).toEqual({ code: 2, count: 0 });
    expect(err.replace(/\s+/g, ' ')).toContain('needs the price of strict');
  });
});

it('goes on with what an interrupted run, or stream, has used', async () => {
  const server = await serve();
  const all = [...judged, '--base-url', server.baseUrl, '--prices', prices];
  await command.run([
    'eval',
    prompt,
    ...(kinds[0]?.args ?? []),
    ...all,
    '--out',
    'r',
    '--limit',
    'requests=4',
  ]);
  const [run = ''] = readdirSync(path.join(command.folder, 'r'));
  const more = ['--base-url', server.baseUrl, '--prices', prices, '--limit', 'dollars=6', '-c', '1'];
  const resumed = await command.run(['resume', path.join('r', run), ...more]);
  // Two episodes cost $4.62; a third one reaches the limit.
  expect(resumed.err.replace(/\s+/g, ' ')).toContain('($6.9300 spent)');
  const streams = ['eval', prompt, ...(kinds[1]?.args ?? []), ...all, '--out', 's'];
  await command.run([...streams, '--limit', 'requests=4']);
  const again = await command.run([...streams, '--limit', 'dollars=6']);
  expect(again.err.replace(/\s+/g, ' ')).toContain('($6.9300 spent)');
});

it('has one budget for all methods and streams of a command', async () => {
  const server = await serve();
  const args = [...judged, '--base-url', server.baseUrl, '--limit', 'requests=20', '--out', 'both'];
  const played = ['eval', prompt, '--stream', 'mini_pitch', '--windows', '0', '--method', 'blind,oracle'];
  const { code, err } = await command.run([...played, ...args]);
  expect(code).not.toBe(0);
  // 16 for the first, 4 for the second.
  expect(server.count).toBe(20);
  expect(err).toContain('The limit of 20 requests is reached.');
});
