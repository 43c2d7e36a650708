/** Sessions of environments that are unlike the navigator: judges, dialogues, tools, and nothing to show of their own. */
import { describe, expect, test } from 'vitest';
import type { AnyInstance, Environment } from '../../../server/src/engine/environments/environment.ts';
import { look, lookFirst } from '../../../server/src/engine/evals/sessions/look.ts';
import {
  followEvents,
  openSession,
  type Session,
} from '../../../server/src/engine/evals/sessions/session.ts';
import { lookAtPrompt, reportSession } from '../../../server/src/engine/evals/sessions/texts.ts';
import { Sessions } from '../../../server/src/host/episodes/sessions.ts';
import { systemClock } from '../../../server/src/host/models/clock.ts';
import { judged } from '../../support/judged-environment.ts';
import { tiny } from '../../support/tiny-environment.ts';

const silent = { said: () => {}, restart: () => {} };
const never = new AbortController().signal;

function sessionsOn<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  split: string,
  prompt: string,
): Sessions {
  const options = environment.parseOptions({});
  const made = options.ok ? environment.generate(split, 0, options.value) : options;
  if (!made.ok || !options.ok) throw new Error('no instance');
  const origin = { kind: 'instance', uri: 'hopscope:/x' } as const;
  const { instance } = made.value;
  const text = `---\nformat: 1\nenvironment: ${environment.id}\n---\n${prompt}`;
  const subject = { environment, instance, rawOptions: {}, options: options.value, origin, uri: null };
  const sessions = new Sessions({ clock: systemClock, unseal: () => null });
  sessions.open('s', openSession(subject, { uri: null, name: 'p', text }));
  return sessions;
}

function the(sessions: Sessions): Session {
  const found = sessions.get('s');
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const you = (sessions: Sessions, text: string) => sessions.step('s', { kind: 'you', text }, silent, never);

describe('an environment with a judge', () => {
  test('asks for verdicts, which a person gives as JSON', async () => {
    const sessions = sessionsOn(judged, 'train', 'user:\nSay.\n');
    await you(sessions, 'mine');
    expect(look(the(sessions), true).need).toBe('verdict');
    expect(await you(sessions, 'well')).toMatchObject({
      ok: false,
      error: expect.stringContaining('no JSON'),
    });
    await you(sessions, '2');
    const view = look(the(sessions), true);
    expect(view).toMatchObject({
      need: 'reply',
      depth: 1,
      step: { kind: 'verdict', label: 'verdict of a person' },
    });
    expect(view.panel).toBeNull();
    await you(sessions, 'again');
    await you(sessions, '3');
    expect(look(the(sessions), true).outcome).toMatchObject({ done: true, reward: 5, stop: 'judged' });
    expect(reportSession(the(sessions), true)).toContain('reward 5');
  });
});

describe('an environment with a dialogue and tools', () => {
  test('shows both in the prompt as sent', async () => {
    const sessions = sessionsOn(tiny, 'practice', 'user:\nCount to {{goal}}.\n');
    await you(sessions, '1');
    const shown = lookAtPrompt(the(sessions), the(sessions).tree.at, 'next');
    expect(shown.ok && shown.value).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', text: { text: '1' } }],
      tools: ['say'],
    });
    expect(lookAtPrompt(the(sessions), 0, 'sent')).toMatchObject({ ok: false });
  });

  test('is shown without what it does not have', async () => {
    const sessions = sessionsOn(tiny, 'held_out', 'user:\n{{goal}}\n');
    await you(sessions, '\n  1  \nmore');
    const opened = lookFirst(the(sessions), true);
    expect(opened).toMatchObject({ layout: null, canAdvise: false, testSplit: 'held_out' });
    expect(opened.view).toMatchObject({ step: { label: '1', notes: [] }, branch: [{}, { used: null }] });
  });

  test('events that do not fit are left out, and how many is said', () => {
    const session = the(sessionsOn(tiny, 'practice', 'user:\n{{goal}}\n'));
    const events = ['1', '2', '3', '4'].map((text) => ({ kind: 'reply', text }) as const);
    expect(followEvents(session, events, null)).toMatchObject({ left: 2 });
  });

  test('an edited transcript replaces what it had grown, until something else is done', () => {
    const session = the(sessionsOn(tiny, 'practice', 'user:\n{{goal}}\n'));
    const say = (text: string) => ({ kind: 'reply', text }) as const;
    const first = followEvents(session, [say('a')], null).session;
    const second = followEvents(first, [say('ab')], null).session;
    expect(second.tree.nodes.map(({ state }) => state)).toHaveLength(2);
    const third = followEvents({ ...second, draft: null }, [say('abc')], null).session;
    expect(third.tree.nodes).toHaveLength(3);
  });
});
