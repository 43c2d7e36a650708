/** Diagnostics, one text each, with marks below what they must be about, and nothing else may be found. */

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { compareDiagnostics, openDocument, service, token } from '../support/language.ts';

const settings = DEFAULTS;

function check(languageId: string, marked: string): void {
  for (const lineBreak of ['\n', '\r\n']) {
    const { found, expected } = compareDiagnostics(languageId, marked, { lineBreak });
    expect(found).toEqual(expected);
  }
}

/** Front matter that a transcript must have. */
const head = `---
format: 1
environment: navigator
instance: hs1-train-17
---`;

const transcripts: Readonly<Record<string, string>> = {
  'without a mistake': `${head}
=== step 1
THOUGHT: the anchor is a project
ACTION: READ 12
=== step 2
ACTION: COMPRESS 12 :: Lead of Coral Gull = Ida Berg
=== step 3
ACTION: ANSWER 4107`,
  'every step by itself': `${head}
=== step 1
ACTION: JUMP 12
        ^^^^ error action.unknown-verb

=== step 2
ACTION: READ 12
=== step 3

  ACTION: READ S1
               ^^ error action.read-needs-chunk
=== step 4
ACTION: COMPRESS 12 the lead is Ida Berg
        ^^^^^^^^^^^ error action.missing-separator
=== step 5
ACTION: COMPRESS 12 ::
                    ^^ error action.empty-summary
=== step 6
ACTION: ANSWER
        ^^^^^^ error action.empty-answer
=== step 7
ACTION: DROP
        ^^^^ error action.no-ids
=== step 8
ACTION: READ 1, 2
                ^ warning action.extra-ids`,
  'an ignored line': `${head}
=== step 1
ACTION: READ 1
^^^^^^^^^^^^^^ warning action.ignored-line
ACTION: READ 2`,
  'an empty reply, on its marker': `${head}
=== step 1 finish=length
^^^^^^^^^^^^^^^^^^^^^^^^ error action.empty-reply
=== step 2
ACTION: READ 2`,
  'reasoning is no reply': `${head}
=== step 1
ACTION: READ 2
=== reasoning
ACTION: JUMP 2`,
  'an escaped reply': `${head}
=== step 1 escaped
"THOUGHT: one\\u0000\\n"
"ACTION: \\u0052EAD S1 "
                   ^^ error action.read-needs-chunk`,
  'a structure that is wrong': `${head}
=== step 2
         ^ warning transcript.step-number
ACTION: READ 2`,
  'a draft': `ACTION: READ S1
^^^^^^^^^^^^^^^ info transcript.draft
^^^^^^^^^^^^^^^ warning action.ignored-line
             ^^ error action.read-needs-chunk
ACTION: READ 2`,
};

/** What is wrong whatever instance is played; see transcript-diagnostics.test.ts for the rest. */
const STRUCTURE = / (?:action|transcript\.(?:draft|step-number))/;

test.each(Object.entries(transcripts))('transcript: %s', (_, marked) => {
  for (const lineBreak of ['\n', '\r\n']) {
    const { found, expected } = compareDiagnostics('hopscope-episode', marked, { lineBreak });
    expect(found.filter((line) => STRUCTURE.test(line))).toEqual(expected);
  }
});

const prompts: Readonly<Record<string, string>> = {
  'example actions': `
ACTION: READ S1
             ^^ error action.read-needs-chunk
    action: answer
            ^^^^^^ error action.empty-answer
ACTION: COMPRESS 1, 2
        ^^^^^^^^^^^^^ error action.missing-separator
and then prose.`,
  'placeholders are not malformed': `
ACTION: READ <id>
ACTION: READ ‹id of a chunk›
ACTION: READ {{id}}
ACTION: READ [id]
ACTION: DROP <id>, <id>
ACTION: COMPRESS <ids> :: <summary>
ACTION: COMPRESS {{#held}}{{id}} {{/held}} :: {{{note}}}
ACTION: ANSWER <answer>
ACTION: <verb> <arguments>
ACTION: {{verb}} 12
ACTION: …
\`ACTION: READ\` and \`ACTION: JUMP\` are inline code.
- ACTION: is not at the start of this line.`,
  'what stands beside a placeholder still counts': `
ACTION: FETCH <id>
        ^^^^^ error action.unknown-verb
ACTION: COMPRESS <ids> <summary>
        ^^^^^^^^^^^^^^^^^^^^^^^^ error action.missing-separator
ACTION: READ #<id>
             ^^^^^ error action.no-ids`,
};

