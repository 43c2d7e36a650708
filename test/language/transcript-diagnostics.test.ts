/** What replaying says of a transcript: one text each, with marks below what is said, and nothing else is said. */
import { describe, expect, test } from 'vitest';
import { generate } from '../../server/src/engine/environments/navigator/generate.ts';
import { hashInstance } from '../../server/src/engine/evals/identity.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { compareDiagnostics, openDocument, service, token } from '../support/language.ts';

/** Front matter around `more`; the instance asks for the desk extension of the lead of Vermilion Kestrel. */
function head(more = ''): string {
  return `---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n${more}---\n`;
}

/** Steps with the actions given; a line that begins with blanks or carets marks the action above it. */
function steps(...actions: readonly string[]): string {
  return actions.map((action, index) => `=== step ${index + 1}\n${action}\n`).join('\n');
}

const read = 'ACTION: READ 28';
const keep = 'ACTION: COMPRESS 28 :: Vermilion Kestrel: Lead = Esteban Sakamoto';
const good = [read, keep, 'ACTION: READ 55', 'ACTION: ANSWER 7401'];

const made = generate('train', 17);
const hash = made.ok ? hashInstance(made.value.instance) : '';

const cases: Readonly<Record<string, string>> = {
  'a correct episode': head() + steps(...good),
  'a recorded outcome that holds':
    head('outcome: { reward: 0.95, correct: true, stop: answered, steps: 4, metrics: { n_reads: 2 } }\n') +
    steps(...good),
  'a recorded outcome that does not': `${head(`outcome:
  reward: 0.9
          ^^^ warning transcript.outcome
  correct: true
  stop: budget-exhausted
        ^^^^^^^^^^^^^^^^ warning transcript.outcome
  steps: 4
  metrics: { n_reads: 3, unheard_of: 1 }
                      ^ warning transcript.outcome
`)}${steps(...good)}`,
  'the ceiling': `${head()}=== step 1
${read}
=== step 2
^^^^^^^^^^ info transcript.failed
ACTION: READ 55
             ^^ error navigator.ceiling-exceeded
=== step 3
^^^^^^^^^^ error transcript.after-end
ACTION: ANSWER 7401
^^^^^^^^^^^^^^^^^^^ hint transcript.after-end`,
  'ids that are not there': `${head()}=== step 1
ACTION: READ 9999
             ^^^^ error navigator.no-such-chunk
=== step 2
${read}
=== step 3
${read}
             ^^ error navigator.already-held
=== step 4
ACTION: DROP 28, S1, [3], 3
                 ^^ error navigator.not-held
                     ^^^ error navigator.not-held`,
  'a chunk that cannot hold what is wanted, read twice': `${head()}=== step 1
ACTION: READ 1
             ^ warning navigator.cannot-hold
=== step 2
ACTION: DROP 1
=== step 3
ACTION: READ 1
             ^ warning navigator.reread
             ^ warning navigator.cannot-hold`,
  'a lost bridge, by DROP and by COMPRESS': `${head()}=== step 1
${read}
=== step 2
ACTION: DROP 28
             ^^ warning navigator.lost-bridge
=== step 3
${read}
             ^^ warning navigator.reread
=== step 4
ACTION: COMPRESS 28 :: nothing
                       ^^^^^^^ warning navigator.lost-bridge`,
  'values that are not what they seem': `${head()}=== step 1
${read}
=== step 2
ACTION: COMPRESS 28 :: lead Esteban Sakamoto, not Malika Salazar (the twin's) nor Delphine Mbatha
                                                  ^^^^^^^^^^^^^^ info navigator.twin-value
                                                                                  ^^^^^^^^^^^^^^^ info navigator.superseded-value
=== step 3
ACTION: READ 55
=== step 4
ACTION: COMPRESS S1, 55 :: Esteban Sakamoto 7397
                           ^^^^^^^^^^^^^^^^^^^^^ warning navigator.lost-bridge
                                            ^^^^ warning navigator.superseded-value`,
  'a read that nothing needs': `${head()}${steps(...good.slice(0, 3))}
=== step 4
ACTION: COMPRESS S1, 55 :: 7401
=== step 5
ACTION: READ 1
             ^ warning navigator.needless-read`,
  'a distractor as the answer': `${head()}${steps(...good.slice(0, 3))}
=== step 4
^^^^^^^^^^ info transcript.failed
ACTION: ANSWER 7397
               ^^^^ warning navigator.distractor-answer`,
  'the step budget': `${head('options: { step_budget_base: 2, step_budget_per_hop: 0 }\n')}=== step 1
${read}
        ^^^^^^^ warning navigator.unwinnable
=== step 2
^^^^^^^^^^ info transcript.failed
${keep}
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error navigator.budget-exhausted
=== step 3
^^^^^^^^^^ error transcript.after-end
ACTION: READ 55
^^^^^^^^^^^^^^^ hint transcript.after-end`,
  'a summary that is cut': `${head('options: { max_summary_tokens: 3 }\n')}=== step 1
${read}
=== step 2
ACTION: COMPRESS 28 :: Esteban Sakamoto leads. Kestrel
                                             ^^^^^^^^^ warning navigator.summary-cut`,
  'an open step is no empty reply': `${head()}=== step 1
${read}
=== step 2`,
  'an empty reply before others is one': `${head()}=== step 1
^^^^^^^^^^ error action.empty-reply
=== step 2
${read}`,
  'a verdict where none is asked for': `${head()}=== step 1
${read}
=== verdict somebody
^^^^^^^^^^^^^^^^^^^^ error transcript.unexpected-event
{ "good": true }
=== step 2
${keep}`,
  'no such environment': `---
format: 1
environment: navigatr
             ^^^^^^^^ error front-matter.unknown-environment
instance: hs1-train-17
---
${steps('ACTION: JUMP 3')}`,
  'no such instance': `---
format: 1
environment: navigator
instance: hs1-nowhere-17
          ^^^^^^^^^^^^^^ error transcript.unknown-instance
---
=== step 1
ACTION: JUMP 3
        ^^^^ error action.unknown-verb`,
  'an instance made elsewhere that nobody can find': `---
format: 1
environment: navigator
instance: train-100000000
          ^^^^^^^^^^^^^^^ error transcript.unknown-instance
---`,
  'another generator': `---
format: 1
environment: navigator
instance: hs0-train-17
          ^^^^^^^^^^^^ error transcript.unknown-instance
split: train
index: 17
---`,
  'split and index that are not those of the instance': `${head(`split: train
index: 18
       ^^ warning transcript.wrong-origin
`)}${steps(...good)}`,
  'an instance that is not what it was': `${head(`instance_hash: "sha256:00"
               ^^^^^^^^^^^ warning transcript.changed-instance
`)}${steps(...good)}`,
  'an instance that is what it was': head(`instance_hash: "${hash}"\n`) + steps(...good),
  'an option that is none': `${head(`options: { context_ceiling: -5 }
                            ^^ error front-matter.option
`)}`,
  'an option that there is not': `${head(`options: { context_cieling: 700 }
           ^^^^^^^^^^^^^^^ error front-matter.unknown-option
`)}`,
  'options that would give another instance than the id names': `${head(`options: { n_hops: [5], context_ceiling: 600 }
                   ^^^ warning transcript.wrong-origin
`)}`,
  'a value that is empty': `${head(`model: ""
       ^^ error front-matter.empty
`)}`,
};

