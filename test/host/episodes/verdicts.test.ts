/** Verdicts in a session: a person's, whom the page asks question by question; a model's; and what a run keeps of them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerKey, verdictOf } from '../../../client/webview/episode/answers.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { look } from '../../../server/src/engine/evals/sessions/look.ts';
import { openSession, type Session } from '../../../server/src/engine/evals/sessions/session.ts';
import { printSession } from '../../../server/src/engine/evals/sessions/texts.ts';
import type { SessionDriver, SessionView } from '../../../server/src/engine/evals/sessions/view.ts';
import { parseTranscript } from '../../../server/src/engine/transcripts/parse-transcript.ts';
import { saveRun } from '../../../server/src/host/episodes/save-run.ts';
import { Sessions } from '../../../server/src/host/episodes/sessions.ts';
import { systemClock } from '../../../server/src/host/models/clock.ts';
import { readRun } from '../../../server/src/host/runs/read-run.ts';
import { startModelServer } from '../../support/model-server.ts';

const silent = { said: () => {}, restart: () => {} };
const never = new AbortController().signal;
const oracle: SessionDriver = { kind: 'policy', id: 'oracle' };
const split = 'mini_pitch_test';

/** A pitch that has been handed in, and a judge that is waited for. */
async function handedIn(): Promise<Sessions> {
  const rawOptions = { judge: 'model' };
  const options = serving.parseOptions(rawOptions);
  const made = options.ok ? serving.generate(split, 0, options.value) : options;
  if (!options.ok || !made.ok) throw new Error('no instance');
  const { instance } = made.value;
  const text = '---\nformat: 1\nenvironment: serving\noptions: { judge: model }\n---\nuser:\n{{task_text}}\n';
  const origin = { kind: 'instance', uri: 'hopscope:/x' } as const;
  const subject = {
    environment: serving,
    instance,
    rawOptions,
    options: options.value,
    origin,
    uri: null,
  };
  const sessions = new Sessions({ clock: systemClock, unseal: () => null });
  sessions.open('s', openSession(subject, { uri: null, name: 'p', text }));
  while (seen(sessions).need === 'reply') await step(sessions, oracle);
  return sessions;
}

function the(sessions: Sessions): Session {
  const found = sessions.get('s');
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const seen = (sessions: Sessions): SessionView => look(the(sessions), true);
const step = (sessions: Sessions, driver: SessionDriver) => sessions.step('s', driver, silent, never);

/** What the page gives: everything mentioned, and one claim made up. */
function typedVerdict({ verdict }: SessionView): string {
  if (verdict === null) throw new Error('nothing is asked');
  const answers = verdict.questions.map(
    (question) => [answerKey(question), question.kind === 'choice' ? 'M' : ' it flies \n\n'] as const,
  );
  return verdictOf(verdict, Object.fromEntries(answers));
}

async function savedRun(session: Session) {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'episode-'));
  onTestFinished(() => fs.rmSync(parent, { recursive: true }));
  const deps = { clock: systemClock, version: '0', file: null };
  const saved = await saveRun(session, pathToFileURL(parent).href, deps);
  if (!saved.ok) throw new Error(saved.error);
  return readRun(saved.value.folder);
}

const eventsOf = ({ tree }: Session) => tree.nodes.flatMap(({ event }) => (event === null ? [] : [event]));

describe('a person who judges', () => {
  test('is asked what the judge decides, and told what is judged', async () => {
    const { verdict } = seen(await handedIn());
    expect(verdict?.text.split(' ').length).toBeGreaterThan(5);
    expect(verdict?.questions.at(-1)).toMatchObject({ kind: 'texts', path: ['invented'] });
    expect(verdict?.questions.every(({ label }) => label !== '')).toBe(true);
  });

  test('leaves what is not answered as at first', async () => {
    const { verdict } = seen(await handedIn());
    const parsed: unknown = verdict && JSON.parse(verdictOf(verdict, {}));
    const marks = verdict?.questions.flatMap(({ kind, path: at }) =>
      kind === 'choice' ? [[at[1], 'N']] : [],
    );
    expect(parsed).toEqual({ verdicts: Object.fromEntries(marks ?? []), invented: [] });
  });

  test('ends the episode, in the transcript and in a run as a person', async () => {
    const sessions = await handedIn();
    await step(sessions, { kind: 'you', text: typedVerdict(seen(sessions)) });
    const session = the(sessions);
    expect(seen(sessions)).toMatchObject({ need: 'nothing', verdict: null, outcome: { done: true } });
    expect(eventsOf(session).at(-1)).toMatchObject({ judge: 'a person', value: { invented: ['it flies'] } });
    const { transcript, problems } = parseTranscript(
      printSession(session, { instances: null, prompt: null }),
    );
    expect(problems).toEqual([]);
    expect(transcript).toMatchObject({ policy: 'oracle', outcome: { stop: 'finished' } });
    const run = await savedRun(session);
    expect(run.info).toMatchObject({ judge: 'a person', agent: { kind: 'policy', policy: 'oracle' } });
    expect(run.episodes).toMatchObject([{ outcome: { done: true, stop: 'finished' } }]);
    const last = run.episodes[0]?.events.at(-1);
    expect(last).toMatchObject({ kind: 'verdict', judge: 'a person' });
  });

  test('may stop before: the run is one that was stopped', async () => {
    const run = await savedRun(the(await handedIn()));
    expect(run.episodes).toMatchObject([{ outcome: null }]);
  });
});

describe('a model that judges', () => {
  test('is asked as the judge, and named', async () => {
    const sessions = await handedIn();
    const text = `Here you are:\n${typedVerdict(seen(sessions))}`;
    const server = await startModelServer(() => ({ said: { text } }));
    onTestFinished(() => server.close());
    await step(sessions, { kind: 'model', model: 'referee', baseUrl: server.baseUrl, key: null });
    expect(server.requests.at(-1)?.body).toMatchObject({ model: 'referee', temperature: 0 });
    expect(server.requests.at(-1)?.body).not.toHaveProperty('tools');
    expect(seen(sessions)).toMatchObject({ need: 'nothing', outcome: { stop: 'finished' } });
    const run = await savedRun(the(sessions));
    expect(run.info).toMatchObject({ judge: 'referee' });
    expect(run.episodes).toMatchObject([{ outcome: { stop: 'finished' } }]);
  });

  test('that gives none is asked again', async () => {
    const sessions = await handedIn();
    const server = await startModelServer(() => ({ said: { text: 'I like it.' } }));
    onTestFinished(() => server.close());
    await step(sessions, { kind: 'model', model: 'referee', baseUrl: server.baseUrl, key: null });
    expect(seen(sessions)).toMatchObject({ need: 'verdict', step: { label: 'verdict of referee' } });
    expect(seen(sessions).panel?.sections.at(-1)).toMatchObject({ title: 'Verdicts that cannot be read' });
  });

  test('is not replaced by a policy', async () => {
    expect(await step(await handedIn(), oracle)).toMatchObject({
      ok: false,
      error: expect.stringContaining('give the verdict yourself'),
    });
  });
});
