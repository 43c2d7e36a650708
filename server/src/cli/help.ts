/** `hopscope help`, and how help looks. */
import type { Command } from 'commander';
import { suggest } from '../engine/text/nearest.ts';
import { named } from '../engine/text/visible.ts';
import { Failure } from '../host/failure.ts';
import type { Shell } from './shell.ts';
import { fitHelp } from './wrap.ts';

/** Columns for descriptions below which they are not set beside what they describe. */
const leastDescription = 20;

/**
 * Lays help out for the width there is. Must be called before commands are added, which take this over.
 *
 * @param print receives what goes to standard output.
 */
export function layOutHelp(
  program: Command,
  { style, noteStyle, show }: Shell,
  print: (text: string) => void,
): void {
  program
    .configureOutput({
      writeOut: (text) => print(fitHelp(text, style.width)),
      writeErr: (text) => show(fitHelp(text, noteStyle.width)),
      getOutHelpWidth: () => style.width,
      getErrHelpWidth: () => noteStyle.width,
    })
    .configureHelp({ minWidthToWrap: leastDescription });
}

/** Adds the command; it knows all others that are there when it runs. */
export function addHelp(program: Command): void {
  const find = (name: string): Command => {
    const found = program.commands.find((command) => command.name() === name);
    if (found !== undefined) return found;
    const known = program.commands.map((command) => command.name());
    throw new Failure('request', `There is no command ${named(name)}.${suggest(name, known)}`);
  };
  program
    .helpCommand(false)
    .command('help')
    .description('Prints help for a command.')
    .summary('print help for a command')
    .argument('[command]', 'which command')
    .action((name?: string) => (name === undefined ? program : find(name)).outputHelp());
  // `hopscope nonsense --help` would print the help of the program.
  program.on('beforeHelp', () => {
    const [name] = program.args;
    if (name !== undefined && !name.startsWith('-')) find(name);
  });
}
