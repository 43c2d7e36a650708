/** `hopscope probe`: what a run shows beside its score, such as reward without the task. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ProbeFigure, ProbeSection } from '../../engine/environments/probes.ts';
import { type Counts, countEpisodes, type Run, type RunEpisode } from '../../engine/evals/run-data.ts';
import { groupRows } from '../../engine/evals/summarize.ts';
import { counted, fixed, grouped } from '../../engine/text/numbers.ts';
import { visible } from '../../engine/text/visible.ts';
import { Failure } from '../../host/failure.ts';
import { openRunInstances, type RunInstances } from '../../host/run-instances.ts';
import { readRun } from '../../host/runs/read-run.ts';
import type { ExitCode, Runner } from '../command.ts';
import type { Shell } from '../shell.ts';
import { type Column, type Row, renderTable } from '../table.ts';
import { wrapText } from '../wrap.ts';
import { runName } from './compare-report.ts';

interface ProbeChoice {
  readonly run: string;
  readonly instances?: readonly string[];
  readonly by?: string;
  readonly json?: boolean;
}

/** What the probes keep of one episode. */
interface Probed {
  readonly episode: RunEpisode;
  readonly row: unknown;
}

/** Adds the command to the program. */
export function addProbe(program: Command, run: Runner): void {
  program
    .command('probe')
    .summary('look for reward without the task in a run')
    .description(
      'Plays the scored episodes of a run again and prints what its environment looks for beside the score: signs of ' +
        'reward without the task, and where the steps went.',
    )
    .argument('<run>', 'run folder')
    .option('--instances <files...>', 'JSONL files of instances that the run does not say how to make again')
    .option('--by <grouping>', 'a report for each group as well, e.g. n_hops')
    .option('--json', 'one line of JSON: {"section": {"figure": {"value", "n", "over"}}}')
    .addHelpText(
      'after',
      `
Examples:
  hopscope probe outputs/*--terse--1a2b3c4d
  hopscope probe outputs/*--terse--1a2b3c4d --by n_hops --json`,
    )
    .action((folder: string, choice) => run(probeCommand)({ ...choice, run: folder }));
}

async function probeCommand(choice: ProbeChoice, shell: Shell): Promise<ExitCode> {
  const run = await readRun(choice.run, { problem: shell.problem, signal: shell.signal });
  const instances = await openRunInstances(run, choice.instances ?? [], shell.problem, shell.signal);
  const { probes, groupings = [] } = instances.environment;
  if (probes === undefined) throw new Failure('request', `${instances.environment.id} has no probes.`);
  const { by } = choice;
  if (by !== undefined && !groupings.some(({ id }) => id === by)) {
    const known = groupings.map(({ id }) => id).join(', ');
    throw new Failure('request', `${instances.environment.id} has no grouping ${by}; it has ${known}.`);
  }
  const probed = await probeEpisodes(run, instances, (states) => probes.row(states), shell);
  if (probed.length === 0)
    throw new Failure('run', `No episode of ${choice.run} is scored and can be played again.`);
  const sections = probes.report(probed.map(({ row }) => row));
  const groups = by === undefined ? [] : groupRows(probed, ({ episode }) => episode.groups[by]);
  const byGroup = groups.map(([value, rows]) => ({
    value,
    sections: probes.report(rows.map(({ row }) => row)),
  }));
  const counts = countEpisodes(run.episodes, run.info.requested);
  if (choice.json) {
    const json = {
      run: run.info.id,
      ...counts,
      probed: probed.length,
      ...sectionsJson(sections),
      ...(by === undefined
        ? {}
        : {
            by: {
              [by]: Object.fromEntries(byGroup.map((it) => [String(it.value), sectionsJson(it.sections)])),
            },
          }),
    };
    await shell.out.write(`${JSON.stringify(json)}\n`);
  } else {
    const columns = byGroup.map(({ value, sections: list }) => ({ title: `${by} ${value}`, sections: list }));
    await shell.out.write(
      `${heading(run, counts, probed.length, shell)}\n${tables(sections, columns, shell)}`,
    );
  }
  return shell.problems === 0 ? 0 : 1;
}

