/** Transcripts and instances of log compression in the editor: what is marked, said, and compared. */
import { expect, test } from 'vitest';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { blue, recordAt, replyOf } from '../engine/log-compression/kit.ts';
import { openDocument, service, token } from '../support/language.ts';

const record = recordAt('train', 161);
const uri = `hopscope:/log-compression/train/161/${record.id}.hopscope-instance`;
const perfect = replyOf('perfect', record);
const contents = perfect.split('\n');

function transcript(...replies: readonly string[]): string {
  const front = `---\nformat: 1\nenvironment: log-compression\ninstance: ${record.id}\n---\n`;
  return front + replies.map((reply, at) => `\n=== step ${at + 1}\n${reply}\n`).join('');
}

function open(text: string) {
  return openDocument('hopscope-episode', text, `test:/${text.length}.episode`);
}

const fair = { ...DEFAULTS, spoilers: false };
const codes = (text: string, settings = DEFAULTS) =>
  service
    .diagnostics(open(text), settings, token)
    .flatMap(({ code }) => (String(code).startsWith('log.') ? [code] : []));

test('a transcript is checked while it is written', () => {
  expect(codes(transcript(perfect))).toEqual([]);
  expect(codes(transcript(`- ${perfect}`))).toEqual(['log.decorated']);
  expect(codes(transcript(contents.slice(1).join('\n'), blue))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^log\.(?:dropped|merged|reworded)$/)]),
  );
  expect(codes(transcript(`${perfect}\nThat is all.`), fair)).toEqual(['log.invented']);
  expect(codes(transcript(`- ${perfect}`), fair)).toEqual([]);
});

test('a step shows what it kept, its size, and why it did not count', () => {
  const text = transcript(contents.slice(1).join('\n'));
  const document = open(text);
  const range = { start: document.positionAt(0), end: document.positionAt(text.length) };
  const hints = service.inlayHints(document, range, DEFAULTS, token).map(({ label }) => String(label));
  expect(hints.join(' ')).toMatch(/tokens/);
  const symbols = JSON.stringify(service.documentSymbols(document, DEFAULTS, token));
  expect(symbols).toContain(`kept ${contents.length - 1} of ${contents.length}`);
});

test('the best reply is proposed', () => {
  const text = transcript('x');
  const document = open(text);
  const at = document.positionAt(text.length - 2);
  const actions = service.codeActions(document, { start: at, end: at }, DEFAULTS, token);
  expect(JSON.stringify(actions)).toContain(JSON.stringify(contents[0]).slice(1, -1).replaceAll('"', '\\"'));
});

test('a reply is compared with the log, line by line without prefixes', () => {
  const document = open(transcript(`${record.critical[0]?.text}\nThat is all.`));
  const [lens] = service.codeLenses(document, DEFAULTS, token);
  expect(lens?.command).toMatchObject({
    title: 'compare with what it was made from',
    command: 'hopscope.compareTexts',
    arguments: [document.uri, { line: 6, character: 0 }],
  });
  const found = service.comparedTexts(document, { line: 6, character: 0 });
  if (!found.ok) throw new Error(found.error);
  const { before, after, instance } = found.value;
  expect(instance).toBe(record.id);
  expect(after).toEqual({
    title: 'reply without prefixes',
    text: `${contents[0]}\nThat is all.\n`,
  });
  expect(before.text.split('\n').slice(0, -1)).toHaveLength(record.raw.split('\n').length);
  expect(before.text.split('\n')).toEqual(expect.arrayContaining(contents));
});

test.each([
  [transcript(''), 'There is no reply yet: write one, then compare it.'],
  [transcript('x').replace(record.id, 'nobody'), 'names no instance that can be found'],
  [
    '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n\n=== step 1\nx\n',
    'In Navigator replies are not made from a text',
  ],
])('there is nothing to compare in %j', (text, error) => {
  const document = open(text);
  expect(service.comparedTexts(document, { line: 7, character: 0 })).toEqual({
    ok: false,
    error: expect.stringContaining(error),
  });
  expect(service.codeLenses(document, DEFAULTS, token)).toEqual([]);
});

test('in an instance critical lines are spoilers, and repeats can be gone through', () => {
  const read = service.readInstance(uri);
  if (!read.ok) throw new Error(read.error);
  const document = openDocument('hopscope-instance', read.value, uri);
  const marks = service.instanceMarks(document, token);
  expect(marks).toHaveLength(record.critical.length);
  expect(new Set(marks.map(({ kind }) => kind))).toEqual(new Set(['evidence']));

  const [mark] = marks;
  if (mark === undefined) throw new Error('no mark');
  const { start } = mark.range;
  const hover = (settings: typeof DEFAULTS) =>
    JSON.stringify(service.hover(document, { ...start }, settings, token));
  expect(hover(DEFAULTS)).toContain(`**Evidence** of critical line 1 of ${contents.length}`);
  expect(hover(fair)).toContain('printed line');
  expect(hover(fair)).not.toContain('critical');

  const repeats = record.critical.filter(({ text }) => text.endsWith(contents[0] ?? ''));
  expect(service.references(document, { ...start }, token)).toHaveLength(repeats.length);
  expect(service.definition(document, { ...start }, token)).toMatchObject([{ uri, range: { start } }]);

  const titles = (settings: typeof DEFAULTS) =>
    service.codeLenses(document, settings, token).map(({ command }) => command?.title ?? '');
  expect(titles(DEFAULTS)[0]).toBe(`critical line 1 of ${contents.length}: ${contents[0]}`);
  expect(titles(DEFAULTS).join('\n')).not.toContain('answer');
  expect(titles(DEFAULTS)).toContain(`critical line ${contents.length} of ${contents.length}`);
  expect(titles(fair).join('\n')).not.toContain('critical');
  const plain = service.semanticTokens(document, null, fair, token);
  const told = service.semanticTokens(document, null, DEFAULTS, token);
  expect(plain).toHaveLength(told.length);
  expect(plain).not.toEqual(told);
});
