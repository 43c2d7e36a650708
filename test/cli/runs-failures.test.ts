/** What a run says about episodes that came to nothing: why, in whose words, and what to do. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, type HopscopeCommand } from '../support/command.ts';
import { type Answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { promptText } from '../support/played-runs.ts';

let command: HopscopeCommand;
let server: ModelServer;
let prompt: string;
let answer: Answer;

beforeAll(async () => {
  command = await buildCommand();
  prompt = command.file('shipped.step.md', promptText);
  server = await startModelServer(() => answer);
});

afterAll(async () => {
  await server?.close();
  command?.remove();
});

/** Plays three episodes against an endpoint that gives `given`, then reads the run: what both print. */
async function played(name: string, given: Answer, ...more: string[]): Promise<readonly string[]> {
  answer = given;
  const parent = path.join(command.folder, name);
  const instances = ['-s', 'id_test', '-n', '3', '-o', 'doc_tokens=8000', '--workers', '1'];
  const model = ['-m', 'test-model', '--base-url', server.baseUrl];
  const run = await command.run(['eval', prompt, ...model, ...instances, '--out', parent, ...more]);
  expect(run.code, run.err).toBe(1);
  const [folder = ''] = readdirSync(parent);
  const summary = await command.run(['summary', path.join(parent, folder)]);
  expect(summary.code, summary.err).toBe(0);
  return [run.out, summary.out].map((text) => text.replace(/\s+/g, ' '));
}

describe('failures of an endpoint', () => {
  it.each<[string, Answer, RegExp]>([
    [
      'refused',
      { status: 400, body: { error: { message: 'top_k is not supported' } } },
      /failed by: provider-error 3 3 episodes \(bad-request\): top_k is not supported\. Change what it objects to/,
    ],
    [
      'no JSON',
      { body: 'hello' },
      /failed by: provider-error 3 3 episodes \(invalid-response\): .+ Check that .+ chat endpoint/,
    ],
  ])('are told with the count, the words of the provider and advice: %s', async (name, given, expected) => {
    for (const text of await played(name, given)) expect(text).toMatch(expected);
  });

  it('are told line by line, and control characters do not reach the terminal', async () => {
    const message = 'no\u001b[31m such\n\nparameter';
    for (const text of await played('control', { status: 400, body: { error: { message } } })) {
      expect(text).toContain('3 episodes (bad-request): no');
      expect(text).not.toContain('\u001b');
    }
  });
});

it('unfinished episodes are no failures', async () => {
  const said = { text: 'ACTION: ANSWER nobody' };
  for (const text of await played('limit', { said }, '-c', '1', '--limit', 'requests=1')) {
    expect(text).toContain('unfinished: 2');
    expect(text).toMatch(/failed by: [a-z-]+ 1 /);
    expect(text).not.toMatch(/unfinished \d/);
  }
});