/** A prompt around `body`, its marks included, in which nothing else is wrong. */
function promptAround(body: string): string {
  const front = '---\nformat: 1\nenvironment: navigator\n---';
  return `${front}\nsystem:${body}\nuser:\n{{question}}\n{{map_text}}\n{{held_text}}`;
}

test.each(Object.entries(prompts))('step prompt: %s', (_, body) => {
  const { found, expected } = compareDiagnostics('hopscope-prompt', promptAround(body));
  expect(found.filter((line) => line.includes(' action.'))).toEqual(expected);
});

test('step prompt: messages quote what is written', () => {
  const document = openDocument('hopscope-prompt', promptAround('\nACTION: READ #<id>'));
  const messages = service.diagnostics(document, settings, token).map(({ message }) => message);
  expect(messages.join()).toContain('"#<id>" is no id');
});

test('step prompt: a misspelt variable', () => {
  check('hopscope-prompt', promptAround('\n{{questoin}}\n  ^^^^^^^^ error template.unknown-name'));
});

test('Markdown: fenced transcripts only', () => {
  check(
    'markdown',
    `
ACTION: READ

\`\`\`hopscope-episode
ACTION: READ
        ^^^^ error action.no-ids
\`\`\`

\`\`\`hopscope-episode
=== step 4
ACTION: READ 3
=== step 5
ACTION: JUMP 3
        ^^^^ error action.unknown-verb
\`\`\`

- in a list

  \`\`\`hopscope-episode
  ACTION: READ S1
               ^^ error action.read-needs-chunk
  \`\`\`

Without steps every action is a reply:

\`\`\`hopscope-episode
THOUGHT: I could also
ACTION: READ S1
             ^^ error action.read-needs-chunk
THOUGHT: or
ACTION: DROP 3
ACTION: ANSWER 4
\`\`\`

\`\`\`hopscope-episode
READ 12
\`\`\`

\`\`\`hopscope-episode
\`\`\``,
  );
});

test('Markdown: our own pages are clean', () => {
  const project = new URL('../../', import.meta.url);
  const pages = readdirSync(project).filter((name) => name.endsWith('.md'));
  expect(pages).toContain('README.md');
  for (const page of pages) {
    const text = readFileSync(new URL(page, project), 'utf8');
    expect(service.diagnostics(openDocument('markdown', text), settings, token)).toEqual([]);
  }
});

test('Markdown: not when the setting says no', () => {
  const document = openDocument('markdown', '```hopscope-episode\nACTION: READ\n```');
  expect(service.diagnostics(document, { ...settings, checkMarkdownTranscripts: false }, token)).toEqual([]);
});

test('other languages have none', () => {
  expect(service.diagnostics(openDocument('plaintext', 'ACTION: READ'), settings, token)).toEqual([]);
});

test('a cancelled request does no work', () => {
  const cancellation = new CancellationTokenSource();
  cancellation.cancel();
  const document = openDocument('hopscope-episode', 'ACTION: READ');
  expect(service.diagnostics(document, settings, cancellation.token)).toEqual([]);
});

test('ignored text is faded', () => {
  const text = `${head}\n=== step 1\nACTION: READ 1\nACTION: READ 28, 3\n`;
  const found = service.diagnostics(openDocument('hopscope-episode', text), settings, token);
  expect(found.map(({ code, source, tags }) => ({ code, source, tags }))).toEqual([
    { code: 'action.ignored-line', source: 'hopscope', tags: [1] },
    { code: 'action.extra-ids', source: 'hopscope', tags: [1] },
  ]);
});

test('any text gives ranges inside it', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'ACTION:',
      ' READ',
      ' COMPRESS',
      ' ::',
      '\n',
      '\r\n',
      '=== step 1',
      ' escaped',
      '"\\u0041"',
      '```',
    ),
    fc.constantFrom('hopscope-episode', '---', 'system:', '{{', '}}', '<id>', ' S1', ' 12', ','),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const languages = ['hopscope-episode', 'hopscope-prompt', 'markdown'];
  fc.assert(
    fc.property(fc.constantFrom(...languages), fc.array(piece, { maxLength: 30 }), (languageId, pieces) => {
      const text = pieces.join('');
      const document = openDocument(languageId, text);
      for (const { range } of service.diagnostics(document, settings, token)) {
        const start = document.offsetAt(range.start);
        const end = document.offsetAt(range.end);
        expect(document.positionAt(start)).toEqual(range.start);
        expect(document.positionAt(end)).toEqual(range.end);
        expect(start).toBeLessThanOrEqual(end);
      }
    }),
    { numRuns: 500 },
  );
});
