/** Sessions: who gives the next event, what a failure leaves behind, and what survives being put away. */
import { createCipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import { parseKeptSession } from '../../../server/src/engine/evals/sessions/file.ts';
import {
  compareBranches,
  look,
  lookFirst,
  portionOf,
} from '../../../server/src/engine/evals/sessions/look.ts';
import {
  followEvents,
  go,
  keep,
  openSession,
  restore,
  type Session,
  usePrompt,
} from '../../../server/src/engine/evals/sessions/session.ts';
import {
  lookAtPrompt,
  printSession,
  readText,
  reportSession,
} from '../../../server/src/engine/evals/sessions/texts.ts';
import type { SessionDriver } from '../../../server/src/engine/evals/sessions/view.ts';
import { parseTranscript } from '../../../server/src/engine/transcripts/parse-transcript.ts';
import { saveRun } from '../../../server/src/host/episodes/save-run.ts';
import { unseal } from '../../../server/src/host/episodes/sealed-key.ts';
import { Sessions } from '../../../server/src/host/episodes/sessions.ts';
import { systemClock } from '../../../server/src/host/models/clock.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { type Respond, startModelServer } from '../../support/model-server.ts';

const prompt = {
  uri: null,
  name: 'terse',
  text: '---\nformat: 1\nenvironment: navigator\nmodel: test-model\n---\nsystem:\nAct.\nuser:\n{{question}}\n{{map_text}}\n',
};
const oracle: SessionDriver = { kind: 'policy', id: 'oracle' };
const silent = { said: () => {}, restart: () => {} };
const never = new AbortController().signal;

function opened(): Session {
  const options = navigator.parseOptions({});
  const made = options.ok ? navigator.generate('train', 0, options.value) : options;
  if (!made.ok || !options.ok) throw new Error('no instance');
  const uri = 'hopscope:/navigator/train/0/hs1-train-0.hopscope-instance';
  return openSession(
    {
      environment: navigator,
      instance: made.value.instance,
      rawOptions: {},
      options: options.value,
      origin: { kind: 'instance', uri },
      uri,
    },
    prompt,
  );
}

function sessionsWith(session: Session): Sessions {
  const sessions = new Sessions({ clock: systemClock, unseal: (sealed) => sealed });
  sessions.open('s', session);
  return sessions;
}

function the(sessions: Sessions): Session {
  const found = sessions.get('s');
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

async function playToEnd(sessions: Sessions, driver: SessionDriver): Promise<Session> {
  while (look(the(sessions), true).need !== 'nothing') {
    const stepped = await sessions.step('s', driver, silent, never);
    if (!stepped.ok) throw new Error(stepped.error);
  }
  return the(sessions);
}

async function modelAt(respond: Respond): Promise<SessionDriver> {
  const server = await startModelServer(respond);
  onTestFinished(() => server.close());
  return { kind: 'model', model: '', baseUrl: server.baseUrl, key: null };
}

describe('a policy', () => {
  test('the oracle plays to its reward', async () => {
    const session = await playToEnd(sessionsWith(opened()), oracle);
    const { outcome } = look(session, true);
    const min = lookFirst(session, true).minSteps;
    expect(outcome).toMatchObject({ done: true, correct: true, steps: min });
    expect(outcome.reward).toBeCloseTo(Math.max(0.5, 1 - 0.05), 9);
  });

  test('one that leaves things to chance goes on after going back as if it had played on', async () => {
    const sessions = sessionsWith(opened());
    const driver: SessionDriver = { kind: 'policy', id: 'random-reader' };
    const first = await playToEnd(sessions, driver);
    sessions.go('s', 3);
    const second = await playToEnd(sessions, driver);
    expect(second.tree.nodes).toHaveLength(first.tree.nodes.length);
  });

  test('one that is not there is said to be so', async () => {
    const stepped = await sessionsWith(opened()).step('s', { kind: 'policy', id: 'x' }, silent, never);
    expect(stepped).toEqual({ ok: false, error: 'Navigator has no policy x: choose another driver.' });
  });
});

describe('you', () => {
  test('act, also wrongly, and see what is wrong', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', { kind: 'you', text: 'ACTION: REED 3' }, silent, never);
    const { step, branch } = look(the(sessions), true);
    expect(step?.notes[0]?.severity).toBe('error');
    expect(branch.at(-1)?.worst).toBe('error');
  });

  test('call tools as in a transcript', async () => {
    const sessions = sessionsWith(opened());
    const text = 'I look it up.\n=== call find id=1\n{ "name": "x" }';
    await sessions.step('s', { kind: 'you', text }, silent, never);
    expect(look(the(sessions), true).step).toMatchObject({
      text: { text: 'I look it up.' },
      calls: [{ id: '1', name: 'find', arguments: '{ "name": "x" }' }],
    });
    const two = `${text}\n=== step 2\nACTION: READ 1`;
    expect(await sessions.step('s', { kind: 'you', text: two }, silent, never)).toMatchObject({ ok: false });
  });

  test('go back, fork, and compare the two branches', async () => {
    const sessions = sessionsWith(opened());
    const played = await playToEnd(sessions, oracle);
    const end = played.tree.at;
    sessions.go('s', 1);
    await sessions.step('s', { kind: 'you', text: 'ACTION: ANSWER nobody' }, silent, never);
    const session = the(sessions);
    const compared = compareBranches(session, end, session.tree.at, true);
    expect(compared.together).toBe(1);
    expect(compared.left.correct).toBe(true);
    expect(compared.right).toMatchObject({ done: true, correct: false, stop: 'answered' });
    expect(compared.pairs[0]?.right?.label).toBe('ANSWER nobody');
  });

  test('a fork opens a branch even for the same action', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', oracle, silent, never);
    sessions.go('s', 0);
    expect(sessions.fork('s').ok).toBe(true);
    await sessions.step('s', oracle, silent, never);
    expect(the(sessions).tree.nodes).toHaveLength(3);
  });
});

