/** Evals of learning methods: streams played with models or scripted policies, and what was learned. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../engine/environments/environment.ts';
import type { StreamInfo, Streams } from '../../engine/environments/streams.ts';
import { checkSampling } from '../../engine/evals/check-sampling.ts';
import { refuse } from '../../engine/problem.ts';
import { suggest } from '../../engine/text/nearest.ts';
import { findEnvironment } from '../../host/data/environments.ts';
import { Failure } from '../../host/failure.ts';
import { openPublishedFiles, type PublishedFiles } from '../../host/streams/published-files.ts';
import type { ExitCode } from '../command.ts';
import { withStage } from '../evals/play.ts';
import { chooseEnvironment } from '../instances/selection.ts';
import { type Account, chosenBaseUrl } from '../runs/model.ts';
import { checkPolicies, type ReadPrompt, readPrompt } from '../runs/request.ts';
import type { Shell } from '../shell.ts';
import { estimateStreams } from './estimates.ts';
import type { StreamChoice } from './options.ts';
import { labelled, planStreams, type Unplaced } from './plan.ts';
import {
  type AnyStreams,
  accountFor,
  fileHash,
  type Player,
  playMethod,
  type StreamsChoice,
} from './play.ts';
import { checkPlayable, noStreams } from './requests.ts';
import { summaryOf } from './summary.ts';
import { leaderboardTable, streamTables, type Tally } from './table.ts';

/** How often a request is sent unless asked otherwise: eight retries are part of what is measured. */
const defaultTries = 9;

/** Plays every stream with every method and prints what came of it. */
export async function evalStreams(choice: StreamsChoice, shell: Shell): Promise<ExitCode> {
  const { environment, prompts, isNamed } = await chooseStage(choice);
  const { streams: own } = environment;
  if (own === undefined) {
    throw noStreams(environment, choice, isNamed);
  }
  const { streams, list, files: data } = source(environment, own, choice);
  checkWindows(list, choice.windows);
  if (choice.judgeModel !== undefined && !list.some(({ isJudged }) => isJudged)) {
    const some = list.map(({ id }) => id).join(', ');
    throw new Failure('request', `Nobody judges the episodes of ${some}: leave --judge-model out.`);
  }
  if (choice.leaderboard && streams.leaderboard === undefined) {
    throw new Failure('request', `Nobody publishes results for ${environment.id}: leave --leaderboard out.`);
  }
  const players = await choosePlayers(choice, environment, prompts);
  checkPlayable(environment, streams, list, choice.policy);
  const methods = choice.method ?? [firstMethod(streams)];
  const paths = methods.map((name) => methodFile(streams, name));
  return withStage(
    { tries: defaultTries, retryGarbled: true, ...choice },
    shell,
    async (stage): Promise<ExitCode> => {
      if (choice.estimate) {
        await estimateStreams({ environment, streams, list, players, choice, stage });
        return 0;
      }
      const unplaced: Unplaced[] = [];
      let account: Account | null = null;
      for (const player of players) {
        account = accountFor(player, choice, stage, account);
        for (const [at, name] of methods.entries()) {
          const file = paths[at] ?? null;
          const hash = fileHash(file);
          unplaced.push({
            ...{ environment, streams, data, list },
            ...{ player, account, name, file, hash, choice, stage },
          });
        }
      }
      const tallies: Tally[] = [];
      for (const play of planStreams(unplaced, list)) tallies.push(await playMethod(play));
      if (choice.json) {
        for (const tally of tallies)
          await stage.out.write(`${JSON.stringify({ summary: summaryOf(tally, tallies[0]) })}\n`);
        if (choice.leaderboard) {
          await stage.out.write(`${JSON.stringify({ leaderboard: streams.leaderboard })}\n`);
        }
      } else {
        await stage.out.write(streamTables(tallies, list, shell.style));
        if (choice.leaderboard && streams.leaderboard !== undefined) {
          await stage.out.write(`\n${leaderboardTable(streams.leaderboard, list, shell.style)}`);
        }
      }
      return 0;
    },
  );
}

/** The environment may be named in the place of a prompt, as there may be none; otherwise prompts name it. */
async function chooseStage(choice: StreamsChoice): Promise<{
  readonly environment: Environment;
  readonly prompts: readonly ReadPrompt[];
  /** False where nobody said which one. */
  readonly isNamed: boolean;
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
  return { environment: chooseEnvironment({ ...choice, environment }), prompts, isNamed: wanted.size > 0 };
}
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
    return policy.map((id) => ({
      name: id,
      label: id,
      agent: { kind: 'policy', policy: id, seed },
      prompt: null,
    }));
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
  const players: Omit<Player, 'label'>[] = [];
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
  return labelled(players);
}
