/** Evals of learning methods: streams played with models or scripted policies, and what was learned. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import type { StreamInfo, StreamRow, Streams } from '../engine/environments/streams.ts';
import { checkSampling } from '../engine/evals/check-sampling.ts';
import { modelResponder, openAsker, policyResponder } from '../engine/evals/responder.ts';
import type { RunAgent } from '../engine/evals/run-data.ts';
import { preparePrompt } from '../engine/prompts/render-prompt.ts';
import { suggest } from '../engine/text/nearest.ts';
import { findEnvironment } from '../host/data/environments.ts';
import { hashOf } from '../host/data/open.ts';
import { Failure } from '../host/failure.ts';
import { type Learner, openMethod } from '../host/streams/learner.ts';
import { runStreamInFile, streamFileName } from '../host/streams/open-stream.ts';
import { noTokens, type Tokens } from '../host/streams/play-served.ts';
import { openPublishedFiles, type PublishedFiles } from '../host/streams/published-files.ts';
import { runStream, type StreamRun } from '../host/streams/run-stream.ts';
import type { EpisodeRow, StreamConfig } from '../host/streams/stream-file.ts';
import { openUserMethod } from '../host/streams/user-method.ts';
import type { ExitCode } from './main.ts';
import { type Stage, withStage } from './play.ts';
import { chosenBaseUrl, openJudge } from './run-model.ts';
import type { ModelChoice } from './run-options.ts';
import { checkPolicies, type ReadPrompt, type RunChoice, readPrompt } from './run-request.ts';
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
      `The episodes of ${environment.id} do not come in streams: leave --method, --stream and --size out.`,
    );
  }
  const { streams, files: data } = source(environment, own, choice.published);
  const list = chooseStreams(streams, data === null ? choice : { size: 'published', ...choice });
  const players = await choosePlayers(choice, environment, prompts);
  const methods = choice.method ?? [firstMethod(streams)];
  const paths = methods.map((name) => methodFile(streams, name));
  return withStage({ tries: defaultTries, ...choice }, shell, async (stage): Promise<ExitCode> => {
    const tallies: Tally[] = [];
    for (const player of players) {
      for (const [at, name] of methods.entries()) {
        const file = paths[at] ?? null;
        tallies.push(
          await playMethod({ environment, streams, data, list, player, name, file, choice, stage }),
        );
      }
    }
    if (choice.json) {
      for (const tally of tallies)
        await stage.out.write(`${JSON.stringify({ summary: summaryOf(tally) })}\n`);
    } else {
      await stage.out.write(streamTables(tallies, list, shell.style));
      if (choice.leaderboard && streams.leaderboard !== undefined) {
        await stage.out.write(`\n${leaderboardTable(streams.leaderboard, shell.style)}`);
      }
    }
    return 0;
  });
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
  folder: string | undefined,
): { readonly streams: AnyStreams; readonly files: PublishedFiles | null } {
  if (folder === undefined) return { streams: own, files: null };
  if (own.published === undefined) {
    throw new Failure('request', `Nobody publishes streams for ${environment.id}: leave --published out.`);
  }
  const files = openPublishedFiles(path.resolve(folder));
  return { streams: own.published.open(files.read), files };
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

interface Play {
  readonly environment: Environment;
  readonly streams: AnyStreams;
  /** The files that tasks come from; null for tasks of ours. */
  readonly data: PublishedFiles | null;
  readonly list: readonly StreamInfo[];
  readonly player: Player;
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
      learning = plus(learning, end.learning);
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
    price: stage.models.price(player.agent),
  };
}

async function playStream(play: Play, stream: string, told: (row: EpisodeRow) => void) {
  const { environment, streams, player, name, file, choice, stage } = play;
  const judgeModel = choice.judgeModel;
  const given =
    judgeModel === undefined ? choice : { ...choice, option: { judge: 'model', ...choice.option } };
  const options = optionsOf(environment, given);
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
      ...asked(play, judgeModel),
      signal: stage.soft,
      told,
    };
    // What was paid for is always kept.
    const out = choice.out ?? (player.agent.kind === 'model' ? defaultOut : null);
    if (out === null) return await runStream({ ...run, recorded: null, keep: () => undefined });
    const at = path.join(out, streamFileName(player.name, stream, name));
    return await runStreamInFile(run, at, configOf(play, stream));
  } finally {
    await learner.close();
  }
}

/** Who is asked for what. */
function asked(
  { environment, player, stage }: Play,
  judgeModel: string | undefined,
): Pick<StreamRun<AnyInstance, unknown, unknown>, 'respond' | 'teach' | 'judge'> {
  const { agent, prompt } = player;
  const nothing = { requests: 0, input: 0, output: 0, dollars: null, estimated: 0 };
  if (agent.kind === 'policy') {
    const policy = environment.policies.find(({ id }) => id === agent.policy);
    if (policy === undefined) throw new Failure('request', `There is no policy ${agent.policy}.`);
    return {
      respond: (instance) => policyResponder(policy, instance, agent.seed, []),
      teach: null,
      judge: null,
    };
  }
  if (prompt === null) throw new Failure('request', 'Name a step prompt for a model to play with.');
  const model = stage.models.open(agent, nothing);
  const asker = openAsker(environment, preparePrompt(prompt.parsed));
  return {
    respond: () => modelResponder(asker, model, agent.sampling, 0),
    teach: (messages, signal) => model.complete({ messages, sampling: agent.sampling }, signal),
    judge: openJudge(stage.models, agent, judgeModel),
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
function configOf(
  { environment, streams, data, player, name, file, choice }: Play,
  stream: string,
): StreamConfig {
  const { agent, prompt } = player;
  return {
    scenario: stream,
    method: name,
    method_hash: file === null ? null : hashOf(readFileSync(file)),
    model: player.name,
    environment: environment.id,
    generator_version: environment.generatorVersion,
    options: choice.option ?? {},
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
  return { agent, method, tasks: rows.length, ...report, tokens: spending(tally), dollars: dollarsOf(tally) };
}

function plus(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cache_input: a.cache_input + b.cache_input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    calls: a.calls + b.calls,
  };
}
