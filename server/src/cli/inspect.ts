/** `hopscope inspect`: one instance, laid out for a person. */
import { type Command, Option } from 'commander';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { suggest } from '../engine/text/nearest.ts';
import { Failure } from '../host/failure.ts';
import { parseInstance } from '../host/instance-index.ts';
import { inputName, readLines } from '../host/jsonl.ts';
import { maxIndex, wholeNumber } from './arguments.ts';
import type { ExitCode } from './main.ts';
import type { Runner } from './program.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  findSplit,
  optionsOf,
  withEnvironment,
} from './selection.ts';
import type { Shell } from './shell.ts';
import { counted } from './table.ts';

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
      'Shows one instance as Markdown: the question, the chain of evidence hop by hop, the distractors with the ' +
        'wrong answer each would give, and the map of the document. It tells the answer.',
    )
    .addOption(new Option('-s, --split <name>', 'a split').conflicts('file'))
    .addOption(
      new Option('--index <i>', 'position in the split or file, from 0 (default: 0)').argParser(
        wholeNumber(0, maxIndex),
      ),
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
  return shell.problems === 0 ? 0 : 1;
}

async function findInstance(
  environment: Environment,
  choice: InspectChoice,
  shell: Shell,
): Promise<AnyInstance> {
  const { file, split, index = 0 } = choice;
  if (file !== undefined) return readInstance(environment, { ...choice, file }, shell);
  if (split === undefined)
    throw new Failure('request', 'Name an instance: --split with --index, or --file with --id.');
  if (choice.id !== undefined)
    throw new Failure('request', '--id goes with --file; in a split, use --index.');
  const generated = environment.generate(
    findSplit(environment, split).id,
    index,
    optionsOf(environment, choice),
  );
  if (generated.ok) return generated.value.instance;
  throw new Failure('run', `There is no instance ${index} of ${split}: ${generated.error}.`);
}

/** The instance of that id in a file, or the one at an index (the first when none is given). */
async function readInstance(
  environment: Environment,
  { file, id, index = 0 }: InspectChoice & { readonly file: string },
  shell: Shell,
): Promise<AnyInstance> {
  const name = inputName(file);
  const ids: string[] = [];
  for await (const line of readLines(file, shell.signal)) {
    const instance = line.ok ? parseInstance(environment, line.text) : line;
    if (!instance.ok) {
      shell.problem(`${name} line ${line.number} ${instance.error}.`);
      continue;
    }
    if (id === undefined ? ids.length === index : instance.value.id === id) return instance.value;
    ids.push(instance.value.id);
  }
  if (ids.length === 0) throw new Failure('run', `There is no instance in ${name}.`);
  if (id === undefined) {
    throw new Failure(
      'request',
      `${name} holds ${counted(ids.length, 'instance')}, counted from 0, so none at ${index}.`,
    );
  }
  throw new Failure('request', `${name} holds no instance ${id}.${suggest(id, ids.slice(0, 5000))}`);
}
