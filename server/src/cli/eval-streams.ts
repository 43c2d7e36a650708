/** Evals of learning methods: streams played with models or scripted policies, and what was learned. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import type { StreamInfo, StreamRow, Streams } from '../engine/environments/streams.ts';
import { checkSampling } from '../engine/evals/check-sampling.ts';
import { modelResponder, openAsker, policyResponder } from '../engine/evals/responder.ts';
import type { RunAgent } from '../engine/evals/run-data.ts';
import { refuse } from '../engine/problem.ts';
import { preparePrompt } from '../engine/prompts/render-prompt.ts';
import { suggest } from '../engine/text/nearest.ts';
import { findEnvironment } from '../host/data/environments.ts';
import { hashOf } from '../host/data/open.ts';
import { Failure } from '../host/failure.ts';
import { type Learner, openMethod } from '../host/streams/learner.ts';
import { runStreamInFile, streamFileName } from '../host/streams/open-stream.ts';
import { addTokens, noTokens, tokensOf } from '../host/streams/play-served.ts';
import { openPublishedFiles, type PublishedFiles } from '../host/streams/published-files.ts';
import { runStream, type StreamRun } from '../host/streams/run-stream.ts';
import type { EpisodeRow, Recorded, StreamConfig } from '../host/streams/stream-file.ts';
import { openUserMethod } from '../host/streams/user-method.ts';
import type { RawOptions } from './arguments.ts';
import { flagOf, streamOptions } from './eval-modes.ts';
import type { ExitCode } from './main.ts';
import { type Stage, withStage } from './play.ts';
import { type Account, type Agents, chosenBaseUrl, nothingSpent, openJudge } from './run-model.ts';
import type { ModelChoice } from './run-options.ts';
import { checkPolicies, judgedOptions, type ReadPrompt, type RunChoice, readPrompt } from './run-request.ts';
import { chooseEnvironment, optionsOf } from './selection.ts';
import type { Shell } from './shell.ts';
import type { StreamChoice } from './stream-options.ts';
import { dollarsOf, leaderboardTable, spending, streamTables, type Tally } from './stream-table.ts';

export interface StreamsChoice extends RunChoice, ModelChoice, StreamChoice {
  readonly out?: string;
}

/** Who plays: a policy, or a model with a prompt. */
interface Player {
  readonly name: string;
  readonly agent: RunAgent;
  readonly prompt: ReadPrompt | null;
}

/** How often a request is sent unless asked otherwise: eight retries are part of what is measured. */
const defaultTries = 9;

/** Plays every stream with every method and prints what came of it. */
export async function evalStreams(choice: StreamsChoice, shell: Shell): Promise<ExitCode> {
  const { environment, prompts } = await chooseStage(choice);
  const { streams: own } = environment;
  if (own === undefined) {
    throw new Failure(
      'request',
      `The episodes of ${environment.id} do not come in streams: leave ${flags(choice)} out.`,
    );
  }
  const { streams, list, files: data } = source(environment, own, choice);
  checkWindows(list, choice.windows);
  if (choice.leaderboard && streams.leaderboard === undefined) {
    throw new Failure('request', `Nobody publishes results for ${environment.id}: leave --leaderboard out.`);
  }
  const players = await choosePlayers(choice, environment, prompts);
  const methods = choice.method ?? [firstMethod(streams)];
  const paths = methods.map((name) => methodFile(streams, name));
  return withStage({ tries: defaultTries, ...choice }, shell, async (stage): Promise<ExitCode> => {
    const tallies: Tally[] = [];
    let account: Account | null = null;
    for (const player of players) {
      account = accountFor(player, choice, stage, account);
      for (const [at, name] of methods.entries()) {
        const file = paths[at] ?? null;
        tallies.push(
          await playMethod({ environment, streams, data, list, player, account, name, file, choice, stage }),
        );
      }
    }
    if (choice.json) {
      for (const tally of tallies)
        await stage.out.write(`${JSON.stringify({ summary: summaryOf(tally) })}\n`);
      if (choice.leaderboard) {
        await stage.out.write(`${JSON.stringify({ leaderboard: streams.leaderboard })}\n`);
      }
    } else {
      await stage.out.write(streamTables(tallies, list, shell.style));
      if (choice.leaderboard && streams.leaderboard !== undefined) {
        await stage.out.write(`\n${leaderboardTable(streams.leaderboard, shell.style)}`);
      }
    }
    return 0;
  });
}

/** The options that make an eval one of streams, as they were given. */
function flags({ given = [] }: StreamsChoice): string {
  return given
    .filter((name) => streamOptions.some((it) => it === name))
    .map(flagOf)
    .join(', ');
}

