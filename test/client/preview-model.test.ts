/** What the page of a preview keeps, drops and asks for, message by message; and what both sides refuse to read. */
import { describe, expect, test } from 'vitest';
import {
  readFromPage,
  readPageState,
  readToPage,
  type ToPage,
} from '../../client/webview/preview/messages.ts';
import { emptyModel, type Model, piecesOf, receive, wanted } from '../../client/webview/preview/model.ts';
import type { PreviewMessage, PreviewPlace, PromptPreview, PromptTokens } from '../../server/src/protocol.ts';

const place: PreviewPlace = { split: 'train', index: 0, policy: 'oracle', step: 1 };
const error = { severity: 'error', message: 'Oh.', line: 1, character: 2, block: 0 } as const;

function message(text: string, next: number | null = null): PreviewMessage {
  return { role: 'user', block: 0, pieces: [{ kind: 'same', text }], next };
}

function preview(
  text: string,
  change: Partial<PromptPreview> = {},
  at = place,
  next: number | null = null,
): PromptPreview {
  return {
    problems: [],
    isBroken: false,
    reason: null,
    missingData: null,
    rendering: {
      place: at,
      environment: 'Navigator',
      instance: { uri: 'hopscope:/x', id: 'hs1-train-0' },
      steps: 6,
      splits: [{ id: 'train', description: '', size: 1, test: false }],
      policies: [{ id: 'oracle', description: '' }],
      messages: [message(text, next)],
      changed: false,
    },
    ...change,
  };
}

/** The model after previews in the order given. */
function modelAfter(...previews: readonly PromptPreview[]): Model {
  return previews.reduce(
    (model, it, at) => receive(model, { kind: 'preview', round: at + 1, uri: 'file:///a', preview: it }),
    emptyModel,
  );
}

function shown({ shown: rendering, isStale }: Model): string {
  const text = rendering?.messages.map(({ pieces }) => pieces.map((piece) => piece.text).join('')).join('|');
  return `${text ?? 'nothing'}${isStale ? ' (stale)' : ''}`;
}

const broken = { isBroken: true, problems: [error] };

describe('what is shown', () => {
  test.each<[string, readonly PromptPreview[], string]>([
    ['the last rendering', [preview('one'), preview('two')], 'two'],
    ['the last good one while there are errors', [preview('one'), preview('two', broken)], 'one (stale)'],
    [
      'the new one when the errors are gone',
      [preview('one'), preview('two', broken), preview('three')],
      'three',
    ],
    ['the best there is when none was ever good', [preview('one', broken)], 'one'],
    [
      'the best there is at another place',
      [preview('one'), preview('two', broken, { ...place, step: 2 })],
      'two',
    ],
    [
      'the last one when nothing can be rendered',
      [preview('one'), preview('', { rendering: null, reason: 'Why.' })],
      'one (stale)',
    ],
    [
      'nothing when nothing could ever be rendered',
      [preview('', { rendering: null, reason: 'Why.' })],
      'nothing',
    ],
  ])('%s', (_, previews, expected) => expect(shown(modelAfter(...previews))).toBe(expected));

  test('the problems are always those of the present text', () => {
    expect(modelAfter(preview('one', broken), preview('two')).problems).toEqual([]);
    expect(modelAfter(preview('one'), preview('two', broken)).problems).toEqual([error]);
  });

  test('without marks of changes what was removed is not there', () => {
    const changed: PreviewMessage = {
      ...message(''),
      pieces: [
        { kind: 'removed', text: 'old' },
        { kind: 'added', text: 'new' },
      ],
    };
    expect(piecesOf(changed, false)).toEqual([{ kind: 'same', text: 'new' }]);
    expect(piecesOf(changed, true)).toBe(changed.pieces);
  });
});

