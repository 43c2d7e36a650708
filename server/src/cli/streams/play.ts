/** Playing streams with one agent and one method: who is asked, at whose expense, and where rows are kept. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { StreamInfo, StreamRow } from '../../engine/environments/streams.ts';
import { modelResponder, openAsker, policyResponder } from '../../engine/evals/responder.ts';
import type { RunAgent } from '../../engine/evals/run-data.ts';
import { preparePrompt } from '../../engine/prompts/render-prompt.ts';
import { counted } from '../../engine/text/numbers.ts';
import { explain, Failure } from '../../host/failure.ts';
import { type Learner, openMethod } from '../../host/streams/learner.ts';
import { methodHash } from '../../host/streams/method-files.ts';
import { runStreamInFile, type TakenUp } from '../../host/streams/open-stream.ts';
import { addTokens, noTokens, tokensOf } from '../../host/streams/play-served.ts';
import type { PublishedFiles } from '../../host/streams/published-files.ts';
import { runStream, type StreamRun } from '../../host/streams/run-stream.ts';
import {
  type EpisodeRow,
  type LostLine,
  readStreamFile,
  type StreamConfig,
} from '../../host/streams/stream-file.ts';
import { openUserMethod } from '../../host/streams/user-method.ts';
import type { RawOptions } from '../arguments.ts';
import type { Stage } from '../evals/play.ts';
import { optionsOf } from '../instances/selection.ts';
import { type Account, type Agents, nothingSpent, openJudge } from '../runs/model.ts';
import type { ModelChoice } from '../runs/options.ts';
import { judgedOptions, type ReadPrompt, type RunChoice } from '../runs/request.ts';
import { beginning, countsOf, playedEvent, streamDone, streamStart } from './events.ts';
import type { StreamChoice } from './options.ts';
import type { Tally } from './table.ts';

/** What the command line says. */
export interface StreamsChoice extends RunChoice, ModelChoice, StreamChoice {
  readonly out?: string;
  readonly estimate?: boolean;
}