describe('a model', () => {
  test('streams its reply and is asked what the panel shows', async () => {
    let body: unknown;
    const driver = await modelAt((request) => {
      body = request.body?.['messages'];
      return { said: { text: 'ACTION: READ 1', reasoning: 'Perhaps.' }, delivery: 'chunked' };
    });
    const sessions = sessionsWith(opened());
    let said = '';
    const listener = { said: (delta: { text?: string }) => (said += delta.text ?? ''), restart: () => {} };
    const stepped = await sessions.step(
      's',
      driver,
      { ...listener, said: (d) => void listener.said(d) },
      never,
    );
    expect(stepped.ok).toBe(true);
    expect(said).toBe('ACTION: READ 1');
    const view = look(the(sessions), true);
    expect(view.step).toMatchObject({ by: 'test-model', label: 'READ 1', reasoning: { text: 'Perhaps.' } });
    const shown = lookAtPrompt(the(sessions), view.node, 'sent');
    expect(shown.ok && shown.value.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const whole = readText(the(sessions), view.node, { kind: 'message', which: 'sent', index: 1 }, 0);
    expect(body).toMatchObject([{ content: 'Act.' }, { content: whole.ok ? whole.value.text : '' }]);
  });

  test.each([
    ['an endpoint that is not there', 'http://127.0.0.1:9/v1', /127\.0\.0\.1:9/],
    ['an address that is none', 'nowhere', /no URL.*hopscope\.endpoint\.baseUrl/],
  ])('%s is told of, with what to do', async (_, baseUrl, message) => {
    const sessions = sessionsWith(opened());
    const stepped = await sessions.step(
      's',
      { kind: 'model', model: 'm', baseUrl, key: null },
      silent,
      never,
    );
    expect(stepped.ok ? '' : stepped.error).toMatch(message);
    expect(the(sessions).tree.nodes).toHaveLength(1);
  });

  test('one that says nothing can be cancelled, and the session is as before', async () => {
    const abort = new AbortController();
    const driver = await modelAt(() => {
      queueMicrotask(() => abort.abort());
      return { said: { text: 'late' }, delivery: 'stall-body' };
    });
    const sessions = sessionsWith(opened());
    const stepping = sessions.step('s', driver, silent, abort.signal);
    expect(await sessions.step('s', oracle, silent, never)).toMatchObject({ ok: false });
    expect(await stepping).toEqual({ ok: false, error: 'The step was cancelled.' });
    expect(the(sessions).tree.nodes).toHaveLength(1);
    expect((await sessions.step('s', oracle, silent, never)).ok).toBe(true);
  });

  test('without a step prompt there is nothing to ask', async () => {
    const bare = usePrompt(opened(), null);
    const sessions = sessionsWith(bare.ok ? bare.value : opened());
    const driver: SessionDriver = { kind: 'model', model: 'm', baseUrl: 'http://127.0.0.1:9/v1', key: null };
    expect(await sessions.step('s', driver, silent, never)).toMatchObject({
      ok: false,
      error: expect.stringContaining('Choose one'),
    });
  });
});

describe('the step prompt', () => {
  test('another version holds from where it was taken', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', oracle, silent, never);
    sessions.change('s', (it) =>
      usePrompt(it, { ...prompt, text: prompt.text.replace('Act.', 'Act well.') }),
    );
    await sessions.step('s', oracle, silent, never);
    const first = (node: number) => {
      const shown = lookAtPrompt(the(sessions), node, 'sent');
      return shown.ok ? shown.value.messages[0]?.text.text : shown.error;
    };
    expect([first(1), first(2)]).toEqual(['Act.', 'Act well.']);
  });

  test.each([
    ['of another environment', prompt.text.replace('navigator', 'elsewhere'), /is for elsewhere/],
    [
      'with other options',
      prompt.text.replace('model: test-model', 'options: { context_ceiling: 300 }'),
      /sets context_ceiling other than this episode is played/,
    ],
    ['with errors', prompt.text.replace('{{question}}', '{{#question}}'), /has errors, so it was not taken/],
    [
      'with a name that there is not',
      prompt.text.replace('{{question}}', '{{nope}}'),
      /errors, so it was not taken\. Line 9: .*"?nope"?/,
    ],
    [
      'with a split that there is not',
      prompt.text.replace('model: test-model', 'split: nowhere'),
      /Line 4: navigator has no split "nowhere"/,
    ],
    ['without messages', '---\nformat: 1\nenvironment: navigator\n---\n', /has errors/],
  ])('%s is refused', (_, text, message) => {
    const used = usePrompt(opened(), { ...prompt, text });
    expect(used.ok ? '' : used.error).toMatch(message);
  });
});

