/** What is said of a reply while it is typed: the same as of that reply in a transcript. */
import { describe, expect, test } from 'vitest';
import { findEnvironment } from '../../../server/src/engine/environments/registry.ts';
import { openSession, play, type Session } from '../../../server/src/engine/evals/sessions/session.ts';
import { printSession } from '../../../server/src/engine/evals/sessions/texts.ts';
import { DEFAULTS } from '../../../server/src/language/settings.ts';
import { help } from '../../../server/src/server/episode-help.ts';
import { openDocument, service, token } from '../../support/language.ts';

function opened(id: string, replies: readonly string[] = []): Session {
  const environment = findEnvironment(id);
  const options = environment?.parseOptions({});
  if (!environment || !options?.ok) throw new Error(`no ${id}`);
  const made = environment.generate('train', 0, options.value);
  if (!made.ok) throw new Error(made.error);
  const origin = { kind: 'instance', uri: 'test:/it' } as const;
  const { instance } = made.value;
  const subject = { environment, instance, rawOptions: {}, options: options.value, origin, uri: null };
  return replies.reduce(
    (session, text) => {
      const played = play(session, session.tree.at, { kind: 'reply', text }, 'you');
      if (!played.ok) throw new Error(played.error);
      return played.value;
    },
    openSession(subject, null),
  );
}

function inTranscript(session: Session, text: string): readonly string[] {
  const played = play(session, session.tree.at, { kind: 'reply', text }, 'you');
  if (!played.ok) throw new Error(played.error);
  const printed = printSession(played.value, { instances: null, prompt: null });
  const document = openDocument('hopscope-episode', printed);
  const step = printed.slice(0, printed.lastIndexOf('=== step')).split('\n').length - 1;
  return service
    .diagnostics(document, DEFAULTS, token)
    .filter(({ code, range }) => !String(code).startsWith('transcript.') && range.start.line >= step)
    .map(({ message }) => String(message));
}

const long = `ACTION: COMPRESS 1 :: ${'word '.repeat(2000)}`;

describe.each([
  ['navigator', ['ACTION: READ 1'], 'ACTION: READ 1', /already/],
  ['navigator', ['ACTION: READ 1'], 'ACTION: READ 500', /500/],
  ['navigator', ['ACTION: READ 1'], 'ACTION: READ 2', /600/],
  ['navigator', ['ACTION: READ 1'], long, /\d/],
  ['navigator', [], 'ACTION: DROP 5', /5/],
  ['navigator', [], 'ACTION: REED 5', /REED/],
  ['navigator', [], 'ACTION: READ 1', undefined],
  ['log-compression', [], 'anything', undefined],
])('%s after %j', (id, before, text, message) => {
  test(`a typed ${JSON.stringify(text.slice(0, 30))} is told what it would be told in a transcript`, () => {
    const session = opened(id, before);
    const { problems } = help(session, text, text.length, true);
    expect(problems.map((problem) => problem.message)).toEqual(inTranscript(session, text));
    if (message) expect(problems[0]?.message).toMatch(message);
    expect(session.tree.nodes).toHaveLength(before.length + 1);
  });
});

test('nothing is said before anything is typed, and privileged notes only to those who want spoilers', () => {
  expect(help(opened('navigator'), ' \n', 0, true).problems).toEqual([]);
  const text = 'ACTION: ANSWER nobody';
  const told = (spoilers: boolean) => help(opened('navigator'), text, text.length, spoilers).problems;
  expect(told(true).length).toBeGreaterThanOrEqual(told(false).length);
});
