/** Opening the model of a run: endpoint, keys, prices, limits and cache. */
import { resolve } from 'node:path';
import type { Model } from '../../engine/evals/model.ts';
import type { Judge } from '../../engine/evals/next-event.ts';
import type { RunPrices } from '../../engine/evals/prices.ts';
import type { RunAgent, RunInfo } from '../../engine/evals/run-data.ts';
import { limitProblem, openSpending, type Spending } from '../../engine/evals/spending.ts';
import { Failure } from '../../host/failure.ts';
import { parseBaseUrl } from '../../host/models/base-url.ts';
import { openCache, type ReplyCache } from '../../host/models/cache.ts';
import { systemClock } from '../../host/models/clock.ts';
import { environmentKeys, type KeyFinder } from '../../host/models/keys.ts';
import { openLimiter } from '../../host/models/limiter.ts';
import { findPreset, presets } from '../../host/models/presets.ts';
import { readPriceTable } from '../../host/models/price-file.ts';
import type { SpentBefore } from '../../host/runs/open-run.ts';
import type { Shell } from '../shell.ts';
import type { ModelChoice } from './options.ts';

/** Who is asked: the agent, and the model that judges where one is named. */
export type Agents = Pick<RunInfo, 'agent' | 'judge'>;

/** One budget for all that a run asks, whoever is asked. */
export interface Account {
  readonly agent: Spending;
  readonly judge: Spending;
}

/** What models are opened with; one for all runs of a command. */
export interface ModelWorld {
  /**
   * Opens the account of a run.
   *
   * @param before what the run has used up.
   * @param shared an account that this one is to be a part of.
   * @throws Failure when limits cannot be kept.
   */
  account(run: Agents, before: SpentBefore, shared?: Account): Account;
  /** Opens a model that spends from an account. */
  open(agent: RunAgent, spending: Spending): Model;
  prices(run: Agents): RunPrices;
  /** Where requests of a run go; null for policies. */
  endpoint(agent: RunAgent): string | null;
}

/** @param soft when it fires, no further request is sent. @throws Failure when something about the choice is wrong. */
export async function openModelWorld(
  choice: ModelChoice,
  shell: Shell,
  soft: AbortSignal,
  hard: AbortSignal,
): Promise<ModelWorld> {
  const { openModel } = await import('../../host/models/open-model.ts'); // large
  const chosen = chosenBaseUrl(choice.baseUrl);
  const prices = await pricesFor(choice.prices, soft);
  const keys: KeyFinder = environmentKeys(process.env, chosen);
  const cache: ReplyCache | null =
    choice.cache === undefined ? null : openCache(resolve(choice.cache), shell.problem);
  // Models of one command share the endpoint's patience.
  const limiter = openLimiter(choice.concurrency);
  const endpoint = (agent: RunAgent) => (agent.kind === 'model' ? (chosen ?? agent.baseUrl) : null);
  return {
    prices,
    endpoint,
    account(run, before, shared) {
      const limits = choice.limit ?? {};
      const { agent, judge } = prices(run);
      const problems = [
        limitProblem(limits, agent, nameOf(run.agent)),
        run.judge === undefined ? null : limitProblem(limits, judge, run.judge),
      ];
      const problem = problems.find((it) => it !== null);
      if (problem !== undefined) throw new Failure('request', problem ?? '');
      const spending = shared?.agent.sharedWith(agent) ?? openSpending(limits, agent, before.agent);
      const judging = run.judge === undefined ? spending : spending.sharedWith(judge);
      if (before.judge !== null) judging.usage(before.judge);
      return { agent: untilStopped(spending, soft), judge: untilStopped(judging, soft) };
    },
    open(agent, spending) {
      const baseUrl = endpoint(agent);
      if (agent.kind !== 'model' || baseUrl === null) {
        throw new Failure('request', 'Say where the model is with --base-url.');
      }
      return openModel(
        {
          model: agent.model,
          baseUrl,
          extraBody: agent.extraBody,
          timeoutMs: choice.timeout * 1000,
          ...(choice.tries === undefined ? {} : { attempts: choice.tries }),
          ...(choice.retryGarbled === undefined ? {} : { retryGarbled: choice.retryGarbled }),
          concurrency: choice.concurrency,
        },
        {
          clock: impatientClock(soft),
          signal: hard,
          keys,
          limiter,
          spending,
          ...(cache === null ? {} : { cache, cached: choice.cacheAll ? 'all' : 'deterministic' }),
        },
      );
    },
  };
}

/** Opens the model that judges the episodes of a run; null where none was named, or nobody has an endpoint. */
export function openJudge(
  models: ModelWorld,
  { agent, judge: name }: Agents,
  account: Account,
): Judge | null {
  if (name === undefined || agent.kind !== 'model') return null;
  const model = models.open({ ...agent, model: name }, account.judge);
  return {
    name,
    ask: (messages, signal) => model.complete({ messages, sampling: { temperature: 0 } }, signal),
  };
}

/** What a run has used that has not begun. */
export const nothingSpent: SpentBefore = {
  agent: { requests: 0, input: 0, output: 0, dollars: null, estimated: 0 },
  judge: null,
};

function nameOf(agent: RunAgent): string {
  return agent.kind === 'model' ? agent.model : agent.policy;
}

/** The base URL of `--base-url` or of the environment; null when neither says. @throws Failure when it is none. */
export function chosenBaseUrl(given: string | undefined): string | null {
  const text = given ?? process.env['HOPSCOPE_BASE_URL'] ?? '';
  if (text.trim() === '') return null;
  const preset = findPreset(text.trim());
  if (preset !== undefined) return preset.baseUrl;
  const url = parseBaseUrl(text);
  if (url.ok) return url.value;
  const names = presets.map(({ id }) => id).join(', ');
  throw new Failure('request', `${url.error} Or name one of ${names}.`);
}

/** Finds prices in a table, or in the one that HOPSCOPE_PRICES names. @throws Failure when it cannot be read. */
export async function pricesFor(
  path: string | undefined,
  signal?: AbortSignal,
): Promise<(run: Agents) => RunPrices> {
  const file = path ?? process.env['HOPSCOPE_PRICES'];
  const prices = file === undefined || file === '' ? () => null : await readPriceTable(file, signal);
  return ({ agent, judge }) => ({
    agent: agent.kind === 'model' ? prices(agent.model) : null,
    judge: judge === undefined ? null : prices(judge),
  });
}

/** After the wish to stop, no request goes out any more: not even the next try of one that failed. */
function untilStopped(spending: Spending, soft: AbortSignal): Spending {
  return {
    get spent() {
      return spending.spent;
    },
    exceeded: () => (soft.aborted ? 'The run was stopped.' : spending.exceeded()),
    request: spending.request,
    usage: spending.usage,
    estimate: spending.estimate,
    sharedWith: (price) => untilStopped(spending.sharedWith(price), soft),
  };
}

/** A clock whose waits end with the wish to stop. */
function impatientClock(soft: AbortSignal): typeof systemClock {
  return {
    ...systemClock,
    async sleep(ms, signal) {
      if (soft.aborted) return;
      const either = new AbortController();
      const end = () => either.abort();
      for (const one of [soft, signal]) one.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      await systemClock.sleep(ms, either.signal);
      for (const one of [soft, signal]) one.removeEventListener('abort', end);
    },
  };
}
