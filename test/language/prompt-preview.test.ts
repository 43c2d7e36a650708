/** The live preview of step prompts: what it shows, what it compares, how it deals long texts out. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { renderPrompt } from '../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import { portionOf } from '../../server/src/language/prompts/piece-pages.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { textChanges } from '../../server/src/language/text-changes.ts';
import type {
  PreviewMessage,
  PreviewPiece,
  PreviewPlace,
  PreviewRendering,
} from '../../server/src/protocol.ts';
import { openPrompt, service, tinyPrompt } from '../support/prompts.ts';

type Place = Partial<PreviewPlace>;

function preview(text: string, place: Place = {}, saved: string | null = null) {
  return service.prompts.preview(openPrompt(text), place, saved, DEFAULTS);
}

function rendering(text: string, place: Place = {}, saved: string | null = null): PreviewRendering {
  const { rendering: found, reason } = preview(text, place, saved);
  if (!found) throw new Error(reason ?? '');
  return found;
}

const signs = { same: '', added: '+', removed: '-' } as const;

/** E.g. `user: Up to [-2][+3].` */
function show({ role, pieces }: PreviewMessage): string {
  return `${role}: ${pieces.map(({ kind, text }) => (kind === 'same' ? text : `[${signs[kind]}${text}]`)).join('')}`;
}

const counting = tinyPrompt(
  'system:\nCount.\n\nuser:\nUp to {{goal}}. Said: {{words}}{{^words}}nothing{{/words}}\n',
);

