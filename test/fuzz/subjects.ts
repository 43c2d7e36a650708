/** What is edited at random: texts of each language to begin with, and pieces to put into them. */
import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../server/src/engine/environments/environment.ts';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { createLanguageService, type LanguageService } from '../../server/src/language/service.ts';
import { judged } from '../support/judged-environment.ts';
import { tiny } from '../support/tiny-environment.ts';
import { head, shortest, steps } from '../support/transcripts.ts';

export interface Subject {
  /** A language identifier of the editor. */
  readonly language: string;
  readonly uri: string;
  readonly beginnings: readonly string[];
  /** Put in here and there, besides those of every language. */
  readonly pieces: readonly string[];
  /** Before this the text is mostly left alone: without its front matter little is known of a text. */
  readonly front: string;
  /** A text that has grown by more than this begins anew, in UTF-16 code units. */
  readonly growth: number;
  /** Edits out of a hundred. */
  readonly share: number;
}

/** Every environment there is, one with a dialogue and one with a judge. */
const all: readonly Environment[] = [...environments, tiny, judged];

export const fuzzedService: LanguageService = createLanguageService(all);

const project = path.resolve(import.meta.dirname, '../..');

/** The texts of the files in `folder` whose names end with `ending`. */
function texts(folder: string, ending: string): string[] {
  return fs
    .readdirSync(path.join(project, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => fs.readFileSync(path.join(project, folder, name), 'utf8'));
}

const dos = (text: string) => text.replaceAll('\n', '\r\n');

/** The text of a generated instance that is small enough to be edited often, and its address. */
function smallInstanceDocument(): { readonly uri: string; readonly text: string } {
  const options = { doc_tokens: [8_000], n_hops: [2] };
  const located = fuzzedService.locateInstance({
    environment: 'navigator',
    split: 'train',
    index: 9_000,
    options,
  });
  if (!located.ok) throw new Error(located.error);
  const read = fuzzedService.readInstance(located.value.uri);
  if (!read.ok) throw new Error(read.error);
  return { uri: located.value.uri, text: read.value };
}

const instance = smallInstanceDocument();

/** What any text may hold that few programs expect. */
export const hostile: readonly string[] = [
  ...['\n', '\r\n', '\r', '\n\n\n', ' ', '\t', '\u2028', '\u0085', '\u0000', '\ud800', '\udc00', '\ufeff'],
  ...[
    '"',
    '\\',
    '`',
    ':',
    '::',
    '=',
    '#',
    '-',
    '---',
    '\n---\n',
    '{',
    '}',
    '[',
    ']',
    '&a *a',
    '<<: *x',
    '!!js x',
  ],
  ...[
    '🙂',
    '漢字',
    'é',
    'e\u0301',
    '\u202e',
    '٣',
    'İ',
    'ß',
    '999999999999',
    '-1',
    '1e400',
    '__proto__',
    'constructor',
  ],
  'x'.repeat(300),
  '['.repeat(200),
  '- '.repeat(100),
];

export const subjects: readonly Subject[] = [
  {
    language: 'hopscope-episode',
    uri: 'file:///fuzz/play.episode',
    share: 45,
    growth: 4_000,
    front: '\n---',
    beginnings: [
      '',
      head() + steps(...shortest),
      head() + steps('ACTION: READ 28', 'ACTION: READ 55', 'ACTION: ANSWER x'),
      head('options: { step_budget_base: 3, step_budget_per_hop: 0, max_summary_tokens: 5 }\n') +
        steps('ACTION: READ 1', 'ACTION: DROP 1', 'ACTION: READ 1', 'THOUGHT: hm'),
      head('outcome: { reward: 0.95, correct: true, steps: 4, metrics: { n_reads: 2 } }\n') +
        steps(...shortest),
      `${head()}\n=== step 1 escaped finish=length input=1 output=2\n"ACTION: READ \\u0032"\n"8\\r\\n"\n=== reasoning\nwhy\n=== call look id=1\n{}\n`,
      dos(`${head()}${steps('ACTION: READ 28')}\n=== verdict judge\n{"a": [1]}\n`),
      `---\nformat: 1\nenvironment: tiny\ninstance: tiny-practice-1\nsplit: practice\nindex: 1\n---\n${steps('1', '2', '3')}`,
      `---\nformat: 1\nenvironment: judged\ninstance: judged-0\nsplit: train\nindex: 0\n---\n=== step 1\na\n=== verdict points\n1\n=== step 2\nb\n=== verdict points\n2\n`,
      ...texts('test/fixtures/transcripts', '.episode'),
    ],
    pieces: [
      ...[
        '=== step 2',
        '\n=== step 3\n',
        '\n=== step 1 escaped\n',
        '\n=== reasoning\n',
        '\n=== call a id=b\n',
      ],
      ...[
        '\n=== verdict v\n',
        ' escaped',
        ' input=3',
        'ACTION:',
        'ACTION: READ ',
        'ACTION: DROP ',
        'READ 55',
      ],
      ...['ACTION: COMPRESS 28 :: ', 'ACTION: ANSWER ', 'THOUGHT: chunk 55, S1 ', '28', '55', 'S1', '[28]'],
      ...[
        'Esteban Sakamoto',
        'Delphine Mbatha',
        '7401',
        '7397',
        'unknown',
        'format: 1',
        'instance: hs1-train-18',
      ],
      ...[
        'index: 3\n',
        'options: {',
        'context_ceiling: 400',
        'environment: x',
        'instances: mine.jsonl\n',
        'outcome: ',
      ],
    ],
  },
  {
    language: 'hopscope-prompt',
    uri: 'file:///fuzz/fuzz.step.md',
    share: 40,
    growth: 4_000,
    front: '\n---',
    beginnings: [
      '',
      ...texts('prompts/navigator', '.step.md'),
      ...texts('test/fixtures/check', '.step.md'),
      dos(texts('prompts/navigator', 'terse.step.md')[0] ?? ''),
      '---\nformat: 1\nenvironment: tiny\nsplit: practice\noptions: { size: 3 }\n---\nuser:\n{{#said}}{{text}}{{^last}}, {{/last}}{{/said}} to {{goal}}\n',
      '---\nformat: 1\nenvironment: judged\n---\nuser:\n{{x}}\n',
    ],
    pieces: [
      ...[
        '{{',
        '}}',
        '{{{',
        '{{#',
        '{{^',
        '{{/',
        '{{!',
        '{{#held}}',
        '{{/held}}',
        '{{^held}}',
        '{{#map}}',
        '{{/map}}',
      ],
      ...[
        '{{question}}',
        '{{map_text}}',
        '{{held_text}}',
        '{{id}}',
        '{{tokens}}',
        '{{answer}}',
        '{{questoin}}',
        '{{.}}',
      ],
      ...[
        '\nsystem:\n',
        '\nuser:\n',
        '\nassistant:\n',
        'System:',
        '\n{{#is_last_step}}\n',
        '\n{{/is_last_step}}\n',
      ],
      ...[
        'ACTION: READ 12',
        'ACTION: READ <id>',
        '\nACTION: FETCH',
        '`ACTION: READ S1`',
        'format: 1',
        'split: id_test\n',
      ],
      ...[
        'environment: navigator\n',
        'environment: tiny\n',
        'options: {',
        'context_ceiling: 400',
        'temperature: 3',
      ],
      ...[
        'sampling: { stop: ["',
        'model: ',
        '{{#map}}{{#map}}{{#map}}',
        '{{#held}}{{#facts}}',
        '{{=<% %>=}}',
        '{{> x}}',
      ],
    ],
  },
  {
    language: 'markdown',
    uri: 'file:///fuzz/notes.md',
    share: 5,
    growth: 2_000,
    front: '',
    beginnings: [
      ...texts('test/fixtures/check', '.md'),
      `# Notes\n\n\`\`\`hopscope-episode\n${shortest[0]}\n\`\`\`\n`,
    ],
    pieces: [
      ...[
        '```',
        '~~~',
        '\n```hopscope-episode\n',
        '\n```\n',
        '\n- ```hopscope-episode\n',
        '> ',
        '1. ',
        '    ',
      ],
      ...['ACTION: READ ', 'ACTION: FETCH', 'THOUGHT: x', '=== step 1', '---'],
    ],
  },
  {
    language: 'hopscope-instance',
    uri: instance.uri,
    share: 10,
    growth: 1_000,
    front: '',
    beginnings: [instance.text],
    pieces: ['[3]', '# ', ' — Lead: ', '(320 tokens)'],
  },
];
