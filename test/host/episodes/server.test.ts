/** The requests of the episode panel, over the connection to a real server process. */
import { createCipheriv, randomBytes } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Checked, SaidProgress, SessionSource } from '../../../server/src/protocol.ts';
import { startModelServer } from '../../support/model-server.ts';
import { newFolder, newRun, playRun, policy } from '../../support/played-runs.ts';
import { ServerProcess } from '../../support/server-process.ts';

const secret = randomBytes(32);
const uri = 'hopscope:/navigator/train/0/hs1-train-0.hopscope-instance';
const large = { doc_tokens: [128_000], step_budget_base: 60, step_budget_per_hop: 0 };
const text =
  '---\nformat: 1\nenvironment: navigator\nmodel: m\n---\nuser:\n{{question}}\n{{map_text}}\n{{held_text}}\n';
const prompt = { uri: 'file:///prompts/mine.step.md', name: 'mine', text };
const choice = { session: 's', spoilers: true };

let server: ServerProcess;

beforeAll(async () => {
  process.env['HOPSCOPE_SEAL'] = secret.toString('base64');
  server = await ServerProcess.start();
  delete process.env['HOPSCOPE_SEAL'];
});
afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

async function value<T>(asked: Promise<Checked<T>>): Promise<T> {
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

const open = (source: SessionSource) => value(server.ask('hopscope/episode/open', { ...choice, source }));

const step = (id = 'oracle') =>
  value(server.ask('hopscope/episode/step', { ...choice, driver: { kind: 'policy', id }, token: 't' }));

async function playToEnd() {
  let view = await step();
  while (view.need !== 'nothing') view = await step();
  return view;
}

describe('a session', () => {
  test('opens on an instance, is played and printed, and opens from the transcript as it was', async () => {
    const opened = await open({ kind: 'instance', uri, prompt });
    expect(opened).toMatchObject({
      environment: { id: 'navigator' },
      instance: { id: 'hs1-train-0', uri },
      view: { depth: 0, prompt: { name: 'mine', model: 'm' } },
    });
    const view = await playToEnd();
    const target = 'file:///prompts/deep/er/x.episode';
    const printed = await value(
      server.ask('hopscope/episode/print', { ...choice, what: 'transcript', target }),
    );
    expect(printed).toContain('\nprompt: "../../mine.step.md"\n');
    const again = await open({ kind: 'transcript', uri: target, text: printed, prompt });
    expect(again.view.branch).toEqual(view.branch);
    expect(again.view.panel).toEqual(view.panel);
    expect(again.view.outcome).toEqual(view.outcome);
  });

  test('opens on an episode of a run, by path and by address', async () => {
    const folder = await newRun({ agent: policy('oracle'), parent: await newFolder(), indices: [0] });
    await playRun(folder);
    for (const place of [folder.path, pathToFileURL(folder.path).href]) {
      const { view, instance } = await open({ kind: 'run', folder: place, task: 0 });
      expect(view.outcome).toMatchObject({ done: true, correct: true });
      expect(instance.id).toContain('id_test');
      const kept = await value(
        server.ask('hopscope/episode/print', { ...choice, what: 'session', target: null }),
      );
      expect((await open({ kind: 'kept', text: kept })).view).toEqual(view);
    }
    expect(
      await server.ask('hopscope/episode/open', {
        ...choice,
        source: { kind: 'run', folder: folder.path, task: 7 },
      }),
    ).toMatchObject({ ok: false, error: expect.stringContaining('has no episode 7') });
  });

  test.each<[string, SessionSource, RegExp]>([
    ['an address of nothing', { kind: 'instance', uri: 'hopscope:/x', prompt: null }, /no instance at/],
    [
      'a text that is no transcript',
      { kind: 'transcript', uri: 'untitled:x', text: 'hello', prompt: null },
      /cannot be opened/,
    ],
    ['rubbish that was kept', { kind: 'kept', text: '{}' }, /open it anew/],
    ['a folder without a run', { kind: 'run', folder: path.sep, task: 0 }, /holds no run/],
    [
      'options that there are not',
      {
        kind: 'instance',
        uri,
        prompt: { ...prompt, text: text.replace('model: m', 'options: { ceiling: 1 }') },
      },
      /options do not fit/,
    ],
  ])('is not opened on %s', async (_, source, message) => {
    const opened = await server.ask('hopscope/episode/open', { ...choice, session: 'other', source });
    expect(opened.ok ? '' : opened.error).toMatch(message);
  });

  test('on the largest documents and in long episodes its messages stay below 256 kB', async () => {
    const sizes: number[] = [];
    const selector = { environment: 'navigator', split: 'train', index: 0, options: large };
    const located = await value(server.ask('hopscope/locateInstance', selector));
    const { layout } = await open({ kind: 'instance', uri: located.uri, prompt });
    sizes.push(JSON.stringify(layout).length);
    expect(layout?.chunks.length).toBeGreaterThan(300);
    let view = await step('random-reader');
    for (let at = 1; at < 40 && view.need !== 'nothing'; at++) view = await step('random-reader');
    expect(view.panel?.budget).toMatchObject({ limit: 60 });
    const { node } = view;
    const shown = await value(server.ask('hopscope/episode/prompt', { session: 's', node, which: 'sent' }));
    const help = await value(
      server.ask('hopscope/episode/help', { ...choice, text: 'ACTION: READ ', offset: 13 }),
    );
    sizes.push(...[view, shown, help].map((it) => JSON.stringify(it).length));
    expect(Math.max(...sizes)).toBeLessThan(256_000);
    expect(help.proposals.length).toBeGreaterThan(20);
    // The rest of a long message comes in portions that fit together.
    let whole = shown.messages[0]?.text.text ?? '';
    for (let from: number | null = shown.messages[0]?.text.next ?? null; from !== null; ) {
      const what = { kind: 'message', which: 'sent', index: 0 } as const;
      const more = await value(server.ask('hopscope/episode/text', { session: 's', node, what, from }));
      whole += more.text;
      from = more.next;
    }
    expect(whole).toMatch(/^What is .*\?\n.*\[0\] /s);
    const tokens = await value(
      server.ask('hopscope/episode/promptTokens', { session: 's', node, which: 'sent' }),
    );
    expect(tokens.counts?.[0] ?? 0).toBeGreaterThan(5000);
  });

  test('says where the chunks stand in the document', async () => {
    await open({ kind: 'instance', uri, prompt });
    const places = await value(server.ask('hopscope/episode/places', { session: 's' }));
    const document = await value(server.ask('hopscope/readInstance', { uri }));
    const lines = document.split('\n');
    const { layout } = await value(server.ask('hopscope/episode/look', choice));
    for (const { number, start, end } of places) {
      expect(end).toBeGreaterThan(start);
      const name = layout?.chunks[number]?.name ?? '?';
      expect(lines.slice(start, end).join('\n')).toContain(name.split(' · ')[1] ?? name);
    }
    expect(places).toHaveLength(layout?.chunks.length ?? 0);
  });

  test('follows an edited transcript, and not one of another instance', async () => {
    await open({ kind: 'instance', uri, prompt });
    await step();
    const printed = await value(
      server.ask('hopscope/episode/print', { ...choice, what: 'transcript', target: null }),
    );
    const edited = `${printed}\n=== step 2\nACTION: DROP 999\n\n=== step 3\n`;
    const view = await value(server.ask('hopscope/episode/follow', { ...choice, text: edited, step: null }));
    expect(view).toMatchObject({ depth: 2, step: { label: expect.stringContaining('DROP 999') } });
    const other = edited.replace('hs1-train-0', 'hs1-train-1');
    expect(await server.ask('hopscope/episode/follow', { ...choice, text: other, step: null })).toMatchObject(
      { ok: false, error: 'This transcript is of hs1-train-1, not of hs1-train-0.' },
    );
  });

  test('whatever is asked about a node that is not there is refused', async () => {
    await open({ kind: 'instance', uri, prompt });
    const gone = { ok: false, error: 'There is no such step in this episode any more.' };
    const session = 's';
    expect(await server.ask('hopscope/episode/go', { ...choice, node: 99 })).toEqual(gone);
    expect(await server.ask('hopscope/episode/prompt', { session, node: 99, which: 'sent' })).toEqual(gone);
    expect(
      await server.ask('hopscope/episode/text', { session, node: 99, what: { kind: 'reply' }, from: 0 }),
    ).toEqual(gone);
    expect(await server.ask('hopscope/episode/compare', { ...choice, left: 0, right: 99 })).toEqual(gone);
  });
});

describe('a model', () => {
  test('is told the key that was sealed, and what it says comes piece by piece', async () => {
    const endpoint = await startModelServer(
      () => ({ said: { text: 'ACTION: READ 1', reasoning: 'Hm.' }, delivery: 'chunked' }),
      { key: 'sk-secret' },
    );
    onTestFinished(() => endpoint.close());
    await open({ kind: 'instance', uri, prompt });
    let said = '';
    const listening = server.connection.onNotification(
      '$/progress',
      ({ value: piece }: { readonly value: SaidProgress }) => {
        if ('text' in piece) said += piece.text ?? '';
      },
    );
    onTestFinished(() => listening.dispose());
    const ask = (key: string | null) =>
      server.ask('hopscope/episode/step', {
        ...choice,
        driver: { kind: 'model', model: '', baseUrl: endpoint.baseUrl, key },
        token: 'said',
      });
    expect(await ask(null)).toMatchObject({ ok: false, error: expect.stringMatching(/key/i) });
    const view = await value(ask(seal('sk-secret')));
    expect(view.step).toMatchObject({ by: 'm', label: 'READ 1', reasoning: { text: 'Hm.' } });
    expect(said).toBe('ACTION: READ 1');
    const wrong = await ask(seal('sk-wrong'));
    expect(JSON.stringify(wrong)).not.toContain('sk-wrong');
  });
});

function seal(key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const body = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}