describe('rendering', () => {
  test('starts at the first step on an instance that is not for tests', () => {
    const { messages, ...rest } = rendering(counting);
    expect(rest).toEqual({
      place: { split: 'practice', index: 0, policy: 'counter', step: 1 },
      environment: 'Tiny',
      instance: {
        id: 'tiny-practice-0',
        uri: 'hopscope:/tiny/practice/0/tiny-practice-0.hopscope-instance',
      },
      steps: 2,
      splits: [
        { id: 'held_out', description: 'held out', size: 3, test: true },
        { id: 'practice', description: 'to iterate on', size: 5, test: false },
      ],
      policies: [
        { id: 'counter', description: 'counts' },
        { id: 'mute', description: 'says nothing' },
      ],
      changed: false,
    });
    expect(messages).toEqual([
      { role: 'system', block: 0, pieces: [{ kind: 'same', text: 'Count.' }], next: null },
      { role: 'user', block: 1, pieces: [{ kind: 'same', text: 'Up to 2. Said: nothing' }], next: null },
    ]);
  });

  test.each<[Place, string, string[]]>([
    [
      { index: 3, step: 3 },
      'tiny-practice-3',
      ['system: Count.', 'user: Up to 5. Said: 1, 2', 'assistant: 2'],
    ],
    [
      { split: 'held_out', step: 2, policy: 'mute' },
      'tiny-held_out-0',
      ['system: Count.', 'user: Up to 2. Said: ', 'assistant: '],
    ],
    [{ step: 99 }, 'tiny-practice-0', ['system: Count.', 'user: Up to 2. Said: 1', 'assistant: 1']],
    [
      { step: -1, split: 'nowhere', policy: 'nobody' },
      'tiny-practice-0',
      ['system: Count.', 'user: Up to 2. Said: nothing'],
    ],
  ])('at %j', (place, id, expected) => {
    const { messages, instance } = rendering(counting, place);
    expect(instance.id).toBe(id);
    expect(messages.map(show)).toEqual(expected);
  });

  test('a test split that the prompt names is not where the preview starts', () => {
    expect(rendering(tinyPrompt('user:\n{{goal}}', 'split: held_out\n')).place.split).toBe('practice');
  });

  test('stays where it was moved to, for this prompt', () => {
    const document = openPrompt(counting);
    service.prompts.preview(document, { index: 4 }, null, DEFAULTS);
    service.prompts.preview(document, { step: 2 }, null, DEFAULTS);
    expect(service.prompts.preview(document, {}, null, DEFAULTS).rendering?.place).toMatchObject({
      index: 4,
      step: 2,
    });
    expect(rendering(counting).place.index).toBe(0);
    service.prompts.forget(document.uri);
    expect(service.prompts.preview(document, {}, null, DEFAULTS).rendering?.place.index).toBe(0);
  });

  test.each<[Place, Partial<PreviewRendering['place']>]>([
    [{ index: 101 }, { index: 4, step: 2 }],
    [{ index: -5 }, { index: 4, step: 2 }],
    [{ step: 1e6 }, { index: 4 }],
    [{ step: -3 }, { index: 4, step: 1 }],
    [{ split: 'nowhere' }, { split: 'practice', index: 4, step: 2 }],
    [{ policy: 'nobody' }, { policy: 'counter', index: 4, step: 2 }],
  ])('a place that there is not (%j) is not remembered', (place, expected) => {
    const document = openPrompt(counting);
    const look = (where: Place) => service.prompts.preview(document, where, null, DEFAULTS).rendering;
    look({ index: 4, step: 2 });
    look(place);
    const next = look({});
    expect(next?.place).toMatchObject(expected);
    // On another, longer episode, too: what was asked for beyond the end of this one is no wish.
    expect(next?.place.step).toBeLessThanOrEqual(next?.steps ?? 0);
    expect(look({ index: 9 })?.place.step).toBe(next?.place.step);
  });

  test('of a prompt that is shown nowhere a place is remembered for when it is', () => {
    const broken = openPrompt(counting.replace('environment: tiny', 'environment: tin'));
    service.prompts.preview(broken, { index: 4 }, null, DEFAULTS);
    const mended = TextDocument.update(broken, [{ text: counting }], 2);
    expect(service.prompts.preview(mended, {}, null, DEFAULTS).rendering?.place.index).toBe(4);
  });

  test('follows the options', () => {
    expect(rendering(tinyPrompt('user:\n{{goal}}', 'options: { size: 7 }\n')).messages.map(show)).toEqual([
      'user: 7',
    ]);
  });

  test.each<[string, string, Place, RegExp]>([
    ['no environment', 'user:\nHello', {}, /names no environment/],
    [
      'options that do not fit',
      tinyPrompt('user:\n{{goal}}', 'options: { size: 70 }\n'),
      {},
      /^The options do not fit: size must .*\.$/,
    ],
    ['no such instance', counting, { index: 101 }, /^There is no instance 101 of practice: there are 100\.$/],
  ])('%s is said', (_, text, place, reason) => {
    expect(preview(text, place)).toMatchObject({ rendering: null, reason: expect.stringMatching(reason) });
  });

  test('problems are said with the message they stand in', () => {
    expect(preview(tinyPrompt('system:\nCount.\nuser:\n{{gaol}}{{goal}}', 'modle: x\n')).problems).toEqual([
      {
        severity: 'error',
        message: '"modle" is not a field here. Did you mean "model"?',
        line: 3,
        character: 0,
        block: null,
      },
      {
        severity: 'error',
        message: 'There is no variable "gaol" here. Did you mean "goal"?',
        line: 8,
        character: 2,
        block: 1,
      },
    ]);
  });

  test('is exactly what a model gets', () => {
    const file = path.join(import.meta.dirname, '../../prompts/navigator/navigator.step.md');
    const text = fs.readFileSync(file, 'utf8');
    const generated = navigator.generate('train', 5, {});
    if (!generated.ok) throw new Error(generated.error);
    const start = navigator.start(generated.value.instance, {});
    const { messages } = renderPrompt(parseStepPrompt(text).prompt, navigator.observe(start));
    expect(rendering(text, { index: 5 }).messages).toEqual(
      messages.map(({ role, content }, block) => ({
        role,
        block,
        pieces: [{ kind: 'same', text: content }],
        next: null,
      })),
    );
  });
});

