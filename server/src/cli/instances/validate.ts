/** `hopscope validate`: whether the instances of files, or of an environment's splits, are sound. */
import type { Command } from 'commander';
import { visible } from '../../engine/text/visible.ts';
import { findEnvironment } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { parseInstance, recognizeEnvironment } from '../../host/instance-index.ts';
import { inputName, readLines } from '../../host/jsonl.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { counted, grouped } from '../table.ts';
import {
  chooseEnvironment,
  type EnvironmentChoice,
  optionsOf,
  refuseIdleOptions,
  withEnvironment,
  withSplits,
  withWorkers,
} from './selection.ts';
import { type SplitsChoice, validateSplits } from './validate-splits.ts';

interface ValidateChoice extends EnvironmentChoice, SplitsChoice {
  readonly files: readonly string[];
  /** Whether `environment` is what somebody asked for, not what holds when nobody does. */
  readonly isNamed: boolean;
}

/** Unsound instances listed one by one; after that many only the counts go on. */
const listed = 20;

/** Adds the command to the program. */
export function addValidate(program: Command, run: Runner): void {
  const validate = program
    .command('validate')
    .summary('check instances in files, or all of an environment')
    .description(
      'Checks every instance of JSONL files, or those of the splits of an environment that is named instead. Unless ' +
        '--environment or --option is given, the first instance tells whose they are. Where ' +
        'an answer is stated, it is read back from the text; where one is graded, the environment grades it. Exit ' +
        'code 1 when any is not sound. "hopscope docs" says what the reason codes mean.',
    )
    .argument('<files...>', 'JSONL files of instances, - is standard input; or an environment')
    .option('--json', 'one line per instance: {"id", "reasons"}; one per split of an environment')
    .addHelpText(
      'after',
      `
Examples:
  hopscope validate train.jsonl id_test.jsonl
  hopscope validate ENVIRONMENT
  hopscope validate ENVIRONMENT --split train -n 100
  hopscope generate --split train -n 20 | hopscope validate --json -`,
    )
    .action((files: readonly string[], choice, command: Command) => {
      const isNamed = command.getOptionValueSource('environment') !== 'default';
      return run(validateCommand)({ ...choice, files, isNamed });
    });
  withWorkers(withEnvironment(withSplits(validate)));
}

async function validateCommand(choice: ValidateChoice, shell: Shell): Promise<ExitCode> {
  const [name = ''] = choice.files;
  if (choice.files.length === 1 && findEnvironment(name) !== undefined) {
    const named = { ...choice, environment: name };
    const all = chooseEnvironment(named);
    refuseIdleOptions(all, named, { makes: true, plays: true, command: 'validate' });
    return validateSplits(all, choice, shell);
  }
  if (choice.split !== undefined) {
    throw new Failure(
      'request',
      'Files have no splits: name an environment in place of files, or leave --split out.',
    );
  }
  let environment = chooseEnvironment(choice);
  refuseIdleOptions(environment, choice, { makes: false, plays: true, command: 'validate' });
  let options = optionsOf(environment, choice);
  let isKnown = choice.isNamed || choice.option !== undefined;
  const progress = shell.progress('validate', undefined);
  const counts = new Map<string, number>();
  const seen = new Map<string, string>();
  const repeated: string[] = [];
  let sound = 0;
  let unsound = 0;
  let foreign = 0;
  let told = 0;
  for (const path of choice.files) {
    const strangers = new Map<string, number[]>();
    for await (const line of readLines(path, shell.signal)) {
      shell.signal.throwIfAborted();
      const where = `${inputName(path)} line ${line.number}`;
      const recognized = line.ok && !isKnown ? recognizeEnvironment(line.text) : undefined;
      if (recognized !== undefined) {
        isKnown = true;
        environment = recognized;
        options = optionsOf(environment, choice);
      }
      const instance = line.ok ? parseInstance(environment, line.text) : line;
      if (!instance.ok) {
        const other = line.ok ? recognizeEnvironment(line.text) : undefined;
        if (other === undefined || other.id === environment.id) shell.problem(`${where} ${instance.error}.`);
        else {
          const lines = strangers.get(other.id) ?? [];
          lines.push(line.number);
          strangers.set(other.id, lines);
        }
        continue;
      }
      const reasons = environment.validate(instance.value, options);
      const { id } = instance.value;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, where);
      else repeated.push(`${where} that of ${first}`);
      if (reasons.length === 0) sound++;
      else unsound++;
      // A reason is counted by its code: what follows the colon names the place.
      for (const reason of reasons) {
        const code = reason.split(':', 1)[0] ?? reason;
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      if (choice.json) await shell.out.write(`${JSON.stringify({ id, reasons })}\n`);
      else if (reasons.length > 0 && unsound <= listed) {
        progress.clear();
        await shell.out.write(`${visible(`${where}: ${id} is not sound: ${reasons.join(', ')}`)}\n`);
      }
      progress.update(sound + unsound);
    }
    for (const [id, lines] of strangers) {
      foreign += lines.length;
      told++;
      shell.problem(describeStrangers(inputName(path), id, lines, environment.id));
    }
  }
  progress.clear();
  if (sound + unsound + shell.problems === 0) {
    throw new Failure('run', `There is no instance in ${choice.files.map(inputName).join(', ')}.`);
  }
  const [example] = repeated;
  if (example !== undefined) {
    const some = repeated.length === 1 ? '1 line repeats' : `${grouped(repeated.length)} lines repeat`;
    shell.note(`Remark: ${some} an id, ${example}; where figures are taken only the first one counts.`);
  }
  // Strangers are told of once for each file and environment.
  const unread = shell.problems - told;
  if (!choice.json) await shell.out.write(describeCounts(sound, unsound, { unread, foreign }, counts));
  return unsound + shell.problems === 0 ? 0 : 1;
}

/** That a file holds instances of another environment, and how to validate them. */
function describeStrangers(name: string, id: string, lines: readonly number[], wanted: string): string {
  const [first = 0, ...others] = lines;
  const which = others.length === 0 ? `Line ${first}` : `Lines ${first} and ${grouped(others.length)} more`;
  const are = others.length === 0 ? 'is an instance' : 'are instances';
  return `${which} of ${name} ${are} of ${id}, not of ${wanted}: validate with --environment ${id}, each environment by itself.`;
}

function describeCounts(
  sound: number,
  unsound: number,
  { unread, foreign }: { readonly unread: number; readonly foreign: number },
  counts: ReadonlyMap<string, number>,
): string {
  const more = unsound > listed ? `… and ${grouped(unsound - listed)} more that are not sound\n` : '';
  const parts = [`${grouped(sound)} sound`];
  if (unsound > 0) parts.push(`${grouped(unsound)} not sound`);
  if (unread > 0) parts.push(`${counted(unread, 'line')} that ${unread === 1 ? 'is' : 'are'} no instance`);
  if (foreign > 0) parts.push(`${grouped(foreign)} of another environment`);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([code, n]) => `  ${code} ${grouped(n)}\n`);
  return `${more}${parts.join(', ')}\n${reasons.join('')}`;
}