test('a step prompt that drops options which an earlier one has set is refused', () => {
  const ceiling = (value: number | null) =>
    value === null
      ? prompt
      : {
          ...prompt,
          text: prompt.text.replace('model: test-model', `options: { context_ceiling: ${value} }`),
        };
  const at = (value: number) => {
    const rawOptions = { context_ceiling: value };
    const options = navigator.parseOptions(rawOptions);
    if (!options.ok) throw new Error(options.error);
    return openSession({ ...opened(), rawOptions, options: options.value }, ceiling(value));
  };
  const dropped = usePrompt(at(900), ceiling(null));
  expect(dropped.ok ? '' : dropped.error).toMatch(/no longer sets context_ceiling/);
  const changed = usePrompt(at(900), ceiling(800));
  expect(changed.ok ? '' : changed.error).toMatch(/sets context_ceiling other than/);
  expect(usePrompt(at(900), ceiling(900)).ok).toBe(true);
  // Not from a prompt: that of the address or the run holds on.
  const options = { ...at(900), prompts: [null] };
  expect(usePrompt(options, prompt).ok).toBe(true);
});

describe('what is kept', () => {
  test('gives the same tree again', async () => {
    const sessions = sessionsWith(opened());
    await playToEnd(sessions, oracle);
    sessions.go('s', 2);
    await sessions.step('s', { kind: 'you', text: 'ACTION: DROP 1' }, silent, never);
    const session = the(sessions);
    const kept = parseKeptSession(keep(session));
    const again = kept.ok ? restore(session, kept.value) : kept;
    expect(again.ok && look(again.value, true)).toEqual(look(session, true));
  });

  test.each([
    '',
    '{',
    'null',
    '{"origin":{"kind":"instance","uri":"x"},"steps":[{"parent":9}],"at":0}',
    '[]',
  ])('rubbish is refused: %s', (text) => expect(parseKeptSession(text)).toMatchObject({ ok: false }));

  test('as a transcript it opens with the same states', async () => {
    const session = await playToEnd(sessionsWith(opened()), oracle);
    const text = printSession(session, { instances: null, prompt: null });
    const { transcript, problems } = parseTranscript(text);
    expect(problems).toEqual([]);
    const again = followEvents(opened(), transcript.events, null, 'oracle').session;
    expect(again.tree.nodes.map(({ state }) => state)).toEqual(session.tree.nodes.map(({ state }) => state));
    expect(transcript).toMatchObject({ policy: 'oracle', outcome: { correct: true } });
  });

  test('as a report it says what was done, with nothing of it taken for markup', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', { kind: 'you', text: 'ACTION: ANSWER a | b <b>`` ``` x' }, silent, never);
    const report = reportSession(the(sessions), true);
    expect(report).toContain('| 1 | you | ANSWER a \\| b \\<b\\>');
    expect(report).toContain('````text\nACTION: ANSWER');
  });

  test.each([
    ['a policy', oracle],
    ['a person', { kind: 'you', text: 'ACTION: ANSWER x' } satisfies SessionDriver],
  ])('as a run of %s it is read like any other', async (_, driver) => {
    const session = await playToEnd(sessionsWith(opened()), driver);
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'episode-'));
    onTestFinished(() => fs.rmSync(parent, { recursive: true }));
    const deps = { clock: systemClock, version: '0', file: null };
    const saved = await saveRun(session, pathToFileURL(parent).href, deps);
    const run = saved.ok ? await readRun(saved.value.folder) : undefined;
    const events = session.tree.nodes.flatMap(({ event }) => (event === null ? [] : [event]));
    expect(run?.episodes).toMatchObject([{ events, outcome: { done: true } }]);
  });

  test('a branch is written once, however often it is asked for, and another branch beside it', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', oracle, silent, never);
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'episode-'));
    onTestFinished(() => fs.rmSync(parent, { recursive: true }));
    const save = async () => {
      const saved = await saveRun(the(sessions), pathToFileURL(parent).href, { ...deps, version: '0' });
      return saved.ok ? saved.value : saved.error;
    };
    const deps = { clock: systemClock, file: null };
    const [first, second] = await Promise.all([save(), save()]);
    expect(first).toMatchObject({ isNew: true });
    expect(second).toMatchObject({ ...Object(first), isNew: false });
    const kept = parseKeptSession(keep(the(sessions)));
    const again = kept.ok ? restore(opened(), kept.value) : kept;
    if (!again.ok) throw new Error(again.error);
    sessions.open('s', again.value);
    expect(await save()).toMatchObject({ ...Object(first), isNew: false });
    await sessions.step('s', oracle, silent, never);
    expect(await save()).toMatchObject({ isNew: true });
    sessions.go('s', 0);
    sessions.fork('s');
    await sessions.step('s', { kind: 'you', text: 'ACTION: READ 0' }, silent, never);
    expect(await save()).toMatchObject({ isNew: true });
    expect(fs.readdirSync(parent)).toHaveLength(3);
  });

  test.skipIf(!fs.existsSync('/proc/self'))(
    'where no folder can be made that is said, and no end waited for',
    async () => {
      const deps = { clock: systemClock, version: '0', file: null };
      const saved = await saveRun(opened(), 'file:///proc/nope/deep', deps);
      expect(saved.ok ? '' : saved.error).toMatch(
        /^Cannot make a run folder in \/proc\/nope\/deep: no folder can be made in \/proc/,
      );
    },
  );

  test('an episode that is not over is one that was stopped', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', oracle, silent, never);
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'episode-'));
    onTestFinished(() => fs.rmSync(parent, { recursive: true }));
    const deps = { clock: systemClock, version: '0', file: null };
    const saved = await saveRun(the(sessions), pathToFileURL(parent).href, deps);
    const run = saved.ok ? await readRun(saved.value.folder) : undefined;
    expect(run?.episodes).toMatchObject([{ steps: 1, outcome: null }]);
  });
});

describe('spoilers', () => {
  test('nothing that a player must not know is in what they get', async () => {
    const sessions = sessionsWith(opened());
    await sessions.step('s', { kind: 'you', text: 'ACTION: READ 0' }, silent, never);
    const { layout, view } = lookFirst(the(sessions), false);
    expect(layout).toMatchObject({ evidence: [], distractors: [] });
    expect(view.panel?.map?.wanted).toBeNull();
    expect(lookFirst(the(sessions), true).layout?.evidence.length).toBeGreaterThan(0);
  });
});

test('a session that is not open is said to be so', () => {
  const sessions = sessionsWith(opened());
  sessions.close('s');
  expect(sessions.go('s', 0)).toEqual({
    ok: false,
    error: 'This episode is not open any more; open it anew.',
  });
  expect(go(opened(), 99)).toMatchObject({ ok: false });
});

test('a key opens with the secret it was sealed with, and with no other', () => {
  const secret = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const body = Buffer.concat([cipher.update('sk-1', 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  expect(sealed).not.toContain('sk-1');
  expect(unseal(sealed, secret.toString('base64'))).toBe('sk-1');
  expect(unseal(sealed, randomBytes(32).toString('base64'))).toBeNull();
  expect(unseal(sealed, undefined)).toBeNull();
  expect(unseal('', secret.toString('base64'))).toBeNull();
});

test('a portion never ends within a character', () => {
  expect(portionOf('ab\u{1F600}c', 0, 3)).toEqual({ text: 'ab', next: 2 });
  expect(portionOf('ab', 0, 3)).toEqual({ text: 'ab', next: null });
});