describe('compared with the saved version', () => {
  test.each<[string, string, string[]]>([
    [
      'a word',
      counting.replace('Up to', 'Count to'),
      ['system: Count.', 'user: [-Up][+Count] to 2. Said: nothing'],
    ],
    [
      'a line',
      counting.replace('Count.', 'Count.\nSlowly.'),
      ['system: Count.[+\nSlowly.]', 'user: Up to 2. Said: nothing'],
    ],
    [
      'a value',
      counting.replace('{{goal}}', '{{is_first}}'),
      ['system: Count.', 'user: Up to [-2][+true]. Said: nothing'],
    ],
    [
      'one message more',
      counting.replace('user:', 'system:\nSlowly.\nuser:'),
      ['system: Count.', 'system: [+Slowly.]', 'user: Up to 2. Said: nothing'],
    ],
    [
      'one message less',
      counting.replace('system:\nCount.\n\n', ''),
      ['user: Up to 2. Said: nothing', 'system: [-Count.]'],
    ],
    [
      'only its front matter',
      counting.replace('format: 1', 'format: 1 # one'),
      ['system: Count.', 'user: Up to 2. Said: nothing'],
    ],
  ])('%s', (_, text, expected) => {
    const { messages, changed } = rendering(text, {}, counting);
    expect(messages.map(show)).toEqual(expected);
    expect(changed).toBe(expected.some((line) => /\[[-+]/.test(line)));
  });
});

describe('changes between texts', () => {
  const word = fc.constantFrom('one ', 'two ', 'three', '\n', '\n\n', '🂡', '\ud83c', 'é', '  ', '0');
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''));
  const of = (pieces: readonly PreviewPiece[], without: PreviewPiece['kind']) =>
    pieces.flatMap((piece) => (piece.kind === without ? [] : [piece.text])).join('');

  test('hold both of them', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = textChanges(before, after);
        expect(of(pieces, 'removed')).toBe(after);
        expect(of(pieces, 'added')).toBe(before);
        expect(pieces.every((piece) => piece.text !== '')).toBe(true);
      }),
    );
  });

  test.each([
    ['many lines', (at: number) => `line ${at}\n`, 2000],
    ['one long line', (at: number) => `word${at} `, 5000],
  ])('of %s that all differ take no long time to find', (_, make, count) => {
    const numbers = Array.from({ length: count }, (__, at) => at);
    const before = `Same.\n${numbers.map(make).join('')}\nSame.`;
    const after = `Same.\n${numbers.map((at) => make(at + count)).join('')}\nSame.`;
    const pieces = textChanges(before, after);
    expect(of(pieces, 'removed')).toBe(after);
    expect(of(pieces, 'added')).toBe(before);
    expect(pieces[0]).toMatchObject({ kind: 'same', text: expect.stringMatching(/^Same\.\n/) });
  });
});

describe('portions', () => {
  const piece = fc.record({
    kind: fc.constantFrom<PreviewPiece['kind']>('same', 'added', 'removed'),
    text: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  });

  test('together are everything, and none is too large', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 60, max: 400 }), (pieces, room) => {
        const dealt: PreviewPiece[] = [];
        for (let at: number | null = 0; at !== null; ) {
          const portion = portionOf(pieces, at, room);
          expect(Buffer.byteLength(JSON.stringify(portion.pieces))).toBeLessThanOrEqual(room + 60);
          dealt.push(...portion.pieces);
          if (portion.next !== null) expect(portion.next).toBeGreaterThan(at);
          at = portion.next;
        }
        const laidOut = (list: readonly PreviewPiece[]) =>
          list.flatMap(({ kind, text }) => [...text].map((it) => kind + it));
        expect(laidOut(dealt)).toEqual(laidOut(pieces));
      }),
    );
  });

  test('a huge message comes in portions below 256 kB, whatever is in it', () => {
    const line = `${'\u0001\ud800 "🂡'.repeat(20)}\n`;
    const document = openPrompt(
      tinyPrompt(`user:\n{{goal}}\n${line.repeat(3000)}system:\n${'x'.repeat(300_000)}`),
    );
    const answer = service.prompts.preview(document, {}, null, DEFAULTS);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(256_000);
    const whole = answer.rendering?.messages.map((message, at) => {
      const pieces = [...message.pieces];
      for (let { next } = message; next !== null; ) {
        const more = service.prompts.previewPieces(document.uri, at, next);
        if (!more.ok) throw new Error(more.error);
        expect(Buffer.byteLength(JSON.stringify(more))).toBeLessThan(256_000);
        pieces.push(...more.value.pieces);
        next = more.value.next;
      }
      return pieces.map(({ text }) => text).join('');
    });
    expect(whole).toEqual([`2\n${line.repeat(3000)}`.slice(0, -1), 'x'.repeat(300_000)]);
    expect(service.prompts.previewPieces(document.uri, 7, 0)).toMatchObject({ ok: false });
    expect(service.prompts.previewPieces('test:/never', 0, 0)).toMatchObject({ ok: false });
  });
});

