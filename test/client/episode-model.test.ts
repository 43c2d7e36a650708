/** What the page of an episode keeps, drops and asks for, message by message; and what both sides refuse to read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readFromPage,
  readPageState,
  readToPage,
  type ToPage,
} from '../../client/webview/episode/messages.ts';
import {
  askPrompt,
  driverOf,
  emptyModel,
  gestureReply,
  givenBy,
  isUnfolded,
  keyOf,
  type Model,
  neighbour,
  placeOf,
  receive,
  wantedPrompt,
} from '../../client/webview/episode/model.ts';
import {
  counted,
  ending,
  legible,
  standing,
  together,
  usageOf,
  withoutNotes,
} from '../../client/webview/episode/words.ts';
import { reply } from '../../server/src/engine/environments/chat.ts';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { look, lookFirst } from '../../server/src/engine/evals/sessions/look.ts';
import { openSession, play, type Session } from '../../server/src/engine/evals/sessions/session.ts';

/** A session as the server has it, after some replies. */
function session(...replies: readonly string[]): Session {
  const options = navigator.parseOptions({});
  const made = options.ok ? navigator.generate('train', 0, options.value) : options;
  if (!made.ok || !options.ok) throw new Error('no instance');
  const uri = 'hopscope:/navigator/train/0/x';
  const origin = { kind: 'instance', uri } as const;
  const { instance } = made.value;
  const subject = { environment: navigator, instance, rawOptions: {}, options: options.value, origin, uri };
  return replies.reduce(
    (current, text) => {
      const played = play(current, current.tree.at, reply(text), 'you');
      if (!played.ok) throw new Error(played.error);
      return played.value;
    },
    openSession(subject, null),
  );
}

const opened: ToPage = { kind: 'opened', opened: lookFirst(session(), true), again: false };
const first = receive(emptyModel, opened);
const stepped = receive(first, { kind: 'view', view: look(session('ACTION: READ 3'), true) });

describe('messages', () => {
  test('what the server gives is what the page reads', () => {
    for (const message of [
      opened,
      { kind: 'view', view: look(session('ACTION: READ 3', 'ACTION: ANSWER x'), true) } satisfies ToPage,
    ]) {
      expect(readToPage(structuredClone(message))).toEqual(message);
    }
  });

  test('what is posted again, in case it was lost, changes nothing on a page that has it', () => {
    const again: ToPage = { ...opened, again: true };
    const gone = { ...stepped, failure: 'No.' };
    expect(receive(gone, again)).toBe(gone);
    expect(receive(emptyModel, again)).toEqual(first);
    expect(receive(gone, opened).failure).toBeNull();
  });

  test('a view of a long episode on a large document is below 256 kB', () => {
    const replies = Array.from({ length: 13 }, (_, at) => `ACTION: READ ${at}\n${'x'.repeat(20_000)}`);
    let long = session();
    for (const text of replies) {
      const played = play(long, long.tree.at, reply(text), 'you');
      if (played.ok) long = played.value;
    }
    expect(JSON.stringify(lookFirst(long, true)).length).toBeLessThan(256_000);
  });

  test.each([
    undefined,
    null,
    'play',
    {},
    { kind: 'play', driver: { kind: 'nobody' }, reach: 'step' },
    { kind: 'go', node: -1 },
    { kind: 'go', node: 1.5 },
    { kind: 'order', order: 'rm' },
    { kind: 'text', node: 0, what: { kind: 'file', path: '/' }, from: 0 },
  ])('the extension does not take %j', (value) => expect(readFromPage(value)).toBeUndefined());

  test('anything at all is read or refused, and never thrown at', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        readFromPage(value);
        readToPage(value);
        readPageState(value);
      }),
    );
  });
});