describe('replaying', () => {
  test.each(Object.entries(cases))('%s', (_, marked) => {
    for (const lineBreak of ['\n', '\r\n']) {
      const { found, expected } = compareDiagnostics('hopscope-episode', marked, { lineBreak });
      expect(found).toEqual(expected);
    }
  });
});

/** Messages of a transcript. */
function messages(text: string, spoilers = true): string[] {
  const document = openDocument('hopscope-episode', text);
  return service
    .diagnostics(document, { ...DEFAULTS, spoilers }, token)
    .map(({ message }) => String(message));
}

describe('messages name the rule and the numbers', () => {
  test.each<[string, string, string]>([
    [
      'the ceiling',
      steps(read, 'ACTION: READ 55'),
      'Chunk 55 does not fit: 344 + 444 = 788 tokens, and the ceiling is 600. The episode ends here.',
    ],
    [
      'what is held',
      steps(read, 'ACTION: DROP S4'),
      'S4 is not held (held are 28), so the step does nothing.',
    ],
    ['nothing held', steps('ACTION: DROP 3'), '3 is not held (nothing is held), so the step does nothing.'],
    ['chunks', steps('ACTION: READ 88'), 'There is no chunk 88: chunks are numbered from 0 to 87.'],
    [
      'the end',
      steps(...good, 'ACTION: DROP 1'),
      'The episode ended in step 4 (answered): this is not played.',
    ],
    [
      'a lost bridge',
      steps(read, 'ACTION: DROP 28'),
      'This DROP loses the lead of Vermilion Kestrel, Esteban Sakamoto, which the next hop needs.',
    ],
    [
      'a distractor',
      steps(...good.slice(0, 3), 'ACTION: ANSWER 7397'),
      '"7397" is the superseded desk extension of Esteban Sakamoto.',
    ],
    [
      'why it failed',
      steps(...good.slice(0, 3), 'ACTION: ANSWER Esteban Sakamoto'),
      'Why it failed (stopped-at-bridge): "Esteban Sakamoto" is only the lead of Vermilion Kestrel: the chain goes on from there.',
    ],
  ])('%s', (_, body, message) => {
    expect(messages(head() + body)).toContain(message);
  });
});

test('what a player must not know is not said when spoilers are hidden', () => {
  const text = head() + steps(read, 'ACTION: DROP 28', 'ACTION: READ 1', 'ACTION: ANSWER 7397');
  expect(messages(text).length).toBeGreaterThan(3);
  expect(messages(text, false)).toEqual([
    'Chunk 1 runs over Blackfen Foundry – Briarcliff Observatory in the Facilities Register, so it cannot hold Vermilion Kestrel.',
  ]);
});
