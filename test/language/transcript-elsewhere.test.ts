/** Transcripts of an environment that says nothing about its episodes: structure, outcome and scoring are there. */
import { expect, test } from 'vitest';
import { Range } from 'vscode-languageserver-types';
import { createLanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { judged } from '../support/judged-environment.ts';
import { token } from '../support/language.ts';
import { openTranscript } from '../support/transcripts.ts';

const service = createLanguageService([judged]);
const text = `---
format: 1
environment: judged
instance: judged-1
split: train
index: 1
outcome: { reward: 4 }
---

=== step 1
one

=== verdict points
1

=== step 2
t|wo

=== verdict points
2

=== step 3
three
`;
const { document, cursor } = openTranscript(text);

test('what does not hold, and what is not played', () => {
  const found = service.diagnostics(document, DEFAULTS, token);
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'transcript.outcome: Recorded is reward 4; replaying gives 3.',
    'transcript.after-end: The episode ended in step 2 (judged): this is not played.',
    'transcript.after-end: The episode ended in step 2 (judged): this is not played.',
  ]);
});

test('the reward so far, in steps that are told apart by their first lines', () => {
  const hints = service.inlayHints(document, Range.create(0, 0, 99, 0), DEFAULTS, token);
  expect(hints.map(({ label }) => label)).toEqual(['· reward 1', '· end, reward 3', '· not played']);
  const names = service.documentSymbols(document, DEFAULTS, token).map(({ name }) => name);
  expect(names).toEqual(['judged-1', '1 one', 'Verdict of points', '2 two', 'Verdict of points', '3 three']);
});

test('everything else has nothing to say', () => {
  expect(service.hover(document, cursor, DEFAULTS, token)).toBeNull();
  expect(service.completion(document, cursor, DEFAULTS, token)).toEqual([]);
  expect(service.codeActions(document, Range.create(cursor, cursor), DEFAULTS, token)).toEqual([]);
  expect(service.definition(document, cursor, token)).toEqual([]);
  expect(service.documentLinks(document, token)).toHaveLength(1);
});

test('an instance that is not at the place that is named', () => {
  const moved = openTranscript(text.replace('index: 1', 'index: 2')).document;
  const [found] = service.diagnostics(moved, DEFAULTS, token);
  expect(found).toMatchObject({ code: 'transcript.unknown-instance' });
  const nowhere = openTranscript(text.replace('split: train\nindex: 1\n', '')).document;
  expect(service.diagnostics(nowhere, DEFAULTS, token)[0]?.message).toContain('Give split and index');
});
