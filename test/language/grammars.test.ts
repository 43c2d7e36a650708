/**
 * Grammar tests, one text each. Under a line stand marks for parts of it: carets below the part, then the scope that
 * it must have (its last part, the language's name, left out), or `!` and a scope that it must not have.
 */
import { expect, test } from 'vitest';
import { type Mark, readMarks } from '../support/marks.ts';
import { type Token, tokenize } from '../support/textmate.ts';

/** Scopes of the token that covers exactly or more than the marked part; fails when the part is cut in two. */
function scopesAt(tokens: readonly Token[], { start, end }: Mark): readonly string[] {
  let offset = 0;
  const covering: (readonly string[])[] = [];
  for (const { text, scopes } of tokens) {
    if (offset < end && offset + text.length > start) covering.push(scopes);
    offset += text.length;
  }
  return covering.reduce((common, scopes) => common.filter((scope) => scopes.includes(scope)));
}

async function check(scopeName: string, marked: string): Promise<void> {
  const { text, marks } = readMarks(marked);
  expect(marks.length).toBeGreaterThan(0);
  const lines = await tokenize(scopeName, text);
  for (const mark of marks) {
    const part = text.split('\n')[mark.line]?.slice(mark.start, mark.end);
    const found = scopesAt(lines[mark.line] ?? [], mark);
    const wanted = mark.note.replace(/^!/, '');
    const has = found.some((scope) => scope === wanted || scope.startsWith(`${wanted}.`));
    const where = `line ${mark.line + 1}, "${part}": ${found.join(' ')}`;
    expect({ scope: wanted, where, has }).toEqual({ scope: wanted, where, has: !mark.note.startsWith('!') });
  }
}

const transcripts: Readonly<Record<string, string>> = {
  'a READ': `
ACTION: READ 12
^^^^^^^ keyword.other.action
        ^^^^ entity.name.function.verb
             ^^ constant.numeric.chunk-id
`,
  'any case, indented': `
  action: Drop 12, [13] S1
  ^^^^^^^ keyword.other.action
          ^^^^ entity.name.function.verb
               ^^ constant.numeric.chunk-id
                    ^^ constant.numeric.chunk-id
                        ^^ variable.other.summary-id
`,
  'pieces that are no ids': `
ACTION: READ 12. #13 "14" 15-16
             ^^ !constant.numeric
                  ^^ !constant.numeric
                      ^^ !constant.numeric
                          ^^ !constant.numeric
`,
  'a COMPRESS': `
ACTION: COMPRESS 3, S1 :: Lead = Ann 4 :: more
        ^^^^^^^^ entity.name.function.verb
                 ^ constant.numeric.chunk-id
                    ^^ variable.other.summary-id
                       ^^ keyword.operator.separator
                          ^^^^^^^^^^^^^^^^^^^^ string.unquoted.summary
                                     ^ !constant.numeric
`,
  'a summary of several lines': `
ACTION: COMPRESS 3 :: first
                      ^^^^^ string.unquoted.summary
second 12
^^^^^^^^^ string.unquoted.summary
ACTION: READ 4
^^^^^^^ keyword.other.action
^^^^^^^ !string.unquoted.summary
`,
  'an ANSWER': `
ACTION: ANSWER 4,885,866
        ^^^^^^ entity.name.function.verb
               ^^^^^^^^^ string.unquoted.answer
`,
  'a thought': `
THOUGHT: READ 12 would not fit
^^^^^^^^ punctuation.definition.comment
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment.line.thought
ACTION: DROP 3
^^^^^^^ keyword.other.action
`,
  'a verb that is none': `
ACTION: JUMP 12
^^^^^^^ keyword.other.action
        ^^^^ !entity.name.function
`,
  'a verb that goes on': `
ACTION: READ12 ANSWERS
        ^^^^^^ !entity.name.function
`,
  'an action that is not at the start of its line': `
The ACTION: READ 12
    ^^^^^^^ !keyword
`,
  'steps, with what their markers say': `
=== step 12 finish=length input=812
^^^ punctuation.definition.heading
    ^^^^ entity.name.section
         ^^ constant.numeric
            ^^^^^^ variable.parameter
                                ^^^ constant.numeric
ACTION: COMPRESS 3 :: first
                      ^^^^^ string.unquoted.summary
=== step 13
    ^^^^ entity.name.section
^^^ !string.unquoted.summary
ACTION: ANSWER 5
               ^ string.unquoted.answer
`,
  'reasoning, calls and verdicts': `
=== reasoning
    ^^^^^^^^^ entity.name.section
ACTION: READ 12
^^^^^^^^^^^^^^^ comment.block.reasoning
=== call look_up id=c1
    ^^^^ entity.name.section
{ "name": 4 }
   ^^^^ support.type.property-name.json
=== verdict lexicon
    ^^^^^^^ entity.name.section
{ "ok": true }
        ^^^^ constant.language.json
`,
  'an escaped text': `
=== step 1 escaped
           ^^^^^^^ storage.modifier.escaped
"ACTION: READ 1\\u0000"
^^^^^^^^^^^^^^^ string.quoted.double
               ^^^^^^ constant.character.escape
=== step 2
ACTION: READ 1
^^^^^^^ keyword.other.action
`,
  'a line that is no marker': `
=== stepping 1
^^^ !punctuation.definition.heading
==== step 1
^^^ !punctuation.definition.heading
`,
  'front matter': `
---
instance: hs1-train-17
^^^^^^^^ entity.name.tag.yaml
---
ACTION: READ 1
^^^^^^^ keyword.other.action
`,
};

