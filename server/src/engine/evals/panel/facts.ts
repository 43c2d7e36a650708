/** What a panel says of a run before any figure. Texts of runs of other programs may be anything, so all are cut short. */
import { clip } from '../../text/clip.ts';
import type { RunFormat, RunInfo } from '../run-data.ts';
import type { EnvironmentNote } from './environment-note.ts';

export interface RunFacts {
  readonly id: string;
  readonly folder: string;
  readonly format: RunFormat;
  /** The prompt and who answered, e.g. `terse · gpt-5-mini`. */
  readonly title: string;
  readonly environment: string;
  /** What the instances are called in figures. */
  readonly label: string;
  readonly isSuite: boolean;
  /** ISO 8601; null when the folder does not say. */
  readonly created: string | null;
  readonly rollouts: number;
  readonly hasPrompt: boolean;
  /** What was asked, by name: model or policy, sampling, options… Values are short texts. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly groupings: readonly { readonly id: string; readonly label: string }[];
}

/** @param environment null where this version does not know it. */
export function runFacts(info: RunInfo, environment: EnvironmentNote | null): RunFacts {
  const { agent, prompt, options, shuffleSeed, generatorVersion, suite, rollouts } = info;
  const json = (value: unknown) => clip(JSON.stringify(value) ?? '', 300);
  const isEmpty = (value: object) => Object.keys(value).length === 0;
  const world = environment?.title ?? info.environment;
  const who = agent.kind === 'policy' ? agent.policy : agent.model === '' ? info.id : agent.model;
  return {
    id: clip(info.id, 80),
    folder: info.folder,
    format: info.format,
    title: clip([prompt?.name, who, info.stream?.method].filter((it) => it !== undefined).join(' · '), 120),
    environment: clip(world, 80),
    // Runs of other programs may name no split: what stands there is their environment.
    label: clip(info.label === info.environment ? world : info.label, 80),
    isSuite: suite !== null,
    created: info.created === null ? null : clip(info.created, 40),
    rollouts,
    hasPrompt: prompt !== null,
    settings: [
      agent.kind === 'policy'
        ? (['Policy', `${clip(agent.policy, 80)}, seed ${clip(agent.seed, 40)}`] as const)
        : (['Model', clip(agent.model === '' ? 'not recorded' : agent.model, 120)] as const),
      ...(agent.kind === 'model' && !isEmpty(agent.sampling)
        ? ([['Sampling', json(agent.sampling)]] as const)
        : []),
      ...(agent.kind === 'model' && agent.baseUrl !== null
        ? ([['Endpoint', clip(agent.baseUrl, 120)]] as const)
        : []),
      ...(isEmpty(options) ? [] : ([['Options', json(options)]] as const)),
      ...(suite === null ? [] : ([['Suite', clip(suite, 80)]] as const)),
      ...(rollouts > 1 ? ([['Rollouts', String(rollouts)]] as const) : []),
      ...(shuffleSeed === null ? [] : ([['Shuffle seed', String(shuffleSeed)]] as const)),
      ...(info.stream === undefined
        ? []
        : ([
            ['Method', clip(info.stream.method, 120)],
            ['Figures', 'of test tasks; those that the method learned from are in the list and in the curve'],
          ] as const)),
      ['Generator', generatorVersion === null ? 'another program' : `hopscope ${generatorVersion}`],
      ['Folder', info.folder],
    ],
    groupings: environment?.groupings ?? [],
  };
}
