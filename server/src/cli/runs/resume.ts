/** `hopscope resume`: going on with runs that were stopped, killed or had errors. */
import type { Command } from 'commander';
import { openRunFolder } from '../../host/runs/folder.ts';
import type { ExitCode, Runner } from '../command.ts';
import { playFolders, withStage } from '../evals/play.ts';
import type { Shell } from '../shell.ts';
import { type ModelChoice, withModel } from './options.ts';

interface ResumeChoice extends ModelChoice {
  readonly runs: readonly string[];
}

/** Adds the command to the program. */
export function addResume(program: Command, run: Runner): void {
  const resume = program
    .command('resume')
    .summary('go on with runs that were stopped, killed or had errors')
    .description(
      'Plays what is left of each run: episodes that were not begun, those that stopped half-way, from their next step on, and ' +
        'those that failed at the endpoint. What has been replied is never asked for again. What is asked stays what it ' +
        'was: prompt, model, sampling, options and instances are those of the folder.',
    )
    .argument('<runs...>', 'run folders')
    .addHelpText(
      'after',
      `
The endpoint is the one of the run unless --base-url names another. HOPSCOPE_API_KEY
is only sent to an endpoint that --base-url or HOPSCOPE_BASE_URL names.

Examples:
  hopscope resume outputs/*--terse--1a2b3c4d
  hopscope resume outputs/*--terse--5e6f7a8b --base-url http://localhost:8001/v1`,
    )
    .action((runs: readonly string[], choice) => run(resumeCommand)({ ...choice, runs }));
  withModel(resume);
}

async function resumeCommand(choice: ResumeChoice, shell: Shell): Promise<ExitCode> {
  return withStage(choice, shell, async (stage) => {
    const folders = await Promise.all([...new Set(choice.runs)].map(openRunFolder));
    return playFolders(folders, [], stage);
  });
}
