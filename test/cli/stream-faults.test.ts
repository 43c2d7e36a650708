/** Streams from the command line when something is amiss: files that would be shared, odd replies, limits, methods that hang. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { buildCommand, collect, type HopscopeCommand, parseLines } from '../support/command.ts';
import { type Answer, type Respond, startModelServer } from '../support/model-server.ts';
import { servingAnswers } from '../support/serving-endpoint.ts';

let command: HopscopeCommand;
let shipped: string;
let prompt: string;
let longer: string;

beforeAll(async () => {
  command = await buildCommand();
  shipped = readFileSync(path.resolve(import.meta.dirname, '../../prompts/serving/serving.step.md'), 'utf8');
  prompt = command.file('mine.step.md', shipped);
  longer = command.file('longer.step.md', shipped.replace('# Protocol', '# Protocol\n\nBe brief.'));
});

afterAll(() => command?.remove());

async function serve(respond: Respond) {
  const server = await startModelServer(respond, { record: false });
  onTestFinished(server.close);
  return server;
}

/** Replies as from an endpoint that tells what they took. */
function counted(ids: readonly string[], policy: string): Respond {
  const respond = servingAnswers(ids, policy);
  return async (seen) => {
    const { said, ...answer } = await respond(seen);
    return said === undefined ? answer : { ...answer, said: { ...said, usage: { input: 100, output: 10 } } };
  };
}

interface Summary {
  readonly agent: string;
  readonly method: string;
  readonly tasks: number;
  readonly tokens: Readonly<Record<string, { readonly input: number; readonly calls: number }>>;
}

function summaries(out: string): Summary[] {
  return parseLines(out).flatMap((line) =>
    Object.hasOwn(line, 'summary') ? [line['summary'] as Summary] : [],
  );
}

const flat = (text: string) => text.replace(/\s+/g, ' ');

it('plays step prompts side by side, each in a file of its own, and goes on with them together and alone', async () => {
  const server = await serve(servingAnswers(['mini_pitch'], 'oracle'));
  const args = ['--stream', 'mini_pitch', '--model', 'm', '--base-url', server.baseUrl, '--out', 'two'];
  const both = await command.run(['eval', prompt, longer, ...args]);
  expect(both).toMatchObject({ code: 0, err: '' });
  expect(both.out).toMatch(/m · mine · blind +mini_pitch/);
  expect(both.out).toMatch(/m · longer · blind +mini_pitch/);
  expect(flat(both.out)).toContain('against m · mine · blind');
  const names = readdirSync(path.join(command.folder, 'two/m')).sort();
  expect(names).toEqual([
    expect.stringMatching(/^mini_pitch_blind--longer--[0-9a-f]{8}\.jsonl$/),
    expect.stringMatching(/^mini_pitch_blind--mine--[0-9a-f]{8}\.jsonl$/),
  ]);
  const sent = server.count;
  for (const prompts of [[longer, prompt], [prompt], [longer]]) {
    expect(await command.run(['eval', ...prompts, ...args])).toMatchObject({ code: 0, err: '' });
  }
  expect(server.count).toBe(sent);
});

