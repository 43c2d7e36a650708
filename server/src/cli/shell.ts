/** What a command works with: its output, the person at the terminal, and the wish to stop. */
import { fileURLToPath } from 'node:url';
import { grouped } from '../engine/text/numbers.ts';
import { visible } from '../engine/text/visible.ts';
import { fileSink, type Sink, streamSink } from '../host/sink.ts';
import { openProgress, type Progress } from './progress.ts';
import { type Style, styleFor } from './style.ts';

/** Problems shown in full; a foreign file would give one for every line. */
const shownProblems = 20;

export interface Shell {
  /** Standard output: what was asked for, and nothing else. */
  readonly out: Sink;
  /** For standard output, and for standard error. */
  readonly style: Style;
  readonly noteStyle: Style;
  /** Fires on Ctrl-C and whatever else is to end the program. */
  readonly signal: AbortSignal;
  /** Absolute path of the worker that the pool runs. */
  readonly worker: string;
  /** Says something to the person, on standard error, a line each. */
  note(...lines: readonly string[]): void;
  /** Shows the person something that is laid out already, on standard error. */
  show(text: string): void;
  /** Says what is wrong with one thing while the others go on. After many only the number is kept. */
  problem(sentence: string): void;
  /** Problems so far; any makes the command fail. */
  readonly problems: number;
  /** Starts the one progress bar; notes appear above it. */
  progress(label: string, total: number | undefined): Progress;
  /** Where `--out` points, or standard output. */
  output(path: string | undefined): Promise<Sink>;
  /** How far the work got, e.g. `generate train had done 37 of 2,000`; undefined when nothing counted it. */
  readonly reached: string | undefined;
  /** Last words: how many problems were not shown; takes the progress bar away. */
  finish(): void;
}

/** The shell of this process. */
export function openShell(signal: AbortSignal): Shell {
  const { stdout, stderr } = process;
  // A closed standard error must not end the work.
  stderr.on('error', () => undefined);
  let bar: Progress | undefined;
  let reached: { readonly label: string; readonly total: number | undefined; done: number } | undefined;
  const sink = streamSink(stdout, signal);
  const out: Sink = {
    ...sink,
    async write(data) {
      // Lines that scroll by on a terminal do not mix with a bar.
      if (stdout.isTTY) bar?.clear();
      await sink.write(data);
    },
  };
  let problems = 0;
  const show = (text: string) => {
    bar?.clear();
    stderr.write(text);
  };
  const note = (...lines: readonly string[]) => show(lines.map((line) => `${visible(line)}\n`).join(''));
  return {
    out,
    style: styleFor(stdout),
    noteStyle: styleFor(stderr),
    signal,
    worker: fileURLToPath(new URL('./worker.js', import.meta.url)),
    note,
    show,
    problem(sentence) {
      problems++;
      if (problems <= shownProblems) note(sentence);
    },
    get problems() {
      return problems;
    },
    progress(label, total) {
      const drawn = openProgress(stderr, label, total);
      const state = { label, total, done: 0 };
      bar = drawn;
      reached = state;
      return {
        update(done) {
          state.done = done;
          drawn.update(done);
        },
        clear: drawn.clear,
      };
    },
    get reached() {
      if (reached === undefined) return undefined;
      const { label, total, done } = reached;
      return `${label} had done ${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`}`;
    },
    output: async (path) => (path === undefined || path === '-' ? out : fileSink(path, signal)),
    finish() {
      bar?.clear();
      const more = problems - shownProblems;
      if (more > 0) note(`… and ${more} more ${more === 1 ? 'problem' : 'problems'}.`);
    },
  };
}
