/** `hopscope data`: the files from outside that some environments need. */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { DataSet } from '../engine/environments/data-set.ts';
import { suggest } from '../engine/text/nearest.ts';
import { named } from '../engine/text/visible.ts';
import { checkData, describeState } from '../host/data/check.ts';
import { dataSets, environments, setsOf } from '../host/data/environments.ts';
import { fetchData } from '../host/data/fetch.ts';
import { cacheFolder, namedFolder, nameFolder } from '../host/data/folders.ts';
import { megabytes } from '../host/data/open.ts';
import { Failure } from '../host/failure.ts';
import type { ExitCode, Runner } from './command.ts';
import type { Shell } from './shell.ts';
import { counted, grouped, renderLegend, renderTable } from './table.ts';

interface DataChoice {
  readonly action: string;
  readonly set?: string;
  readonly from?: string;
  readonly commit?: string;
}

/** What the command does by its first argument. */
const actions: Readonly<Record<string, (choice: DataChoice, shell: Shell) => Promise<ExitCode>>> = {
  list: listData,
  fetch: fetchCommand,
  check: checkCommand,
  where: whereCommand,
};

/** Adds `--data` to the whole program; every command looks there before it looks at what was fetched. */
export function withDataFolder(program: Command): void {
  program
    .option(
      '--data <folder>',
      'where the data of environments are, before what "data fetch" got; or HOPSCOPE_DATA',
    )
    .hook('preAction', () => {
      const { data } = program.opts<{ data?: string }>();
      if (data === undefined) return;
      if (!existsSync(data)) throw new Failure('request', `Bad --data: there is no folder ${named(data)}.`);
      nameFolder(data);
    });
}

/** Adds the command to the program. */
export function addData(program: Command, run: Runner): void {
  program
    .command('data')
    .summary('list, fetch and check the data that environments need')
    .description(
      'Some environments ask about published data that are not part of this program. They are read from the folder ' +
        'that --data or HOPSCOPE_DATA names, or fetched once from the commit that is pinned here. Every file is held ' +
        'against its SHA-256, and nothing is fetched unless "data fetch" asks for it.',
    )
    .argument('[action]', 'list, fetch, check or where', 'list')
    .argument('[set]', 'which data set; all when left out, except for "fetch"')
    .addOption(new Option('--from <address>', 'fetch: a mirror of the source’s root'))
    .addOption(
      new Option('--commit <hash>', 'fetch: another commit of the source; the files must be the same'),
    )
    .addHelpText(
      'after',
      `
Examples:
  hopscope data
  hopscope data fetch SET
  hopscope data check SET --data ~/data`.replaceAll('SET', dataSets[0]?.id ?? 'SET'),
    )
    .action((action: string, set: string | undefined, choice: Omit<DataChoice, 'action' | 'set'>) =>
      run(dataCommand)({ ...choice, action, ...(set === undefined ? {} : { set }) }),
    );
}

function dataCommand(choice: DataChoice, shell: Shell): Promise<ExitCode> {
  const action = Object.hasOwn(actions, choice.action) ? actions[choice.action] : undefined;
  if (action === undefined) {
    const sentence = `"data" does not know ${named(choice.action)}.${suggest(choice.action, Object.keys(actions))}`;
    throw new Failure('request', sentence);
  }
  if (action !== fetchCommand && (choice.from !== undefined || choice.commit !== undefined)) {
    throw new Failure('request', '--from and --commit belong to "data fetch".');
  }
  return action(choice, shell);
}

/** The data sets that are meant. @throws Failure with the nearest name. */
function chosenSets({ set }: DataChoice): readonly DataSet[] {
  if (set === undefined) return dataSets;
  const found = dataSets.filter(({ id }) => id === set);
  if (found.length > 0) return found;
  const known = dataSets.map(({ id }) => id);
  throw new Failure('request', `There are no data ${named(set)}.${suggest(set, known)}`);
}