/** The environment may be named in the place of a prompt, as there may be none; otherwise prompts name it. */
async function chooseStage(choice: StreamsChoice): Promise<{
  readonly environment: Environment;
  readonly prompts: readonly ReadPrompt[];
}> {
  const names = choice.prompts.filter((name) => findEnvironment(name) !== undefined && !existsSync(name));
  const prompts: ReadPrompt[] = [];
  for (const file of choice.prompts) if (!names.includes(file)) prompts.push(await readPrompt(file));
  const wanted = new Set([...names, ...prompts.map(({ parsed }) => parsed.environment)]);
  if (choice.given?.includes('environment')) wanted.add(choice.environment);
  if (wanted.size > 1) {
    throw new Failure('request', `These are for different environments: ${[...wanted].join(', ')}.`);
  }
  const [environment = choice.environment] = wanted;
  return { environment: chooseEnvironment({ ...choice, environment }), prompts };
}

type AnyStreams = NonNullable<Environment['streams']>;

/** The environment's own streams, or those of the data set in a folder. */
function source(
  environment: Environment,
  own: AnyStreams,
  choice: StreamsChoice,
): {
  readonly streams: AnyStreams;
  readonly list: readonly StreamInfo[];
  readonly files: PublishedFiles | null;
} {
  const { published: folder } = choice;
  if (folder === undefined) return { streams: own, list: chooseStreams(own, choice), files: null };
  if (own.published === undefined) {
    throw new Failure('request', `Nobody publishes streams for ${environment.id}: leave --published out.`);
  }
  const { set, open, filesOf } = own.published;
  let files: PublishedFiles | null = null;
  const streams = open((name) => files?.read(name) ?? refuse(`nobody has opened ${name} yet`));
  const list = chooseStreams(streams, { size: 'published', ...choice });
  const names = list.flatMap(({ id }) => filesOf(id));
  files = openPublishedFiles(set, folder === true ? null : path.resolve(folder), names);
  return { streams, list, files };
}

function chooseStreams<I, O, S>({ list }: Streams<I, O, S>, choice: StreamChoice): readonly StreamInfo[] {
  if (choice.stream !== undefined) {
    return choice.stream.map((name) => {
      const found = list.find(({ id }) => id === name);
      if (found !== undefined) return found;
      const known = list.map(({ id }) => id);
      throw new Failure('request', `There is no stream ${name}.${suggest(name, known)}`);
    });
  }
  const size = choice.size ?? 'mini';
  const found = list.filter((it) => it.size === size);
  if (found.length > 0) return found;
  throw new Failure(
    'request',
    `There is no size ${size}.${suggest(size, [...new Set(list.map((it) => it.size))])}`,
  );
}

/** @throws Failure for a window that none of the streams has. */
function checkWindows(list: readonly StreamInfo[], windows: readonly number[] = []): void {
  const most = Math.max(...list.map((it) => it.windows));
  const beyond = windows.find((window) => window >= most);
  if (beyond === undefined) return;
  const whose = list.length === 1 ? list[0]?.id : 'the longest of these streams';
  const sentence = `There is no window ${beyond}: ${whose} has ${most}, from 0 to ${most - 1}.`;
  throw new Failure('request', `Bad --windows: ${sentence}`);
}

/** The method that stands first is the one to compare with. */
function firstMethod<I, O, S>({ methods }: Streams<I, O, S>): string {
  return methods[0]?.id ?? '';
}

/** The file of a method; null for a shipped one. @throws Failure when it is neither. */
function methodFile<I, O, S>({ methods }: Streams<I, O, S>, name: string): string | null {
  const known = methods.map(({ id }) => id);
  if (known.includes(name)) return null;
  if (/[\\/.]/.test(name) && existsSync(name)) return path.resolve(name);
  throw new Failure(
    'request',
    `There is no method ${name}, and no file of that name.${suggest(name, known)}`,
  );
}

async function choosePlayers(
  choice: StreamsChoice,
  environment: Environment,
  prompts: readonly ReadPrompt[],
): Promise<readonly Player[]> {
  const { policy, seed, model } = choice;
  if (policy !== undefined) {
    const [file] = prompts;
    if (file !== undefined) {
      const sentence = `Policies read no step prompt on streams: name ${environment.id} in the place of ${file.run.path}.`;
      throw new Failure('request', sentence);
    }
    if (model !== undefined) throw new Failure('request', 'Name models or policies, not both.');
    checkPolicies(environment, policy);
    return policy.map((id) => ({ name: id, agent: { kind: 'policy', policy: id, seed }, prompt: null }));
  }
  const baseUrl = chosenBaseUrl(choice.baseUrl);
  if (prompts.length === 0) {
    throw new Failure('request', 'Name a step prompt for a model to play with, or policies with --policy.');
  }
  if (baseUrl === null) {
    throw new Failure('request', 'Say where the model is with --base-url or in HOPSCOPE_BASE_URL.');
  }
  const given = checkSampling(choice.sampling ?? {});
  if (!given.ok) throw new Failure('request', `Bad --sampling: ${given.error}.`);
  const players: Player[] = [];
  for (const prompt of prompts) {
    const models = model ?? (prompt.parsed.model === null ? [] : [prompt.parsed.model]);
    if (models.length === 0)
      throw new Failure('request', `Name a model with --model: ${prompt.run.path} does not.`);
    for (const name of models) {
      const sampling = { ...prompt.parsed.sampling, ...given.value };
      const extraBody = choice.extraBody ?? {};
      players.push({ name, agent: { kind: 'model', model: name, baseUrl, sampling, extraBody }, prompt });
    }
  }
  return players;
}