it('plays a method of a file beside a shipped one of its name', async () => {
  const source =
    'export default { start: () => 0, context: (seen) => "seen " + seen, update: (seen, block) => seen + block.length };';
  command.file('rag.mjs', source);
  const args = ['--stream', 'mini_pitch', '--policy', 'oracle', '--out', 'names'];
  const { code, err, out } = await command.run(['eval', 'serving', '--method', 'rag,./rag.mjs', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('oracle · ./rag.mjs');
  expect(readdirSync(path.join(command.folder, 'names/oracle'))).toHaveLength(2);
});

it.each<[string, () => string[], string]>([
  ['a prompt', () => [prompt, prompt, '--model', 'm'], 'mine.step.md is named twice: leave one out.'],
  [
    'a prompt under two names',
    () => [prompt, command.file('same.step.md', shipped), '--model', 'm'],
    'are the same',
  ],
])('refuses %s twice before anything is asked', async (_, args, sentence) => {
  const server = await serve(() => ({ status: 500 }));
  const where = ['--stream', 'mini_pitch', '--base-url', server.baseUrl, '--out', 'twice'];
  const { code, err } = await command.run(['eval', ...args(), ...where]);
  expect(code).toBe(2);
  expect(flat(err)).toContain(sentence);
  expect(server.count).toBe(0);
});

it('says what differs before anything is asked: the judge and not the option that follows from it', async () => {
  const server = await serve(servingAnswers(['mini_pitch'], 'oracle'));
  const where = ['--stream', 'mini_pitch', '--model', 'm', '--base-url', server.baseUrl, '--out', 'judge'];
  expect((await command.run(['eval', prompt, ...where])).code).toBe(0);
  const sent = server.count;
  const { code, err } = await command.run([
    'eval',
    prompt,
    ...where,
    '--judge-model',
    'strict',
    '--method',
    'rag,blind',
  ]);
  expect(code).toBe(2);
  expect(flat(err)).toContain('was made with another judge; name another folder with --out.');
  expect(server.count).toBe(sent);
});

it.each<[string, Answer]>([
  ['a page in the place of a reply', { body: '<html>Down for a moment</html>' }],
  ['a reply without a message', { body: '{"choices":[]}' }],
])('survives %s', async (_, odd) => {
  const play = servingAnswers(['mini_pitch'], 'oracle');
  let asked = 0;
  const server = await serve((seen) => (++asked === 5 ? odd : play(seen)));
  const where = ['--stream', 'mini_pitch', '--model', 'm', '--base-url', server.baseUrl, '--method', 'rag'];
  const { code, err } = await command.run([
    'eval',
    prompt,
    ...where,
    '--out',
    `odd-${JSON.stringify(odd).length}`,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(server.count).toBe(41);
});

it('keeps what a limit cut off in the totals and in the limit, and never spends it twice', async () => {
  const server = await serve(counted(['mini_retail'], 'documents'));
  const where = ['--stream', 'mini_retail', '--model', 'm', '--base-url', server.baseUrl, '--out', 'limits'];
  const play = (...more: string[]) =>
    command.run(['eval', prompt, '--method', 'rag', ...where, '--json', ...more]);
  const tooFew = await play('--limit', 'requests=10');
  expect(tooFew.code).toBe(1);
  expect(flat(tooFew.err)).toContain(
    'The limit leaves 10 requests, and the block that comes next has 12 episodes',
  );
  expect(server.count).toBe(0);
  const first = await play('--limit', 'requests=15');
  expect(first.code).toBe(1);
  expect(flat(first.err)).toContain(
    'The limit of 15 requests is reached. Raise --limit: the same command goes on.',
  );
  expect(server.count).toBe(15);
  const again = await play('--limit', 'requests=15');
  expect(again.code).toBe(1);
  expect(server.count).toBe(15);
  const whole = await play();
  expect(whole.code).toBe(0);
  const [summary] = summaries(whole.out);
  const tokens = Object.values(summary?.tokens ?? {});
  expect(tokens.reduce((total, it) => total + it.calls, 0)).toBe(server.count);
  expect(tokens.reduce((total, it) => total + it.input, 0)).toBe(100 * server.count);
  expect(summary?.tokens['lost']).toMatchObject({ calls: 15, input: 1500 });
  const table = await command.run(['eval', prompt, '--method', 'rag', ...where]);
  expect(flat(table.out)).toContain('Lost is what was paid for and is in no row');
});

it('ends at the first Ctrl-C when a method hangs, and says where it hung', async () => {
  const hanging = path.join(command.folder, 'hanging');
  const source = `import { writeFileSync } from 'node:fs';
    export default { start: () => 0, context() { writeFileSync(${JSON.stringify(hanging)}, ''); for (;;); }, update: (m) => m };`;
  const method = command.file('loop.mjs', source);
  const child = command.start([
    'eval',
    'serving',
    '--method',
    method,
    '--stream',
    'mini_pitch',
    '--policy',
    'oracle',
  ]);
  const err = collect(child.stderr);
  child.stdout?.resume();
  const closed = once(child, 'close');
  await vi.waitFor(() => expect(existsSync(hanging)).toBe(true), 20_000);
  child.kill('SIGINT');
  expect(await closed).toEqual([130, null]);
  expect(flat(err())).toContain('loop.mjs had not answered to context, and was stopped.');
});

it('tells what of a file was changed and is played again', async () => {
  const server = await serve(servingAnswers(['mini_pitch'], 'oracle'));
  const where = ['--stream', 'mini_pitch', '--model', 'm', '--base-url', server.baseUrl, '--out', 'changed'];
  const play = () => command.run(['eval', prompt, '--method', 'rag', ...where]);
  const first = await play();
  const file = path.join(command.folder, 'changed/m/mini_pitch_rag.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n');
  command.file(
    'changed/m/mini_pitch_rag.jsonl',
    lines.map((line, at) => (at === 1 ? line.replace('"window":0', '"window":1') : line)).join('\n'),
  );
  const second = await play();
  expect(second.code).toBe(0);
  expect(flat(second.err)).toContain('1 line cannot be read or changed since this program wrote them');
  expect(flat(second.err)).toContain(
    '11 episodes of a block that is not whole or not in place will be played again',
  );
  expect(second.out.split('Lost')[0]).toContain(first.out.split('\n')[2] ?? '');
  expect(await play()).toMatchObject({ code: 0, err: '' });
});

it('reads files and folders of streams where runs are read, and says how they are gone on with', async () => {
  const play = ['eval', 'serving', '--stream', 'mini_pitch', '--policy', 'oracle', '--out', 'read'];
  expect((await command.run([...play, '--method', 'blind,rag'])).code).toBe(0);
  const [blind, rag] = ['blind', 'rag'].map((method) => `read/oracle/mini_pitch_${method}.jsonl`);
  for (const args of [
    ['summary', blind ?? ''],
    ['compare', blind ?? '', rag ?? ''],
  ]) {
    const { code, err, out } = await command.run(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('oracle');
  }
  for (const several of ['read', 'read/oracle']) {
    const { code, err } = await command.run(['summary', several]);
    expect(code).toBe(2);
    expect(flat(err)).toMatch(/holds several streams; name them: .*blind-\w+\.stream, .*rag-\w+.stream\./);
  }
  for (const given of ['read', 'read/oracle', blind ?? '']) {
    const { code, err } = await command.run(['resume', given]);
    expect(code).toBe(2);
    expect(flat(err)).toContain(
      `${given} is of streams, not a run: the "hopscope eval" command that began them goes on`,
    );
  }
  const exported = await command.run(['export', blind ?? '']);
  expect(exported.code).toBe(2);
  expect(flat(exported.err)).toContain('are streams, whose files are in a published format already');
});
