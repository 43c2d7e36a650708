/**
 * Random edits of transcripts. After each one the language service, which plays again only what changed, must say the
 * same as it says of the same text when it sees it for the first time; and nothing may throw.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Range } from 'vscode-languageserver-types';
import { openStream, type Stream } from '../../server/src/engine/random/stream.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { service, token } from '../support/language.ts';
import { head, shortest, steps } from '../support/transcripts.ts';

/** A longer text begins anew. */
const LONGEST = 6_000;
/** After so many edits too, or every text would end up as noise. */
const PATIENCE = 150;

const beginnings: readonly string[] = [
  '',
  head() + steps(...shortest),
  head() + steps('ACTION: READ 28', 'ACTION: READ 55', 'ACTION: ANSWER x'),
  head('options: { step_budget_base: 3, step_budget_per_hop: 0, max_summary_tokens: 5 }\n') +
    steps('ACTION: READ 1', 'ACTION: DROP 1', 'ACTION: READ 1', 'THOUGHT: hm'),
  `${head('outcome: { reward: 0.95, correct: true, steps: 4, metrics: { n_reads: 2 } }\n')}${steps(...shortest)}`,
  `${head()}\n=== step 1 escaped finish=length input=1 output=2\n"ACTION: READ \\u0032"\n"8\\r\\n"\n=== reasoning\nwhy\n=== call look id=1\n{}\n`,
  `${head()}${steps('ACTION: READ 28')}\n=== verdict judge\n{"a": [1]}\n`.replaceAll('\n', '\r\n'),
];

const pieces: readonly string[] = [
  ...[
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    '\u2028',
    '\u0000',
    '\ud800',
    '\ufeff',
    '"',
    '\\',
    '`',
    ':',
    '::',
    '=',
    '---',
  ],
  ...[
    '=== step 2',
    '\n=== step 3\n',
    '\n=== step 1 escaped\n',
    '\n=== reasoning\n',
    '\n=== call a id=b\n',
    '\n=== verdict v\n',
  ],
  ...[
    'ACTION:',
    'ACTION: READ ',
    'ACTION: DROP ',
    'ACTION: COMPRESS 28 :: ',
    'ACTION: ANSWER ',
    'THOUGHT: chunk 55, S1 ',
  ],
  ...[
    '28',
    '55',
    'S1',
    '[28]',
    '999999999999',
    '٣',
    'Esteban Sakamoto',
    'Delphine Mbatha',
    '7401',
    '7397',
    'unknown',
  ],
  ...[
    'format: 1',
    'instance: hs1-train-18',
    'index: 3\n',
    'options: {',
    'context_ceiling: 400',
    'environment: x',
    '&a *a',
  ],
];

/** What the service says about a document: everything that replaying decides. */
function said(document: TextDocument, spoilers: boolean): string {
  const settings = { ...DEFAULTS, spoilers };
  const whole = Range.create(0, 0, document.lineCount, 0);
  return JSON.stringify([
    service.diagnostics(document, settings, token),
    service.inlayHints(document, whole, settings, token),
    service.documentSymbols(document, settings, token),
  ]);
}

/** What is asked while a person moves about; the answers are only looked at for their ranges. */
function askAround(document: TextDocument, stream: Stream, spoilers: boolean): void {
  const settings = { ...DEFAULTS, spoilers };
  const length = document.getText().length;
  const position = document.positionAt(stream.between(0, length));
  const there = Range.create(position, document.positionAt(stream.between(0, length)));
  service.hover(document, position, settings, token);
  service.definition(document, position, token);
  service.foldingRanges(document, token);
  service.documentLinks(document, token);
  service.semanticTokens(document, null, settings, token);
  for (const { textEdit } of service.completion(document, position, settings, token)) {
    if (!textEdit || !('range' in textEdit)) throw new Error('A completion without a place.');
  }
  for (const { edit } of service.codeActions(document, there, settings, token)) {
    // Edits that overlap or lie outside are refused here.
    TextDocument.applyEdits(document, edit?.changes?.[document.uri] ?? []);
  }
}

function randomEdit(
  document: TextDocument,
  stream: Stream,
): { readonly range: Range; readonly text: string } {
  const length = document.getText().length;
  // Without its front matter nothing is replayed, so it is mostly left alone.
  const front = stream.chance(0.97) ? Math.max(0, document.getText().indexOf('\n---')) : 0;
  const at = stream.between(front, length);
  const removed = stream.chance(0.4) ? stream.between(0, stream.chance(0.1) ? length : 12) : 0;
  const end = Math.min(length, at + removed);
  const text = removed > 0 && stream.chance(0.5) ? '' : stream.pick(pieces);
  return { range: Range.create(document.positionAt(at), document.positionAt(end)), text };
}

/**
 * Makes `count` edits.
 *
 * @param seed the same one makes the same edits
 * @throws Error with seed, number of the edit and text when two answers differ or a feature throws
 */
export function fuzzTranscripts(count: number, seed: string): void {
  const stream = openStream('fuzz', 'transcripts', seed);
  let document = TextDocument.create('file:///fuzz.episode', 'hopscope-episode', 1, '');
  for (let edit = 0; edit < count; edit++) {
    if (edit % PATIENCE === 0 || document.getText().length > LONGEST) {
      document = TextDocument.create(document.uri, 'hopscope-episode', 1, stream.pick(beginnings));
    }
    const change = randomEdit(document, stream);
    document = TextDocument.update(document, [change], document.version + 1);
    const spoilers = stream.chance(0.8);
    try {
      const fresh = TextDocument.create(document.uri, 'hopscope-episode', 1, document.getText());
      if (said(document, spoilers) !== said(fresh, spoilers))
        throw new Error('Replaying what changed differs.');
      askAround(document, stream, spoilers);
    } catch (error) {
      const text = JSON.stringify(document.getText());
      throw new Error(`seed ${seed}, edit ${edit}, text ${text}`, { cause: error });
    }
  }
}
