/** Runs one command line from start to exit code. */
import { CommanderError } from 'commander';
import { Failure } from '../host/failure.ts';
import { BrokenPipe } from '../host/sink.ts';
import { buildProgram } from './program.ts';
import { openShell } from './shell.ts';

/** 0: all well. 1: a check failed or something broke on the way. 2: the command line cannot be carried out. */
export type ExitCode = 0 | 1 | 2;

/** What shells expect of a program that Ctrl-C or a plain `kill` ended: 128 and the signal's number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The reason with which a signal ends the work under way. */
class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('stopped');
    this.exitCode = exitCode;
  }
}

/** Carries out `argv` (node, script, arguments…) and ends the process. */
export async function main(argv: readonly string[]): Promise<never> {
  const controller = new AbortController();
  for (const [name, code] of Object.entries(signalCodes)) {
    process.on(name, () => {
      // The second one does not wait for anything.
      if (controller.signal.aborted) process.exit(code);
      controller.abort(new Stopped(code));
    });
  }
  const shell = openShell(controller.signal);
  let code: number = 0;
  const program = buildProgram(shell, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(argv);
    shell.finish();
  } catch (error) {
    shell.finish();
    code = explainEnd(error, shell.note);
  }
  process.exit(code);
}

/** The exit code for whatever ended a command early; says why where there is anything to say. */
function explainEnd(error: unknown, note: (text: string) => void): number {
  if (error instanceof BrokenPipe) return 0;
  if (error instanceof Stopped) return error.exitCode;
  // Help and version are errors to the parser only, and it has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Failure) {
    note(error.message);
    return error.kind === 'request' ? 2 : 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  note(`Something went wrong that should not, which is a defect of this program: ${message}`);
  if (process.env['HOPSCOPE_DEBUG'] && error instanceof Error) note(error.stack ?? '');
  return 1;
}