describe('as a request', () => {
  const text = tinyPrompt(
    `system:\nIt's "$HOME" \\ \`id\` $(id) END_OF_REQUEST\nEND_OF_REQUEST\n'\u2028\u0001é🂡\nuser:\nUp to {{goal}}\n`,
    'model: some-model\nsampling: { temperature: 0.5, stop: "." }\n',
  );
  const body = {
    model: 'some-model',
    messages: [
      {
        role: 'system',
        content: `It's "$HOME" \\ \`id\` $(id) END_OF_REQUEST\nEND_OF_REQUEST\n'\u2028\u0001é🂡`,
      },
      { role: 'user', content: 'Up to 2' },
      { role: 'assistant', content: '1' },
    ],
    temperature: 0.5,
    stop: ['.'],
    tools: [
      {
        type: 'function',
        function: { name: 'say', description: 'Says it.', parameters: { type: 'object' } },
      },
    ],
  };

  function request(prompt: string) {
    const document = openPrompt(prompt);
    service.prompts.preview(document, { step: 2 }, null, DEFAULTS);
    const found = service.prompts.request(document);
    if (!found.ok) throw new Error(found.error);
    return found.value;
  }

  test('JSON', () => {
    const { json, model } = request(text);
    expect(JSON.parse(json)).toEqual(body);
    expect(model).toBe('some-model');
  });

  test('without a model when the prompt names none', () => {
    const { json, model } = request(counting);
    expect(JSON.parse(json)).not.toHaveProperty('model');
    expect(model).toBeNull();
  });

  test.skipIf(process.platform === 'win32')('curl, as a shell runs it', () => {
    const { curl } = request(text);
    expect(curl).not.toMatch(/\$HOPSCOPE_API_KEY.*=/);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'curl-'));
    try {
      // In place of curl: says what it was told, and what came on its standard input.
      const script = '#!/bin/sh\nfor argument do printf "%s\\n" "$argument"; done\necho --\ncat\n';
      fs.writeFileSync(path.join(folder, 'curl'), script, { mode: 0o755 });
      const run = (env: Record<string, string>) =>
        execFileSync('/bin/sh', ['-c', curl], {
          env: { PATH: `${folder}:${process.env['PATH']}`, ...env },
          encoding: 'utf8',
        }).split('\n--\n');
      const [told = '', sent = ''] = run({ HOPSCOPE_API_KEY: 'k e$y' });
      expect(told.split('\n')).toEqual([
        'https://api.openai.com/v1/chat/completions',
        '--header',
        'Authorization: Bearer k e$y',
        '--header',
        'Content-Type: application/json',
        '--data-binary',
        '@-',
      ]);
      expect(JSON.parse(sent)).toEqual(body);
      expect(run({ HOPSCOPE_BASE_URL: 'http://localhost:8000/v1' })[0]).toContain(
        'http://localhost:8000/v1/chat/completions',
      );
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('none without a preview', () => {
    expect(service.prompts.request(openPrompt('user:\nHello'))).toMatchObject({ ok: false });
  });
});
