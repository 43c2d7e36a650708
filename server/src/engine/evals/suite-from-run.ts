/** Taking the failures of a run for a suite of their own. */
import { accept, type Checked, refuse } from '../problem.ts';
import type { Run, RunEpisode } from './run-data.ts';
import type { Suite, SuiteMember } from './suites.ts';

/** Which instances of a run go into a suite. */
export interface SuiteChoice {
  readonly name: string;
  readonly description?: string;
  /** Causes; empty for all episodes that are scored and not correct. `provider-error` is a cause, too. */
  readonly causes: readonly string[];
  /** Whether to keep hashes, for runs that have them. */
  readonly pin: boolean;
}

/**
 * The instances of a run on which at least one episode failed as `choice` says, in the order of the run.
 *
 * @param file that holds the instances without an index, relative to where the suite will be; null when there is none.
 * @returns an error, a sentence without its full stop, when none did or one cannot be found again.
 */
export function suiteFromRun(run: Run, choice: SuiteChoice, file: string | null): Checked<Suite> {
  const { info } = run;
  const { causes } = choice;
  const known = new Set(run.episodes.flatMap(({ cause }) => (cause === null ? [] : [cause])));
  const isChosen = ({ outcome, cause }: RunEpisode): boolean =>
    causes.length > 0 ? cause !== null && causes.includes(cause) : outcome !== null && !outcome.correct;
  const chosen = new Set(run.episodes.filter(isChosen).map(({ instanceId }) => instanceId));
  const members: SuiteMember[] = [];
  for (const { instanceId: id, instanceHash, split, index } of run.episodes) {
    // Each instance once, at its first episode.
    if (!chosen.delete(id)) continue;
    const source = split !== null && index !== null ? { split, index } : file === null ? null : { file, id };
    if (source === null) {
      return refuse(`The run does not say where ${id} comes from: name the file of its instances`);
    }
    members.push({ source, id, hash: choice.pin ? instanceHash : null });
  }
  if (members.length === 0) return refuse(nothingChosen(causes, [...known].sort()));
  return accept({
    name: choice.name,
    description: choice.description ?? '',
    environment: info.environment,
    generatorVersion: info.generatorVersion,
    options: info.options,
    members,
    origin: { run: info.id, label: info.label, chosen: causes.length === 0 ? ['failed'] : causes },
  });
}

function nothingChosen(causes: readonly string[], known: readonly string[]): string {
  const found = known.length === 0 ? 'it has no failures' : `its causes are ${known.join(', ')}`;
  if (causes.length === 0) return `No scored episode of the run failed (${found})`;
  return `No episode of the run failed by ${causes.join(' or ')}: ${found}`;
}
