import { expect, test } from 'vitest';
import { openDocument, service } from '../support/language.ts';

const uri = 'hopscope:/navigator/train/17/hs1-train-17.hopscope-instance';
const read = service.readInstance(uri);
if (!read.ok) throw new Error(read.error);
const instance = openDocument('hopscope-instance', read.value, uri);

const text = `---
format: 1
environment: navigator
instance: hs1-train-17
---

=== step 1
ACTION: READ 28

=== step 2
ACTION: COMPRESS 28 :: Lead of Vermilion Kestrel = Esteban Sakamoto

=== step 3
ACTION: READ 55
`;

/** What is held where the text `at` begins, each chunk by the first line of what would be marked. */
function held(transcript: string, at: string) {
  const document = openDocument('hopscope-episode', transcript, `test:/${transcript.length}.episode`);
  const found = service.heldChunks(document, document.positionAt(transcript.indexOf(at)));
  if (!found.ok) return found.error;
  expect(found.value.instance).toBe(uri);
  const chunks = found.value.chunks.map(({ number, range }) => {
    const [line] = instance.getText({ ...range }).split('\n');
    return `${number}: ${line}`;
  });
  return [found.value.step, ...chunks];
}

test.each<[string, readonly (number | string)[]]>([
  ['format: 1', [0]],
  ['=== step 1', [1, '28: [28] (344 tokens)']],
  ['READ 28', [1, '28: [28] (344 tokens)']],
  ['COMPRESS', [2]],
  ['READ 55', [3, '55: [55] (444 tokens)']],
])('at %s', (at, expected) => {
  expect(held(text, at)).toEqual(expected);
});

test('a transcript without its instance cannot be followed', () => {
  expect(held(text.replace('hs1-train-17', 'nobody'), 'READ 28')).toBe(
    'This transcript cannot be followed in a document: it names no instance that can be found.',
  );
});