async function listData(choice: DataChoice, shell: Shell): Promise<ExitCode> {
  const sets = chosenSets(choice);
  const rows = sets.map((set) => {
    const { good, missing, bad } = checkData(set);
    const state =
      bad.length > 0 ? 'damaged' : missing.length === 0 ? 'here' : good > 0 ? 'in part' : 'not here';
    const users = environments
      .filter((one) => setsOf(one).some(({ id }) => id === set.id))
      .map(({ id }) => id);
    return [set.id, users.join(', '), grouped(set.files.length), megabytes(set), state];
  });
  const columns = [
    { title: 'data', align: 'left' },
    { title: 'environment', align: 'left' },
    { title: 'files', align: 'right' },
    { title: 'size', align: 'right' },
    { title: 'state', align: 'left' },
  ] as const;
  const legend = sets.map(({ id, title, origin, commit }) => ({
    label: id,
    description: `${title}; ${origin}, commit ${commit.slice(0, 12)}.`,
  }));
  await shell.out.write(`${renderTable(columns, rows, shell.style)}\n${renderLegend(legend, shell.style)}`);
  return 0;
}

async function whereCommand(choice: DataChoice, shell: Shell): Promise<ExitCode> {
  const lines = [
    `named folder: ${namedFolder() ?? 'none; name one with --data or HOPSCOPE_DATA'}`,
    `fetched data: ${cacheFolder()}`,
    ...chosenSets(choice).map((set) => `${set.id}: ${checkData(set).folders.join(', ') || 'not here'}`),
  ];
  await shell.out.write(`${lines.join('\n')}\n`);
  return 0;
}

async function checkCommand(choice: DataChoice, shell: Shell): Promise<ExitCode> {
  let isWhole = true;
  const sets = chosenSets(choice);
  const states = sets.map((set) => ({ set, state: checkData(set) }));
  const isHere = ({ set, state }: (typeof states)[number]) => state.missing.length < set.files.length;
  // Of several nobody needs all; what is here has to be good.
  const checked = states.some(isHere) ? states.filter(isHere) : states;
  for (const { set, state } of checked) {
    const { good, missing, bad, folders } = state;
    const isThere = isHere({ set, state });
    for (const sentence of isThere ? describeState(set, state) : []) shell.problem(sentence);
    isWhole &&= good === set.files.length;
    const parts = [`${grouped(good)} of ${counted(set.files.length, 'file')} as published`];
    if (missing.length > 0) parts.push(`${grouped(missing.length)} missing`);
    if (bad.length > 0) parts.push(`${grouped(bad.length)} damaged`);
    const where = folders.length === 0 ? '' : `, in ${folders.join(' and ')}`;
    await shell.out.write(`${set.id}: ${parts.join(', ')}${where}\n`);
    if (!isThere) shell.note(`Get what is missing with: hopscope data fetch ${set.id}`);
  }
  return isWhole ? 0 : 1;
}

async function fetchCommand(choice: DataChoice, shell: Shell): Promise<ExitCode> {
  if (choice.set === undefined) {
    const known = dataSets.map(({ id }) => id).join(', ');
    throw new Failure('request', `Say which data to fetch: ${known}.`);
  }
  const { from, commit } = choice;
  if (from !== undefined && !/^https?:\/\/./.test(from)) {
    throw new Failure('request', `Bad --from: ${named(from)} is no address; for a folder use --data.`);
  }
  if (commit !== undefined && !/^[0-9a-f]{7,40}$/.test(commit)) {
    throw new Failure('request', `Bad --commit: ${named(commit)} is no hash of a commit.`);
  }
  const { openDownload } = await import('../host/data/download.ts'); // large
  for (const set of chosenSets(choice)) {
    if (commit !== undefined && set.files.some(({ sha256 }) => sha256 === null)) {
      const sentence = `--commit cannot be used for ${set.id}, whose files have no published hashes to tell them by.`;
      throw new Failure('request', sentence);
    }
    shell.note(`Fetching ${set.title} (${megabytes(set)}): ${set.origin}.`);
    const progress = shell.progress(`fetch ${set.id}`, set.files.length);
    const { download, close } = openDownload();
    try {
      const { folder, fetched, kept } = await fetchData({
        set,
        ...(from === undefined ? {} : { from }),
        ...(commit === undefined ? {} : { commit }),
        signal: shell.signal,
        download,
        wait: (ms) => setTimeout(ms, undefined, { signal: shell.signal }),
        progress: progress.update,
      });
      progress.clear();
      const before = kept === 0 ? '' : `, ${grouped(kept)} were there`;
      await shell.out.write(`${set.id}: ${counted(fetched, 'file')} fetched${before}, all in ${folder}\n`);
    } finally {
      progress.clear();
      await close();
    }
  }
  return 0;
}