/** Who is asked. */
function agentsOf({ agent }: Player, { judgeModel }: StreamsChoice): Agents {
  return { agent, ...(judgeModel === undefined ? {} : { judge: judgeModel }) };
}

/** The options of the episodes: those of the prompt, and over them those that were given. */
function optionsGiven({ environment, player, choice }: Play): RawOptions {
  return { ...player.prompt?.parsed.options, ...judgedOptions(environment, choice) };
}

/** What all models of the command spend from: one budget for all methods and streams; null where nobody is asked. */
function accountFor(
  player: Player,
  choice: StreamsChoice,
  { models }: Stage,
  shared: Account | null,
): Account | null {
  if (player.agent.kind === 'policy') return null;
  return models.account(agentsOf(player, choice), nothingSpent, shared ?? undefined);
}

interface Play {
  readonly environment: Environment;
  readonly streams: AnyStreams;
  /** The files that tasks come from; null for tasks of ours. */
  readonly data: PublishedFiles | null;
  readonly list: readonly StreamInfo[];
  readonly player: Player;
  readonly account: Account | null;
  readonly name: string;
  readonly file: string | null;
  readonly choice: StreamsChoice;
  readonly stage: Stage;
}

/** Where the rows of models are kept unless asked otherwise. */
const defaultOut = 'results';

/** All streams with one agent and one method, which begins each of them with an empty memory. */
async function playMethod(play: Play): Promise<Tally> {
  const { streams, list, player, name, choice, stage } = play;
  const rows: EpisodeRow[] = [];
  let learning = noTokens;
  const progress = stage.shell.progress(`${player.name} ${name}`, undefined);
  try {
    for (const { id } of list) {
      const end = await playStream(play, id, async (row) => {
        rows.push(row);
        progress.update(rows.length);
      });
      learning = addTokens(learning, end.learning);
      rows.splice(0, rows.length, ...rows.filter(({ scenario }) => scenario !== id), ...end.rows);
      if (choice.json) {
        for (const row of end.rows) await stage.out.write(`${JSON.stringify({ episode: row })}\n`);
      }
    }
  } finally {
    progress.clear();
  }
  const report = streams.score(rows.map((row): StreamRow => ({ ...row, stream: row.scenario })));
  return {
    agent: player.name,
    method: name,
    report,
    rows,
    learning,
    prices: stage.models.prices(agentsOf(player, choice)),
  };
}

async function playStream(play: Play, stream: string, told: (row: EpisodeRow) => void) {
  const { environment, streams, player, name, file, choice, stage } = play;
  const options = optionsOf(environment, { ...choice, option: optionsGiven(play) });
  const learner = await openLearner(streams, name, file);
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
      told,
    };
    // What was paid for is always kept.
    const out = choice.out ?? (player.agent.kind === 'model' ? defaultOut : null);
    if (out === null) return await runStream({ ...run, recorded: null, keep: () => undefined });
    const at = path.join(out, streamFileName(player.name, stream, name));
    return await runStreamInFile(run, at, configOf(play, stream), (found) => charge(play, found));
  } finally {
    await learner.close();
  }
}

/** What is recorded was paid for, and counts in the budget. */
function charge({ account }: Play, { rows, updates }: Recorded): void {
  if (account === null) return;
  const own = [...rows.map((row) => row['tokens']), ...updates.map(({ tokens }) => tokens)];
  const parts = [
    [account.agent, own],
    [account.judge, rows.map((row) => row['judge_tokens'])],
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

async function openLearner<I, O, S>(
  streams: Streams<I, O, S>,
  name: string,
  file: string | null,
): Promise<Learner> {
  if (file !== null) return openUserMethod(file, path.basename(file));
  const method = streams.methods.find(({ id }) => id === name);
  if (method === undefined) throw new Failure('request', `There is no method ${name}.`);
  return openMethod(method);
}

/** Everything that decides what comes out: a file is gone on with only under the same. */
function configOf(play: Play, stream: string): StreamConfig {
  const { environment, streams, data, player, name, file, choice } = play;
  const { agent, prompt } = player;
  return {
    scenario: stream,
    method: name,
    method_hash: file === null ? null : hashOf(readFileSync(file)),
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

function summaryOf(tally: Tally): object {
  const { agent, method, report, rows } = tally;
  const { all: dollars, judge } = dollarsOf(tally);
  const tokens = spending(tally);
  return { agent, method, tasks: rows.length, ...report, tokens, dollars, judge_dollars: judge };
}
