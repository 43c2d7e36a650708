/** Whole transcripts: in the first line of its front matter each says which codes are found in it, and no others are. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseTranscript } from '../../server/src/engine/transcripts/parse-transcript.ts';
import { printTranscript } from '../../server/src/engine/transcripts/print-transcript.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { openDocument, service, token } from '../support/language.ts';

const folder = new URL('../fixtures/transcripts/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.episode'));

function read(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

test.each(names)('%s', (name) => {
  const text = read(name);
  const expected = /^# expect:(.*)$/m.exec(text)?.[1]?.split(' ').filter(Boolean) ?? [];
  const found = service.diagnostics(openDocument('hopscope-episode', text), DEFAULTS, token);
  expect([...new Set(found.map(({ code }) => code))].sort()).toEqual(expected.sort());
});

test('hostile replies stay what they are', () => {
  const text = read('hostile.episode');
  expect(readFileSync(new URL('../../workbench/fixtures/hostile.episode', folder), 'utf8')).toBe(text);
  const { transcript } = parseTranscript(text);
  expect(printTranscript(transcript)).toBe(text);
  // What an editor may do on saving changes nothing.
  for (const edited of [text.replaceAll('\n', '\r\n'), text.replace(/[ \t]+$/gm, ''), `${text}\n\n`]) {
    expect(parseTranscript(edited).transcript).toEqual(transcript);
  }
});