describe('the model', () => {
  test('begins with a policy, at the start, with the prompt of the next step', () => {
    expect(driverOf(first)).toEqual({ kind: 'policy', id: 'oracle' });
    expect(first.which).toBe('next');
    expect(stepped.which).toBe('sent');
  });

  test('keeps the driver that was chosen over reloads', () => {
    expect(receive({ ...emptyModel, driver: 'model' }, opened).driver).toBe('model');
  });

  test.each([
    ['model', { kind: 'model' }],
    ['editor:vendor/one:2', { kind: 'editor', id: 'vendor/one:2' }],
    ['editor', { kind: 'you', text: 'mine' }],
    ['policy:oracle', { kind: 'policy', id: 'oracle' }],
    ['you', { kind: 'you', text: 'mine' }],
  ])('the driver %s', (driver, expected) =>
    expect(driverOf({ ...stepped, driver, typed: 'mine' })).toEqual(expected),
  );

  test('where a judge is asked, a person gives the answers and not what is typed', () => {
    const view = stepped.view && { ...stepped.view, verdict: { text: 'x', questions: [] } };
    expect(givenBy({ ...stepped, view, typed: 'mine' })).toBe('{}');
    expect(givenBy({ ...stepped, typed: 'mine' })).toBe('mine');
  });

  test('what belongs to one step is gone at another', () => {
    const asked: Model = {
      ...stepped,
      advice: { node: stepped.view?.node ?? 0, advice: { reply: 'x', needed: 1 } },
      texts: new Map([['item 3', { text: 't', next: null }]]),
      chosen: ['3'],
      asking: 1,
    };
    const same = receive(asked, { kind: 'view', view: look(session('ACTION: READ 3'), true) });
    expect(same).toMatchObject({ asking: 1, chosen: ['3'] });
    const other = receive(asked, {
      kind: 'view',
      view: look(session('ACTION: READ 3', 'ACTION: DROP 3'), true),
    });
    expect(other).toMatchObject({ advice: null, asking: null, chosen: [] });
    expect(other.texts.size).toBe(0);
  });

  test('a proposal stays chosen while it is proposed', () => {
    const proposed = (...labels: string[]) => ({
      proposals: labels.map((label) => ({
        label,
        detail: '',
        kind: 'verb' as const,
        filter: label,
        insert: label,
        start: 0,
        end: 0,
      })),
      problems: [],
    });
    const chosen = { ...stepped, round: 1, help: proposed('READ', 'DROP'), proposal: 1 };
    const receiveHelp = (...labels: string[]) =>
      receive(chosen, { kind: 'help', round: 1, help: proposed(...labels) }).proposal;
    expect(receiveHelp('DROP')).toBe(0);
    expect(receiveHelp('READ')).toBe(-1);
  });

  test('advice and help that come late are not taken for the present', () => {
    const advice = { reply: 'x', needed: 1 };
    expect(receive(stepped, { kind: 'advice', node: 99, advice }).advice).toBeNull();
    const help = { proposals: [], problems: [] };
    expect(receive({ ...stepped, round: 2 }, { kind: 'help', round: 1, help }).help).toBeNull();
    expect(receive({ ...stepped, round: 2 }, { kind: 'help', round: 2, help }).help).toEqual(help);
  });

  test('what a model says grows, and is void when it begins again or has ended', () => {
    const busy = receive(stepped, { kind: 'busy', label: 'Waiting' });
    const said = ['a', 'b'].reduce(
      (model, text) => receive(model, { kind: 'said', text, reasoning: 'r' }),
      busy,
    );
    expect(said.said).toEqual({ text: 'ab', reasoning: 'rr' });
    expect(receive(said, { kind: 'unsaid' }).said).toBeNull();
    expect(receive(said, { kind: 'busy', label: null })).toMatchObject({ said: null, busy: null });
  });

  test('a failure stays until something works', () => {
    const failed = receive(stepped, { kind: 'failed', message: 'Oh.' });
    expect(failed.failure).toBe('Oh.');
    expect(receive(failed, { kind: 'view', view: look(session(), true) }).failure).toBeNull();
  });

  test('the prompt is fetched only when it is to be seen, and once', () => {
    expect(wantedPrompt(stepped)).toBeNull();
    const unfolded: Model = { ...stepped, turned: new Set(['prompt']) };
    expect(wantedPrompt(unfolded)).toEqual({ kind: 'prompt', node: 1, which: 'sent' });
    const asking: Model = {
      ...unfolded,
      prompt: { node: 1, which: 'sent', prompt: undefined, reason: '', counts: null, tokenizer: '' },
    };
    expect(wantedPrompt(asking)).toBeNull();
    const message: ToPage = { kind: 'prompt', node: 1, which: 'sent', prompt: null, reason: 'None.' };
    expect(receive(asking, message).prompt?.reason).toBe('None.');
    expect(receive(stepped, message).prompt).toBeNull();
  });

  test('long texts are put together in their order, and a portion that comes twice counts once', () => {
    const what = { kind: 'item', id: '3' } as const;
    const portion = (from: number, text: string, next: number | null): ToPage => {
      return { kind: 'text', node: 1, what, from, portion: { text, next } };
    };
    let model = receive(stepped, portion(0, 'ab', 2));
    model = receive(model, portion(0, 'ab', 2));
    model = receive(model, portion(2, 'c', null));
    expect(model.texts.get(keyOf(what))).toEqual({ text: 'abc', next: null });
  });

  test('parts are folded and unfolded', () => {
    expect([
      isUnfolded(stepped, 'steps'),
      isUnfolded(stepped, 'prompt'),
      isUnfolded(stepped, 'item 3'),
    ]).toEqual([true, false, false]);
    expect(isUnfolded({ ...stepped, turned: new Set(['steps', 'item 3']) }, 'steps')).toBe(false);
  });
});

test('a gesture fills in what is pointed at and what is typed, which may hold braces', () => {
  expect(gestureReply('ACTION: COMPRESS {ids} :: {text}', ['1', 'S2'], 'a {ids} $& b')).toBe(
    'ACTION: COMPRESS 1, S2 :: a {ids} $& b',
  );
});

