/** Typing in a transcript of sixty steps on a document of 128k tokens, through a real server over its standard streams. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ServerProcess } from '../support/server-process.ts';
import { atMost, percentile, type Row } from './measure.ts';

const STEPS = 60;
const KEYSTROKES = 400;
const uri = 'file:///bench/play.episode';

/** Every step is live: the step budget is raised, chunks are read and written down in turn, nothing is answered. */
function transcript(): string {
  const front = [
    'format: 1',
    'environment: navigator',
    'instance: hs1-train-5000-t128000',
    'options: { step_budget_base: 80, step_budget_per_hop: 0 }',
  ];
  const replies = Array.from({ length: STEPS }, (_, index) => {
    const chunk = 10 + (index >> 1);
    const thought = `THOUGHT: I look at chunk ${chunk}, since what I need may be in it, and keep what I can use of it.`;
    const held = index < 2 ? `${chunk}` : `S${index >> 1}, ${chunk}`;
    const action =
      index % 2 === 0 ? `READ ${chunk}` : `COMPRESS ${held} :: what I know after ${chunk} chunks`;
    return `=== step ${index + 1} input=900 output=60\n${thought}\nACTION: ${action}\n`;
  });
  return `---\n${front.join('\n')}\n---\n\n${replies.join('\n')}`;
}

/** A server with the transcript open, and the text as it has it. */
class Typist {
  readonly #server: ServerProcess;
  #document = TextDocument.create(uri, 'hopscope-episode', 1, transcript());

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  async open(): Promise<void> {
    await this.#server.open(uri, 'hopscope-episode', this.#document.getText());
    await this.#ask();
  }

  /** Milliseconds from a keystroke behind `snippet` of a step until diagnostics and hints are there. */
  async type(step: number, snippet: string, key: string): Promise<number> {
    const text = this.#document.getText();
    const at = text.indexOf(snippet, text.indexOf(`=== step ${step} `)) + snippet.length;
    const position = this.#document.positionAt(at);
    const changes = [{ range: { start: position, end: position }, text: key }];
    this.#document = TextDocument.update(this.#document, changes, this.#document.version + 1);
    const start = performance.now();
    void this.#server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: this.#document.version },
      contentChanges: changes,
    });
    await this.#ask();
    return performance.now() - start;
  }

  async #ask(): Promise<void> {
    const range = { start: { line: 0, character: 0 }, end: { line: this.#document.lineCount, character: 0 } };
    const [report, hints] = await Promise.all([
      this.#server.diagnostics(uri),
      this.#server.connection.sendRequest<readonly unknown[]>('textDocument/inlayHint', {
        textDocument: { uri },
        range,
      }),
    ]);
    if (report.kind !== 'full' || hints.length !== STEPS) throw new Error('not every step is live');
  }
}

/** Keystrokes in thoughts, which leave what is done as it is, and in summaries. */
export async function transcriptRows(): Promise<Row[]> {
  const server = await ServerProcess.start();
  const typist = new Typist(server);
  await typist.open();
  const anywhere: number[] = [];
  const last: number[] = [];
  for (let stroke = -KEYSTROKES / 10; stroke < KEYSTROKES; stroke++) {
    const step = (((stroke * 37) % STEPS) + STEPS) % STEPS;
    const snippet = step % 2 === 1 && stroke % 3 === 0 ? ':: what' : 'THOUGHT: I';
    const time = await typist.type(step + 1, snippet, 'x');
    if (stroke >= 0) anywhere.push(time);
  }
  for (let stroke = -KEYSTROKES / 10; stroke < KEYSTROKES; stroke++) {
    const time = await typist.type(STEPS, ':: what', 'x');
    if (stroke >= 0) last.push(time);
  }
  await server.stop();
  const what = `keystroke in ${STEPS} steps on 128k to diagnostics + hints`;
  return [
    atMost(`${what}, p95`, percentile(anywhere, 0.95), 16, 'ms'),
    atMost(`${what}, at the last step, p95`, percentile(last, 0.95), 3, 'ms'),
  ];
}
