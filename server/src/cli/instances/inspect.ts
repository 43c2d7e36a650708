/** `hopscope inspect`: one instance, laid out for a person. */
import { type Command, Option } from 'commander';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { suggest } from '../../engine/text/nearest.ts';
import { named } from '../../engine/text/visible.ts';
import { Failure } from '../../host/failure.ts';
import { parseInstance, unsoundness } from '../../host/instance-index.ts';
import { inputName, readLines } from '../../host/jsonl.ts';
import { maxIndex, wholeNumber } from '../arguments.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { counted } from '../table.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  findSplit,
  optionsOf,
  refuseIdleOptions,
  withEnvironment,
} from './selection.ts';

interface InspectChoice extends EnvironmentChoice {
  readonly split?: string;
  readonly index?: number;
  readonly file?: string;
  readonly id?: string;
  readonly json?: boolean;
}

/** Adds the command to the program. */
export function addInspect(program: Command, run: Runner): void {
  const inspect = program
    .command('inspect')
    .summary('show one instance to a person')
    .description(
      'Shows one instance as Markdown: what is asked, the evidence, what looks like evidence and where it leads, and how ' +
        'the text is laid out. It tells the answer. An instance that is not sound is shown all the same, but the exit ' +
        'code is 1.',
    )
    .addOption(new Option('-s, --split <name>', 'a split').conflicts('file'))
    .addOption(
      new Option(
        '--index <i>',
        'position in the split, or among the lines of the file, from 0 (default: 0)',
      ).argParser(wholeNumber(0, maxIndex)),
    )
    .option('--file <file>', 'JSONL file of instances; - is standard input')
    .addOption(new Option('--id <id>', 'id of the instance in the file').conflicts('index'))
    .option('--json', 'the instance as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  hopscope inspect --split id_test --index 0
  hopscope inspect --file train.jsonl --id hs1-train-17`,
    )
    .action(run(inspectCommand));
  withEnvironment(inspect);
}

async function inspectCommand(choice: InspectChoice, shell: Shell): Promise<ExitCode> {
  const environment = chooseEnvironment(choice);
  const instance = await findInstance(environment, choice, shell);
  const text =
    choice.json || environment.describe === undefined
      ? `${JSON.stringify(instance, null, choice.json ? 0 : 2)}\n`
      : environment.describe(instance);
  await shell.out.write(text);
  const reasons = unsoundness(environment, instance);
  if (reasons.length > 0) shell.problem(`${instance.id} is not sound: ${reasons.join(', ')}.`);
  return shell.problems === 0 ? 0 : 1;
}

async function findInstance(
  environment: Environment,
  choice: InspectChoice,
  shell: Shell,
): Promise<AnyInstance> {
  const { file, split: name, index = 0 } = choice;
  const makes = file === undefined;
  if (makes && name === undefined)
    throw new Failure('request', 'Name an instance: --split with --index, or --file with --id.');
  refuseIdleOptions(environment, choice, { makes, plays: false, command: 'inspect' });
  if (file !== undefined) return readInstance(environment, { ...choice, file }, shell);
  if (choice.id !== undefined)
    throw new Failure('request', '--id goes with --file; in a split, use --index.');
  const split = findSplit(environment, name ?? '', choice.option);
  if (index >= split.size && !split.finite) {
    const size = counted(split.size, 'instance');
    shell.note(`${split.id} has ${size}, counted from 0, so ${index} is a fresh one.`);
  }
  const generated = environment.generate(split.id, index, optionsOf(environment, choice));
  if (generated.ok) return generated.value.instance;
  throw new Failure('run', `There is no instance ${index} of ${split.id}: ${generated.error}.`);
}

/** The instance of that id in a file, or the one on the line at an index; the first one when neither is given. */
async function readInstance(
  environment: Environment,
  { file, id, index }: InspectChoice & { readonly file: string },
  shell: Shell,
): Promise<AnyInstance> {
  const name = inputName(file);
  const ids: string[] = [];
  // Blank lines aside, as everywhere.
  let position = 0;
  for await (const line of readLines(file, shell.signal)) {
    shell.signal.throwIfAborted();
    const where = `${name} line ${line.number}`;
    const instance = line.ok ? parseInstance(environment, line.text) : line;
    if (instance.ok) {
      const isWanted = id === undefined ? (index ?? position) === position : instance.value.id === id;
      if (isWanted) return instance.value;
      ids.push(instance.value.id);
    } else if (index === position) {
      throw new Failure('run', `${where}, which has index ${index}, ${instance.error}.`);
    } else shell.problem(`${where} ${instance.error}.`);
    position++;
  }
  if (ids.length === 0) throw new Failure('run', `There is no instance in ${name}.`);
  if (id !== undefined)
    throw new Failure('request', `${name} holds no instance ${named(id)}.${suggest(id, ids.slice(0, 5000))}`);
  const held = position === ids.length ? counted(position, 'instance') : counted(position, 'line');
  throw new Failure('request', `${name} holds ${held}, counted from 0, so none at ${index ?? 0}.`);
}