test('numbers are said in words', () => {
  const view = look(session('ACTION: READ 3'), true);
  expect(standing(view)).toBe('After step 1, 17 steps left.');
  expect(standing({ ...view, forks: true })).toContain('opens a new branch');
  expect(standing({ ...view, need: 'verdict' })).toBe('After step 1, waiting for a verdict.');
  expect(ending({ done: true, reward: 0.95, correct: true, stop: 'answered', steps: 1 })).toBe(
    'answered after 1 step, reward 0.95, correct',
  );
  const step = view.step;
  if (!step) throw new Error('no step');
  expect(usageOf({ ...step, usage: { input: 1200, output: 3, cachedInput: 5 }, finish: 'length' })).toBe(
    '1,200 tokens in, 3 out, 5 cached, cut off by the output limit',
  );
});

describe('where a person goes', () => {
  const far = receive(first, {
    kind: 'view',
    view: look(session('ACTION: READ 3', 'ACTION: DROP 3', 'ACTION: READ 4'), true),
  });
  const [start = 0, one = 0, two = 0, three = 0] = far.view?.branch.map(({ node }) => node) ?? [];

  test('is where keys go on from, also before the server has answered', () => {
    expect([placeOf(far), neighbour(far, 'before'), neighbour(far, 'after')]).toEqual([three, two, null]);
    const going = { ...far, going: one };
    expect([placeOf(going), neighbour(going, 'before'), neighbour(going, 'after')]).toEqual([
      one,
      start,
      two,
    ]);
    expect(neighbour(emptyModel, 'before')).toBeNull();
  });

  test('stays until the server has answered that, and not something before', () => {
    const view = far.view;
    if (!view) throw new Error('no view');
    const going = { ...far, going: one };
    expect(receive(going, { kind: 'view', view: { ...view, node: two } }).going).toBe(one);
    expect(receive(going, { kind: 'view', view: { ...view, node: one } }).going).toBeNull();
    expect(receive(going, { kind: 'failed', message: 'No.' }).going).toBeNull();
    expect(receive(going, opened).going).toBeNull();
  });

  test('does not lose what a model is saying; the end of its step does', () => {
    const view = far.view;
    if (!view) throw new Error('no view');
    const busy = receive({ ...far, failure: 'Oh.' }, { kind: 'busy', label: 'Waiting' });
    expect(busy.failure).toBeNull();
    const said = receive(busy, { kind: 'said', text: 'a', reasoning: '' });
    const elsewhere = receive({ ...said, going: one }, { kind: 'view', view: { ...view, node: one } });
    expect(elsewhere.said?.text).toBe('a');
    expect(receive(elsewhere, { kind: 'view', view }).said).toBeNull();
  });
});

test('a prompt is asked for again when a view takes away the one that was asked for', () => {
  const unfolded: Model = { ...stepped, turned: new Set(['prompt']) };
  const wanted = wantedPrompt(unfolded);
  if (!wanted || !stepped.view) throw new Error('nothing wanted');
  const asked = askPrompt(unfolded, wanted);
  expect(wantedPrompt(asked)).toBeNull();
  const again = receive(asked, { kind: 'view', view: stepped.view });
  expect(wantedPrompt(again)).toEqual(wanted);
});

test.each([
  [1, 'replies', '1 reply'],
  [2, 'replies', '2 replies'],
  [1, 'steps', '1 step'],
  [1, 'tool calls', '1 tool call'],
  [1, 'branches', '1 branch'],
  [1, 'boxes', '1 box'],
  [1, 'notes', '1 note'],
  [1, 'sizes', '1 size'],
  [1, 'pieces', '1 piece'],
  [0, 'entries', '0 entries'],
])('%d of %s is %s', (value, unit, expected) => expect(counted(value, unit)).toBe(expected));

test('an episode that went wrong is not said to be without problems', () => {
  const over = { done: true, reward: 0, correct: false, stop: 'answered', steps: 1 };
  expect(withoutNotes(over, 'nothing')).toContain('over with reward 0, not correct');
  expect(withoutNotes({ ...over, correct: true }, 'nothing')).toContain('No problems');
  expect(withoutNotes({ ...over, done: false }, 'reply')).toContain('No problems');
});

test('remarks that are the same are made once', () => {
  const note = { severity: 'info', message: 'Here.' } as const;
  expect(together([note, { ...note, severity: 'error' }, note])).toEqual([
    { ...note, times: 2 },
    { ...note, severity: 'error', times: 1 },
  ]);
});

test('what turns the direction of a text is seen', () => {
  expect(legible('a\u202eb\u2069')).toBe('a‹U+202E›b‹U+2069›');
  expect(legible('plain é 😀')).toBe('plain é 😀');
});
