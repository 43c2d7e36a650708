/** How command lines are read: what the argument parser does by itself is not quite what people expect. */
import type { Command, Option } from 'commander';
import { visible } from '../engine/text/visible.ts';
import type { Shell } from './shell.ts';

/**
 * Goes over all commands, which must be there already:
 *
 * - an unknown option is reported before a missing one, which may be the same one mistyped;
 * - an option that takes one value may be given once; those whose parser takes what was given before gather values;
 * - nobody means a file or folder without a name;
 * - what came from the command line is shown without what a terminal would obey.
 */
export function readStrictly(program: Command, { show }: Pick<Shell, 'show'>): void {
  const outputError = (text: string) => show(text.split(ownLineEnd).map(visible).join('\n'));
  const needed = new Map<Command, readonly Option[]>();
  for (const command of program.commands) {
    needed.set(
      command,
      command.options.filter((option) => option.mandatory),
    );
    for (const option of command.options) {
      option.mandatory = false;
      if (option.required) watchValues(command, option);
    }
    command.configureOutput({ outputError });
  }
  program.configureOutput({ outputError });
  // Called when everything else about the command line is as it should be.
  program.hook('preAction', (_program, command) => {
    for (const option of needed.get(command) ?? []) {
      if (command.getOptionValue(option.attributeName()) !== undefined) continue;
      command.error(`error: required option '${option.flags}' not specified`);
    }
  });
}

function watchValues(command: Command, option: Option): void {
  const gathers = option.variadic || (option.parseArg?.length ?? 0) > 1;
  const isPath = /<(?:file|files\.\.\.|folder)>/.test(option.flags);
  let given = 0;
  command.on(`option:${option.name()}`, (value: string) => {
    given++;
    if (given > 1 && !gathers) command.error(`error: option '${option.flags}' is there twice; give it once`);
    if (isPath && value === '') {
      command.error(`error: option '${option.flags}' argument '' is invalid. Give a path.`);
    }
  });
}

/** Line ends that the parser itself makes. */
const ownLineEnd = /\n(?=\(Did you mean |$)/;
