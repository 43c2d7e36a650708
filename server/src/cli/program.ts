/** The command line as a whole; what each command takes and does is in its own file. */
import { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { addAudit } from './audit.ts';
import { addBaselines } from './baselines.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';
import { addData, withDataFolder } from './data.ts';
import { addDocs } from './docs.ts';
import { addEval } from './eval.ts';
import { addExport } from './export.ts';
import { addGenerate } from './generate.ts';
import { addHelp, layOutHelp } from './help.ts';
import { addInspect } from './inspect.ts';
import { addEnvironments, addPolicies } from './lists.ts';
import type { ExitCode } from './main.ts';
import { readStrictly } from './parsing.ts';
import { addProbe } from './probe.ts';
import { addReplay } from './replay.ts';
import { addResume } from './resume.ts';
import { addModels } from './run-models.ts';
import type { Shell } from './shell.ts';
import { addSuite } from './suite.ts';
import { addSummary } from './summary.ts';
import { addTeach } from './teach.ts';
import { addValidate } from './validate.ts';

/** Makes what the parser calls out of a command's work: `choice` are its options, as the parser read them. */
export type Runner = <C>(
  work: (choice: C, shell: Shell) => Promise<ExitCode>,
) => (choice: C) => Promise<void>;

const about =
  'Instances, episodes and evals for step prompts: prompts for agents that work one step at a time under a hard ' +
  'context budget.';

const examples = `
Examples:
  hopscope eval --policy oracle,random-reader --split id_test
  hopscope generate --split train --out train.jsonl
  hopscope inspect --split id_test --index 0
  hopscope help generate

Results go to standard output, messages to standard error.
Exit codes: 0 all well, 1 a check failed or something broke on the way, 2 the
command line cannot be carried out, 129, 130 or 143 when stopped (terminal
closed, Ctrl-C, kill).`;

/** Where the parser tells what came out. */
export interface ParserOutput {
  /** Receives the exit code of the command that ran. */
  done(code: ExitCode): void;
  /** Receives what the parser itself has for standard output: help, the version. */
  print(text: string): void;
}

/** Builds the parser. */
export function buildProgram(shell: Shell, { done, print }: ParserOutput): Command {
  const program = new Command('hopscope')
    .description(about)
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', examples)
    .exitOverride();
  layOutHelp(program, shell, print);
  withDataFolder(program);
  const run: Runner = (work) => async (choice) => done(await work(choice, shell));
  for (const add of [
    addGenerate,
    addValidate,
    addAudit,
    addInspect,
    addCheck,
    addReplay,
    addEval,
    addResume,
    addSummary,
    addCompare,
    addProbe,
    addSuite,
    addExport,
    addTeach,
    addBaselines,
    addModels,
    addPolicies,
    addEnvironments,
    addData,
    addDocs,
  ]) {
    add(program, run);
  }
  addHelp(program);
  readStrictly(program, shell);
  return program;
}
