/** Runs one command line from start to exit code. */
import { CommanderError } from 'commander';
import { Failure } from '../host/failure.ts';
import { BrokenPipe } from '../host/sink.ts';
import { buildProgram } from './program.ts';
import { openShell, type Shell } from './shell.ts';

/** What shells expect of a program that Ctrl-C, a plain `kill` or a lost terminal ended: 128 and the signal's number. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

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
  process.exit(await carryOut(argv, shell));
}

async function carryOut(argv: readonly string[], shell: Shell): Promise<number> {
  let code: number = 0;
  const printed: string[] = [];
  const program = buildProgram(shell, {
    done(result) {
      code = result;
    },
    print: (text) => printed.push(text),
  });
  try {
    await program.parseAsync(argv).catch((error: unknown) => {
      // Help and version are errors to the parser only.
      if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
    });
    if (printed.length > 0) await shell.out.write(printed.join(''));
    shell.finish();
  } catch (error) {
    shell.finish();
    code = explainEnd(error, shell);
  }
  return code;
}

/** The exit code for whatever ended a command early; says why where there is anything to say. */
function explainEnd(error: unknown, { note, reached }: Shell): number {
  if (error instanceof BrokenPipe) return 0;
  if (error instanceof Stopped) {
    note(reached === undefined ? 'Stopped.' : `Stopped: ${reached}.`);
    return error.exitCode;
  }
  // The parser has said what is wrong.
  if (error instanceof CommanderError) return 2;
  if (error instanceof Failure) {
    note(error.message);
    return error.kind === 'request' ? 2 : 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  note(`Something went wrong that should not, which is a defect of this program: ${message}`);
  if (process.env['HOPSCOPE_DEBUG'] && error instanceof Error) note(...(error.stack ?? '').split('\n'));
  return 1;
}
