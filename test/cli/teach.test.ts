import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, expectNoCrash, type HopscopeCommand, parseLines } from '../support/command.ts';
import { oracleReplies, writeRunFolder } from '../support/run-folders.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

const shipped = join(import.meta.dirname, '../../prompts/navigator/navigator.step.md');

describe('teach', () => {
  it('writes a chat for every step that is kept, the same with any number of workers', async () => {
    const args = ['teach', shipped, '--split', 'train', '-n', '6'];
    const finished = await hopscope.run([...args, '--workers', '1']);
    expect(finished).toMatchObject({ code: 0 });
    expect(finished.err).toMatch(
      /^12 episodes: \d+ kept \(\d+\.\d %\), \d too long, 0 incorrect, 0 leaking\. \d+ chats written\.\n$/,
    );
    const chats = parseLines(finished.out);
    expect(finished.err).toContain(`${chats.length} chats written`);
    for (const chat of chats) {
      expect(Object.keys(chat)).toEqual(['messages']);
      expect(chat['messages']).toMatchObject([
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant', content: expect.stringContaining('ACTION: ') },
      ]);
    }
    expect((await hopscope.run([...args, '--workers', '2'])).out).toBe(finished.out);
  });

  it('takes split and options from the prompt, and says where a chat comes from', async () => {
    const prompt = hopscope.file(
      'mine.step.md',
      '---\nformat: 1\nenvironment: navigator\nsplit: train\noptions: { n_hops: 2 }\n---\nuser:\n{{question}} {{map_text}} {{used}} {{free}} {{ceiling}} {{held_text}}\n',
    );
    const { out } = await hopscope.run(['teach', prompt, '--indices', '3', '--source']);
    expect(parseLines(out)[0]).toMatchObject({
      instance_id: expect.stringContaining('hs1-train-3'),
      policy: 'oracle',
      step: 1,
    });
    expect(parseLines(out).filter((chat) => chat['policy'] === 'oracle')).toHaveLength(4);
  });

  it('says what leaks, and fails when nothing is left', async () => {
    const blind = hopscope.file(
      'blind.step.md',
      '---\nformat: 1\nenvironment: navigator\nsplit: train\n---\nuser:\n{{question}}{{#held}}{{/held}}{{#map}}{{/map}}\n',
    );
    const finished = await hopscope.run(['teach', blind, '-n', '2', '--out', 'none.jsonl']);
    expect(finished.code).toBe(1);
    expect(finished.err).toMatch(/4 episodes: 0 kept \(0\.0 %\), .* [34] leaking\. 0 chats written\./);
    expect(finished.err).toMatch(/\n {2}hs1-train-0, oracle, step 1: value "\d+"\n/);
    expect(finished.err).toMatch(/… and \d+ more leaks/);
  });

  it.each<[string, string, readonly string[], RegExp]>([
    [
      'a prompt that tells the evidence',
      'user:\n{{answer}} {{question}} {{map_text}} {{held_text}}\n',
      [],
      /"answer" tells what the agent must not know.* Nothing can be taught with it\./,
    ],
    ['a prompt that is wrong', 'user:\n{{questoin}}\n', [], /line 7: There is no variable "questoin" here\./],
    [
      'an unknown split',
      'user:\n{{question}}\n',
      ['--split', 'trian'],
      /navigator has no split trian\. Did you mean train\?/,
    ],
  ])('refuses %s', async (_, body, args, message) => {
    const path = hopscope.file(
      'bad.step.md',
      `---\nformat: 1\nenvironment: navigator\nsplit: train\n---\n${body}`,
    );
    const finished = await hopscope.run(['teach', path, ...args]);
    expect(finished).toMatchObject({ code: 2, out: '' });
    expect(finished.err).toMatch(message);
    expectNoCrash(finished);
  });

  it('warns of a split that is for testing', async () => {
    const { err } = await hopscope.run(['teach', shipped, '--split', 'id_test', '-n', '1']);
    expect(err).toContain('id_test is for testing: what has learnt from it scores too well on it.');
  });
});

describe('export --html', () => {
  it('writes one page with every step', async () => {
    const folder = writeRunFolder(hopscope.folder, {
      id: '0000000e',
      split: 'id_test',
      indices: [0, 1],
      replies: (it) => (it.id.endsWith('0') ? oracleReplies(it) : ['<b>ANSWER</b>\nANSWER <script>']),
    });
    const finished = await hopscope.run(['export', folder, '--html', '--out', 'pages']);
    expect(finished).toMatchObject({ code: 0, out: '', err: 'Written into pages.\n' });
    const page = readFileSync(join(hopscope.folder, 'pages/report.html'), 'utf8');
    expect(page).toMatch(/step 1 · READ \d+</);
    expect(page).toContain('step 1 · ANSWER &lt;script&gt; · decisive');
    expect(page).not.toContain('<script>');
    expect(existsSync(join(hopscope.folder, 'pages/traces.jsonl'))).toBe(false);
  });
});