for (const [name, marked] of Object.entries(transcripts)) {
  test(`transcript: ${name}`, () => check('source.hopscope-episode', marked));
}

const prompts: Readonly<Record<string, string>> = {
  'front matter, roles and tags': `
---
environment: navigator
^^^^^^^^^^^ entity.name.tag.yaml
---
system:
^^^^^^ entity.name.section.role
You are *stateless*.
        ^^^^^^^^^^^ markup.italic.markdown
user:
^^^^ entity.name.section.role
QUESTION: {{question}}
          ^^ punctuation.definition.tag.begin
            ^^^^^^^^ variable.other.template
{{#held}}
  ^ keyword.control.section
   ^^^^ variable.parameter.section
{{/held}}
  ^ keyword.control.section
{{! nobody reads this }}
^^^^^^^^^^^^^^^^^^^^^^^^ comment.block.template
{{> other}}
  ^^^^^^^ invalid.illegal.unsupported
`,
  'roles stand alone on their line': `
user: hello
^^^^ !entity.name.section.role
`,
  'tags in the middle of Markdown': `
# About {{question}}
  ^^^^^ markup.heading
          ^^^^^^^^ variable.other.template
[{{id}}] ({{tokens}} tokens)
   ^^ variable.other.template
   ^^ !string
             ^^^^^^ !markup.underline.link
- **bold {{held_text}}** text
           ^^^^^^^^^ variable.other.template
`,
  'an example action': `
Send a line such as
    ACTION: COMPRESS 3, <id> :: <what you need> 5
    ^^^^^^^ keyword.other.action
            ^^^^^^^^ entity.name.function.verb
                     ^ constant.numeric.chunk-id
                        ^^^^ variable.parameter.placeholder
                                ^^^^^^^^^^^^^^^ variable.parameter.placeholder
                                                ^ string.unquoted.summary
and nothing else 5
^^^^^^^^^^^^^^^^^^ !string.unquoted.summary
`,
  'an example action with a tag in it': `
ACTION: READ {{first_id}}
               ^^^^^^^^ variable.other.template
`,
};

for (const [name, marked] of Object.entries(prompts)) {
  test(`step prompt: ${name}`, () => check('text.hopscope-prompt', marked));
}

test('instance', () =>
  check(
    'text.hopscope-instance',
    `
hs1-train-17 (navigator, train)
^^^^^^^^^^^^ entity.name.type.instance

Question: What is the badge number of the lead of project X?
^^^^^^^^ keyword.other.fact

# Personnel Directory (9 chunks, 3,512 tokens)
  ^^^^^^^^^^^^^^^^^^^ entity.name.section

[12] (390 tokens)
 ^^ constant.numeric.chunk-id
Personnel Directory · Ann Ash – Bo Birch
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ entity.name.tag.chunk
Ann Ash — Unit: Harbour [current since 2019; previously Mill from 2016 to 2019]. Grade: Senior. Notes: The lift: old.
^^^^^^^ entity.name.type.entry
          ^^^^ variable.other.property.field
                ^^^^^^^ string.unquoted.value
                        ^^^^^^^^^^^^^^^^^^^^^^^ comment.block.superseded
                                                                                 ^^^^^ variable.other.property.field
                                                                                        ^^^^^^ string.unquoted.value
                                                                                                       ^^^^^^^^^^^^^ comment.line.notes
`,
  ));

test('a fenced transcript in Markdown', () =>
  check(
    'text.html.markdown',
    `
Text before.

\`\`\`hopscope-episode
   ^^^^^^^^^^^^^^^^ fenced_code.block.language
ACTION: COMPRESS 3 :: a summary
^^^^^^^ meta.embedded.block.hopscope-episode
        ^^^^^^^^ entity.name.function.verb
                 ^ constant.numeric.chunk-id
                      ^^^^^^^^^ string.unquoted.summary
\`\`\`
^^^ punctuation.definition.markdown
ACTION: READ 12
        ^^^^ !entity.name.function.verb
`,
  ));