/** Rows of the scored episodes. Those that cannot be played again, or end otherwise than recorded, are told of. */
async function probeEpisodes(
  { episodes }: Run,
  instances: RunInstances,
  rowOf: (states: readonly unknown[]) => unknown,
  shell: Shell,
): Promise<readonly Probed[]> {
  const scored = episodes.filter(({ outcome }) => outcome !== null);
  const progress = shell.progress('probe', scored.length);
  const probed: Probed[] = [];
  for (const [position, episode] of scored.entries()) {
    // Lets a signal in: nothing else here waits for anything outside.
    await breathe();
    shell.signal.throwIfAborted();
    const refolded = await instances.refold(episode);
    if (!refolded.ok) shell.problem(refolded.error);
    else {
      const found = instances.environment.outcome(refolded.value.states.at(-1)).reward;
      if (found !== episode.outcome?.reward) {
        shell.problem(
          `Episode ${episode.task} on ${episode.instanceId} scores ${found} now; ${episode.outcome?.reward} is recorded.`,
        );
      }
      probed.push({ episode, row: rowOf(refolded.value.states) });
    }
    progress.update(position + 1);
  }
  progress.clear();
  return probed;
}

function sectionsJson(sections: readonly ProbeSection[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    sections.map(({ id, figures }) => [
      id,
      Object.fromEntries(figures.map((it) => [it.id, { value: it.value, n: it.n, over: it.over }])),
    ]),
  );
}

function heading({ info }: Run, counts: Counts, probed: number, { style }: Shell): string {
  const { requested, scored, errored, unfinished } = counts;
  const list = `${counted(requested, 'episode')} requested, ${grouped(scored)} scored, ${grouped(errored)} errored, ${grouped(unfinished)} unfinished`;
  const title = style.bold(`${info.environment} · ${visible(info.label)} · ${runName(info)}`);
  return `${title}\n${list}; figures are over ${grouped(probed)}.\n`;
}

interface GroupColumn {
  readonly title: string;
  readonly sections: readonly ProbeSection[];
}

function tables(sections: readonly ProbeSection[], groups: readonly GroupColumn[], { style }: Shell): string {
  const right = (title: string): Column => ({ title, align: 'right' });
  return sections
    .map((section) => {
      const columns: Column[] = [
        { title: section.title, align: 'left' },
        right('value'),
        { title: 'over', align: 'left' },
        ...groups.map(({ title }) => right(title)),
      ];
      const rows = section.figures.map((figure): Row => {
        const others = groups.map((group) => {
          const same = group.sections.find(({ id }) => id === section.id);
          return valueText(same?.figures.find(({ id }) => id === figure.id));
        });
        return [figure.label, valueText(figure), overText(figure), ...others];
      });
      const about = wrapText(section.description, style.width).split('\n');
      return `${renderTable(columns, rows, style)}${about.map((line) => `${style.dim(line)}\n`).join('')}`;
    })
    .join('\n');
}

/** What a figure is taken over, e.g. `3 misses in the right section`, `1 summary`. */
export function overText({ n, over }: Pick<ProbeFigure, 'n' | 'over'>): string {
  const noun = n === 1 ? over.replace(/ies(?= in |$)|(?<=ss)es(?= in |$)|s(?= in |$)/, singularEnd) : over;
  return `${grouped(n)} ${noun}`;
}

function singularEnd(end: string): string {
  return end === 'ies' ? 'y' : '';
}

function valueText(figure: ProbeFigure | undefined): string {
  if (figure === undefined || figure.value === null) return '–';
  return figure.kind === 'count' ? grouped(figure.value) : fixed(figure.value);
}