describe('sizes', () => {
  const size = { step: { environment: 1, model: 2 }, most: { environment: 1, model: 2 } };
  const tokens: PromptTokens = { place, blocks: [size], total: size, tokenizer: 'o200k' };

  test('of an earlier text are not taken', () => {
    const model = modelAfter(preview('one'), preview('two'));
    expect(receive(model, { kind: 'tokens', round: 1, tokens }).tokens).toBeNull();
    expect(receive(model, { kind: 'tokens', round: 2, tokens }).tokens).toBe(tokens);
  });
});

describe('long messages', () => {
  const more = (round: number, text: string, next: number | null): ToPage => ({
    kind: 'more',
    round,
    message: 0,
    pieces: [{ kind: 'same', text }],
    next,
  });

  test('are asked for until they are whole', () => {
    let model = modelAfter(preview('one ', {}, place, 4));
    expect(wanted(model)).toBeNull();
    model = { ...model, whole: new Set([0]) };
    expect(wanted(model)).toEqual({ kind: 'more', round: 1, message: 0, next: 4 });
    model = receive(model, more(1, 'two ', 8));
    expect(wanted(model)).toEqual({ kind: 'more', round: 1, message: 0, next: 8 });
    model = receive(model, more(1, 'three', null));
    expect(wanted(model)).toBeNull();
    expect(shown(model)).toBe('one two three');
    expect(model.shown?.messages[0]?.pieces).toHaveLength(1);
  });

  test('stay whole while the prompt is typed, and not on another instance', () => {
    const model = { ...modelAfter(preview('one', {}, place, 3)), whole: new Set([0]) };
    const typed = receive(model, {
      kind: 'preview',
      round: 2,
      uri: '',
      preview: preview('on', {}, place, 2),
    });
    expect(wanted(typed)).toEqual({ kind: 'more', round: 2, message: 0, next: 2 });
    const elsewhere = preview('other', {}, { ...place, index: 1 }, 5);
    expect(wanted(receive(model, { kind: 'preview', round: 2, uri: '', preview: elsewhere }))).toBeNull();
  });

  test('what comes for an earlier rendering is not taken', () => {
    expect(
      shown(receive(modelAfter(preview('one'), preview('two', {}, place, 3)), more(1, ' more', null))),
    ).toBe('two');
  });
});

test('what is gone says so, and comes back', () => {
  const gone = receive(modelAfter(preview('one')), { kind: 'gone', reason: 'It was deleted.' });
  expect(gone.gone).toBe('It was deleted.');
  expect(receive(gone, { kind: 'preview', round: 2, uri: '', preview: preview('two') }).gone).toBeNull();
});

describe('messages', () => {
  test.each([
    { kind: 'ready' },
    { kind: 'move', place: {} },
    { kind: 'move', place: { step: 2 } },
    { kind: 'reveal', line: 0, character: 3 },
    { kind: 'openInstance' },
    { kind: 'copy', what: 'curl' },
    { kind: 'more', round: 1, message: 0, next: 10 },
  ])('%j is read', (it) => expect(readFromPage(it)).toEqual(it));

  test.each([
    undefined,
    null,
    'ready',
    { kind: 'run' },
    { kind: 'move' },
    { kind: 'move', place: { step: '2' } },
    { kind: 'move', place: { index: -1 } },
    { kind: 'move', place: { split: undefined } },
    { kind: 'reveal', line: 0.5, character: 0 },
    { kind: 'copy', what: 'key' },
    { kind: 'more', round: 1, message: 0, next: null },
  ])('%j is not', (it) => expect(readFromPage(it)).toBeUndefined());

  test('the other way round, too', () => {
    const sent: ToPage = { kind: 'preview', round: 1, uri: 'file:///a', preview: preview('one', broken) };
    expect(readToPage(sent)).toEqual(sent);
    expect(readToPage({ ...sent, preview: { problems: [] } })).toBeUndefined();
    expect(readToPage({ kind: 'gone' })).toBeUndefined();
    const state = { uri: 'file:///a', place, marksChanges: true, scroll: 12.5 };
    expect(readPageState(state)).toEqual(state);
    expect(readPageState({ uri: 'file:///a' })).toBeUndefined();
    expect(readPageState(undefined)).toBeUndefined();
  });
});
