/** The command line as a whole; what each command takes and does is in its own file. */
import { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { addCheck } from './checks/check.ts';
import type { ExitCode, Runner } from './command.ts';
import { addData, withDataFolder } from './data.ts';
import { addDocs } from './docs.ts';
import { addEval } from './evals/eval.ts';
import { addHelp, layOutHelp } from './help.ts';
import { addAudit } from './instances/audit.ts';
import { addBaselines } from './instances/baselines.ts';
import { addGenerate } from './instances/generate.ts';
import { addInspect } from './instances/inspect.ts';
import { addReplay } from './instances/replay.ts';
import { addTeach } from './instances/teach.ts';
import { addValidate } from './instances/validate.ts';
import { addEnvironments, addPolicies } from './lists.ts';
import { readStrictly } from './parsing.ts';
import { addCompare } from './runs/compare.ts';
import { addExport } from './runs/export.ts';
import { addModels } from './runs/models.ts';
import { addProbe } from './runs/probe.ts';
import { addResume } from './runs/resume.ts';
import { addSuite } from './runs/suite.ts';
import { addSummary } from './runs/summary.ts';
import type { Shell } from './shell.ts';

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
