/** `hopscope docs`: what step prompts for an environment may use. */
import type { Command } from 'commander';
import { documentation } from '../engine/environments/documentation.ts';
import type { ExitCode, Runner } from './command.ts';
import { chooseEnvironment, defaultEnvironment } from './instances/selection.ts';
import type { Shell } from './shell.ts';

/** Adds the command to the program. */
export function addDocs(program: Command, run: Runner): void {
  program
    .command('docs')
    .summary('explain the variables and options of an environment')
    .description(
      'Prints what a step prompt for an environment may use, as Markdown: its splits, its options, and every ' +
        'variable with its type and an example.',
    )
    .argument('[environment]', 'which environment', defaultEnvironment)
    .action(run(docsCommand));
}

async function docsCommand(environment: string, shell: Shell): Promise<ExitCode> {
  await shell.out.write(documentation(chooseEnvironment({ environment })).text);
  return 0;
}