/** Who plays: a policy, or a model with a prompt. */
export interface Player {
  readonly name: string;
  /** What tells it from the others in tables. */
  readonly label: string;
  readonly agent: RunAgent;
  readonly prompt: ReadPrompt | null;
}
export type AnyStreams = NonNullable<Environment['streams']>;
/** The hash of a method's files; null for a shipped method. @throws Failure */
export function fileHash(file: string | null): string | null {
  if (file === null) return null;
  try {
    // Reading a pipe or a device may never end.
    if (!statSync(file).isFile()) throw new Failure('request', `${file} is no file; name one with a method.`);
    return methodHash(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('request', `Cannot read ${file}: ${explain(error)}.`);
  }
}
/** Who is asked. */
function agentsOf({ agent }: Player, { judgeModel }: StreamsChoice): Agents {
  return { agent, ...(judgeModel === undefined ? {} : { judge: judgeModel }) };
}

/** The options of the episodes: those of the prompt, and over them those that were given. */
function optionsGiven({ environment, player, choice }: Omit<Play, 'places'>): RawOptions {
  return { ...player.prompt?.parsed.options, ...judgedOptions(environment, choice) };
}

/** What all models of the command spend from: one budget for all methods and streams; null where nobody is asked. */
export function accountFor(
  player: Player,
  choice: StreamsChoice,
  { models }: Stage,
  shared: Account | null,
): Account | null {
  if (player.agent.kind === 'policy') return null;
  return models.account(agentsOf(player, choice), nothingSpent, shared ?? undefined);
}

/** Where a stream is kept; nowhere when `file` is null. */
export interface StreamPlace {
  readonly file: string | null;
  readonly config: StreamConfig;
}

/** What playing one agent with one method takes. */
export interface Play {
  readonly environment: Environment;
  readonly streams: AnyStreams;
  /** The files that tasks come from; null for tasks of ours. */
  readonly data: PublishedFiles | null;
  readonly list: readonly StreamInfo[];
  readonly player: Player;
  readonly account: Account | null;
  readonly name: string;
  readonly file: string | null;
  /** Of the content of the file. */
  readonly hash: string | null;
  /** Where each stream is kept, and as what; filled in by `planStreams`. */
  readonly places: ReadonlyMap<string, StreamPlace>;
  readonly choice: StreamsChoice;
  readonly stage: Stage;
}

/** Where the rows of models are kept unless asked otherwise. */
export const defaultOut = 'results';

/** All streams with one agent and one method, which begins each of them with an empty memory. */
export async function playMethod(play: Play): Promise<Tally> {
  const { streams, list, player, name, choice, stage } = play;
  const rows: EpisodeRow[] = [];
  const lost: LostLine[] = [];
  let learning = noTokens;
  const progress = stage.shell.progress(`${player.label} ${name}`, undefined);
  let folder: string | null = null;
  const say = (line: object) => (choice.json ? stage.out.write(`${JSON.stringify(line)}\n`) : undefined);
  const finishing = () =>
    stage.shell.note(
      'Finishing the requests under way; Ctrl-C again stops at once. The same command goes on.',
    );
  if (player.agent.kind === 'model') stage.soft.addEventListener('abort', finishing, { once: true });
  try {
    for (const info of list) {
      const { id } = info;
      const { file, config } = placeOf(play, id);
      const counts = countsOf(play, info, recordedIn({ file, config }));
      const start = streamStart(file, config, info, counts);
      folder ??= start.start.folder;
      await say(start);
      const end = await playStream(play, id, (row) => {
        rows.push(row);
        progress.update(rows.length);
        void say(playedEvent(row));
      });
      learning = addTokens(learning, end.learning);
      lost.push(...end.lost);
      rows.splice(0, rows.length, ...rows.filter(({ scenario }) => scenario !== id), ...end.rows);
      if (choice.json && !choice.brief) {
        for (const row of end.rows) await stage.out.write(`${JSON.stringify({ episode: row })}\n`);
      }
    }
  } finally {
    stage.soft.removeEventListener('abort', finishing);
    progress.clear();
  }
  await say(streamDone(folder, rows));
  const report = streams.score(rows.map((row): StreamRow => ({ ...row, stream: row.scenario })));
  return {
    agent: player.label,
    method: name,
    report,
    rows,
    learning,
    lost,
    prices: stage.models.prices(agentsOf(player, choice)),
  };
}

async function playStream(play: Play, stream: string, told: (row: EpisodeRow) => void) {
  const { environment, streams, player, file, choice, stage } = play;
  const options = optionsOf(environment, { ...choice, option: optionsGiven(play) });
  const learner = await openLearner(play);
  if (fileHash(file) !== play.hash) {
    await learner.close();
    throw new Failure('run', `The file ${file} changed while it was used; begin again.`);
  }
  try {
    const run: Omit<StreamRun<AnyInstance, unknown, unknown>, 'recorded' | 'keep'> = {
      environment,
      streams,
      stream,
      options,
      learner,
      model: player.name,
      windows: choice.windows ?? null,
      concurrency: choice.concurrency,
      ...asked(play),
      signal: stage.soft,
      hard: stage.hard,
      told,
      room: () => roomOf(play),
    };
    const { file: at, config } = placeOf(play, stream);
    if (at === null) return await runStream({ ...run, recorded: null, keep: () => undefined });
    const recorded = (taken: TakenUp) => {
      charge(play, taken);
      stage.shell.note(...takenNotes(at, taken));
    };
    return await runStreamInFile(run, at, config, recorded, beginning(play, defaultOut));
  } finally {
    await learner.close();
  }
}

function placeOf({ places }: Play, stream: string): StreamPlace {
  const place = places.get(stream);
  if (place === undefined) throw new Failure('request', `Nobody has planned where to keep ${stream}.`);
  return place;
}

/** How many tasks of a stream are recorded. */
function recordedIn({ file, config }: StreamPlace): number {
  return file === null ? 0 : (readStreamFile(file, config)?.rows.length ?? 0);
}

/** What is not taken up as it stands, and what comes of that. */
function takenNotes(file: string, { damaged, again }: TakenUp): string[] {
  return [
    ...(damaged === 0
      ? []
      : [
          `${file}: ${counted(damaged, 'line')} cannot be read or changed since this program wrote them, so they are left out ` +
            'and what they told of is played again.',
        ]),
    ...(again === 0
      ? []
      : [
          `${file}: ${counted(again, 'episode')} of a block that is not whole or not in place will be played again; what they ` +
            'took stays in the totals.',
        ]),
  ];
}

/** How many requests may still be sent; null for any number. */
function roomOf({ account, choice }: Play): number | null {
  const most = choice.limit?.requests;
  return most === undefined || account === null ? null : most - account.agent.spent.requests;
}

/** What is recorded was paid for, and counts in the budget. */
function charge({ account }: Play, { rows, updates, lost }: TakenUp): void {
  if (account === null) return;
  const own = [...[...rows, ...lost].map((row) => row.tokens), ...updates.map(({ tokens }) => tokens)];
  const parts = [
    [account.agent, own],
    [account.judge, [...rows, ...lost].map((row) => row.judge_tokens)],
  ] as const;
  for (const [spending, list] of parts) {
    const { input, output, cache_input, calls } = list.map(tokensOf).reduce(addTokens, noTokens);
    for (let request = 0; request < calls; request++) spending.request();
    spending.usage({ input, output, cachedInput: cache_input });
  }
}

/** Who is asked for what. */
function asked({
  environment,
  player,
  account,
  choice,
  stage,
}: Play): Pick<StreamRun<AnyInstance, unknown, unknown>, 'respond' | 'teach' | 'judge'> {
  const { agent, prompt } = player;
  if (agent.kind === 'policy') {
    const policy = environment.policies.find(({ id }) => id === agent.policy);
    if (policy === undefined) throw new Failure('request', `There is no policy ${agent.policy}.`);
    return {
      respond: (instance) => policyResponder(policy, instance, agent.seed, []),
      teach: null,
      judge: null,
    };
  }
  if (prompt === null || account === null)
    throw new Failure('request', 'Name a step prompt for a model to play with.');
  const model = stage.models.open(agent, account.agent);
  const asker = openAsker(environment, preparePrompt(prompt.parsed));
  return {
    respond: () => modelResponder(asker, model, agent.sampling, 0),
    teach: (messages, signal) => model.complete({ messages, sampling: agent.sampling }, signal),
    judge: openJudge(stage.models, agentsOf(player, choice), account),
  };
}

async function openLearner({ streams, name, file, stage }: Play): Promise<Learner> {
  if (file !== null) {
    const print = (text: string) => stage.shell.note(...text.trimEnd().split('\n'));
    const stopped = (sentence: string) => stage.shell.note(sentence);
    return openUserMethod(file, path.basename(file), { print, signal: stage.soft, stopped });
  }
  const method = streams.methods.find(({ id }) => id === name);
  if (method === undefined) throw new Failure('request', `There is no method ${name}.`);
  return openMethod(method);
}

/** Everything that decides what comes out: a file is gone on with only under the same. */
export function configOf(play: Omit<Play, 'places'>, stream: string): StreamConfig {
  const { environment, streams, data, player, name, choice } = play;
  const { agent, prompt } = player;
  return {
    scenario: stream,
    method: name,
    method_hash: play.hash,
    model: player.name,
    environment: environment.id,
    generator_version: environment.generatorVersion,
    options: optionsGiven(play),
    windows: choice.windows ?? null,
    data: data === null ? null : data.hashOf(() => void streams.open(stream)),
    judge: choice.judgeModel ?? null,
    ...(agent.kind === 'model'
      ? { sampling: agent.sampling, extra_body: agent.extraBody, prompt: prompt?.run.hash ?? null }
      : { policy: agent.policy, seed: agent.seed }),
  };
}
