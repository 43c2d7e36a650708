/** What the command says beside figures: notes of a run, and that a test split has been used often. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

let command: HopscopeCommand;
let server: ModelServer;

beforeAll(async () => {
  command = await buildCommand();
  server = await startModelServer(() => ({ said: { text: 'ACTION: ANSWER nothing' } }));
});
afterAll(async () => {
  await server?.close();
  command?.remove();
});

const prompt = (number: number) =>
  `---\nformat: 1\nenvironment: navigator\n---\nuser:\n${number} {{question}} {{map_text}} {{held_text}}\n`;

function play(file: string, out: string, ...more: string[]) {
  const agent = more.length > 0 ? more : ['--model', 'm', '--base-url', server.baseUrl];
  return command.run([
    'eval',
    file,
    ...agent,
    '--split',
    'id_test',
    '-n',
    '1',
    '--out',
    path.join(command.folder, out),
  ]);
}

test('a test split that many step prompts were tried on', async () => {
  const said: boolean[] = [];
  for (let number = 1; number <= 5; number++) {
    const { code, err } = await play(command.file(`p${number}.step.md`, prompt(number)), 'out');
    expect(code, err).toBe(0);
    said.push(/id_test is a test split, and 5 step prompts have been tried on it \(5 runs\)/.test(err));
  }
  expect(said).toEqual([false, false, false, false, true]);
  // Policies read no step prompt, and other splits are there to be used.
  const policy = await play('p1.step.md', 'out', '--policy', 'oracle', '--rollouts', '2');
  expect(policy.err).not.toContain('test split');
  expect((await play('p1.step.md', 'other')).err).not.toContain('test split');
});

test('notes in a summary and on the page, and notes that are none', async () => {
  await play(command.file('p.step.md', prompt(0)), 'noted');
  const [name = ''] = readdirSync(path.join(command.folder, 'noted'));
  const folder = path.join(command.folder, 'noted', name);
  const write = (text: string) => writeFileSync(path.join(folder, 'notes.json'), text);
  const note = { text: 'too <eager>\u001b[31m', tags: ['baseline'] };
  write(JSON.stringify({ format: 1, ...note, episodes: { 0: { text: 'look here', tags: [] } } }));
  const summary = await command.run(['summary', folder]);
  expect(summary.out).toContain('note: too <eager>');
  expect(summary.out).toContain('[baseline]');
  expect(summary.out).not.toContain('\u001b[31m');
  const json: { run: object } = JSON.parse((await command.run(['summary', folder, '--json'])).out);
  expect(json.run).toMatchObject({ note: note.text, tags: ['baseline'] });
  await command.run(['export', folder, '--html']);
  const page = readFileSync(path.join(folder, 'report.html'), 'utf8');
  for (const text of ['too &lt;eager&gt;', 'tags: baseline', 'look here']) expect(page).toContain(text);
  const before = JSON.parse((await command.run(['summary', folder, '--json'])).out);
  write('{');
  const broken = await command.run(['summary', folder, '--json']);
  expect(broken.err).toContain('notes.json is not valid JSON; mend it or delete it.');
  expect(JSON.parse(broken.out).all).toEqual(before.all);
  expect((await command.run(['resume', folder])).code).toBe(0);
});
