/** Typing in a step prompt of 300 lines that is previewed on 128k tokens, through a real server over its standard streams. */
import { readFileSync } from 'node:fs';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ServerProcess } from '../support/server-process.ts';
import { atMost, percentile, type Row } from './measure.ts';

const LINES = 300;
const KEYSTROKES = 400;
const uri = 'file:///bench/long.step.md';

/** The shipped prompt with more advice in it, as people write it: prose, examples, conditions. */
function longPrompt(): string {
  const shipped = readFileSync('prompts/navigator/navigator.step.md', 'utf8');
  const advice = [
    '- Look up a name in the map before you READ: {{ceiling}} tokens are soon used up, and {{used}} of them are.',
    'ACTION: COMPRESS <ids> :: <what you still need>',
    '{{#is_last_step}}There is no other step after this one: say what you know.{{/is_last_step}}',
    '{{#held}}[{{id}}] {{#is_summary}}is yours, made of {{sources}}{{/is_summary}}{{/held}}',
  ];
  const missing = LINES - shipped.split('\n').length;
  const more = Array.from({ length: missing }, (_, at) => advice[at % advice.length]).join('\n');
  return shipped
    .replace('options: {}', 'options: { doc_tokens: 128000 }')
    .replace('\nuser:\n', () => `\n${more}\nuser:\n`);
}

/** Keystrokes in the prose, each followed by what the editor asks then. */
export async function promptRows(): Promise<Row[]> {
  const server = await ServerProcess.start();
  const saved = longPrompt();
  let document = TextDocument.create(uri, 'hopscope-prompt', 1, saved);
  await server.open(uri, 'hopscope-prompt', saved);

  async function type(stroke: number, ask: () => Promise<unknown>): Promise<number> {
    const text = document.getText();
    const at = text.indexOf('tokens are soon', (text.length * (stroke % 97)) / 100);
    const position = document.positionAt(Math.max(at, text.indexOf('tokens are soon')));
    const changes = [{ range: { start: position, end: position }, text: 'x' }];
    document = TextDocument.update(document, changes, document.version + 1);
    const start = performance.now();
    void server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: document.version },
      contentChanges: changes,
    });
    await ask();
    return performance.now() - start;
  }

  async function times(ask: () => Promise<unknown>): Promise<number> {
    const all: number[] = [];
    for (let stroke = -KEYSTROKES / 10; stroke < KEYSTROKES; stroke++) {
      const time = await type(Math.abs(stroke) * 13, ask);
      if (stroke >= 0) all.push(time);
    }
    return percentile(all, 0.95);
  }

  const diagnostics = await times(async () => {
    const report = await server.diagnostics(uri);
    if (report.kind !== 'full' || report.items.length > 0) throw new Error('the prompt is not clean');
  });
  const preview = await times(async () => {
    const { rendering } = await server.ask('hopscope/previewPrompt', { uri, place: { step: 3 }, saved });
    if (!rendering?.changed) throw new Error('no change is shown');
  });
  await server.stop();
  return [
    atMost(`keystroke in a prompt of ${LINES} lines to diagnostics, p95`, diagnostics, 8, 'ms'),
    atMost(`keystroke in it to its preview, p95`, preview, 16, 'ms'),
  ];
}
