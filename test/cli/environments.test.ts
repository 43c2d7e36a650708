/**
 * Every environment from the command line, through one and the same table: listed, made, checked, played by policies and
 * over HTTP, gone on with, compared and reported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AnyInstance, Environment, Policy } from '../../server/src/engine/environments/environment.ts';
import { playEpisode } from '../../server/src/engine/evals/play.ts';
import { parseStepPrompt } from '../../server/src/engine/prompts/step-prompt.ts';
import {
  buildCommand,
  expectNoCrash,
  type Finished,
  type HopscopeCommand,
  parseLines,
} from '../support/command.ts';
import { environmentTable } from '../support/environments.ts';
import { type Respond, startModelServer, wrong } from '../support/model-server.ts';
import { finalLines } from '../support/played-runs.ts';
import { playedAnswers } from '../support/policy-answers.ts';
import { sharedFolder } from '../support/vectors.ts';

const count = 4;
const project = path.resolve(import.meta.dirname, '../..');

let command: HopscopeCommand;
let folders = 0;
beforeAll(async () => {
  command = await buildCommand();
});
afterAll(() => command?.remove());

function hopscope(...args: string[]): Promise<Finished> {
  return command.run(args, { env: { HOPSCOPE_DATA: path.join(sharedFolder, 'data') } });
}

/** Runs a command line that must end well and say nothing beside its output. */
async function good(...args: string[]): Promise<string> {
  const finished = await hopscope(...args);
  expect({ args, code: finished.code, err: finished.err }).toEqual({ args, code: 0, err: expect.anything() });
  expectNoCrash(finished);
  return finished.out;
}

interface Setup {
  readonly file: string;
  readonly text: string;
  readonly split: string;
  readonly options: unknown;
  readonly instances: readonly AnyInstance[];
}

/** The environment's own prompt, and the first instances of the split that it names. */
function setUp(environment: Environment): Setup {
  const file = path.join(project, 'prompts', environment.id, `${environment.id}.step.md`);
  const text = readFileSync(file, 'utf8');
  const { prompt } = parseStepPrompt(text);
  const split = prompt.split ?? environment.splits[0]?.id ?? '';
  const options = environment.parseOptions(prompt.options);
  if (!options.ok) throw new Error(options.error);
  const instances = Array.from({ length: count }, (_, index) => {
    const made = environment.generate(split, index, options.value);
    if (!made.ok) throw new Error(made.error);
    return made.value.instance;
  });
  return { file, text, split, options: options.value, instances };
}

type AnyPolicy = Policy<AnyInstance, unknown>;

function rewardsOf(environment: Environment, { instances, options }: Setup, policy: AnyPolicy): number[] {
  return instances.map((instance) => playEpisode(environment, instance, options, policy, '0').outcome.reward);
}

describe.each(environmentTable)('%s', (id, environment) => {
  const setup = setUp(environment);
  const { file, text, split, options, instances } = setup;
  const here = ['--environment', id];
  const chosen = ['--split', split, '-n', String(count)];

  it('is listed and explained', async () => {
    expect(await good('environments')).toContain(`\n${id}\n`);
    expect(await good('docs', id)).toContain(`# ${environment.title}\n`);
    const policies = await good('policies', ...here);
    for (const policy of environment.policies) expect(policies).toContain(`\n${policy.id} `);
  });

  it('makes instances that are sound in a file, by themselves, and one by one', async () => {
    const lines = await good('generate', ...here, ...chosen);
    expect(parseLines(lines)).toEqual(JSON.parse(JSON.stringify(instances)));
    const made = command.file(`${id}.jsonl`, lines);
    expect(await good('validate', ...here, made)).toBe(`${count} sound\n`);
    expect(await good('validate', id, ...chosen)).toBe(`${split}: ${count} sound\n`);
    const first = await good('inspect', ...here, '--split', split);
    expect(await good('inspect', ...here, '--file', made)).toBe(first);
  });

  it('is played by every policy as in process, and replays what was played', async () => {
    const ids = environment.policies.map((policy) => policy.id);
    const played = ['eval', ...here, ...chosen, '--policy', ids.join(',')];
    expect(await good(...played)).toMatch(/^policy +episodes +reward/m);
    const out = await good(...played, '--json');
    const episodes = parseLines(out).flatMap((line) => ('episode' in line ? [line['episode']] : []));
    for (const policy of environment.policies) {
      const own = episodes.filter((episode) => (episode as { policy: string }).policy === policy.id);
      expect(own.map((episode) => (episode as { reward: number }).reward)).toEqual(
        rewardsOf(environment, setup, policy),
      );
    }
    if (environment.records === undefined) return;
    const made = command.file(`${id}.jsonl`, await good('generate', ...here, ...chosen, '--no-audit'));
    const recorded = command.file(`${id}-episodes.jsonl`, out);
    const again = parseLines(await good('replay', ...here, '--instances', made, '--episodes', recorded));
    expect(again.map((row) => row['reward'])).toEqual(
      episodes.map((episode) => (episode as { reward: number }).reward),
    );
  });

  it('says what it does not have', async () => {
    const made = command.file(`${id}.jsonl`, await good('generate', ...here, ...chosen, '--no-audit'));
    const all: readonly (readonly [boolean, string[]])[] = [
      [environment.baselines !== undefined, ['baselines', ...here, ...chosen]],
      [environment.audit !== undefined, ['audit', ...here, '--split', split]],
      [environment.teacher !== undefined, ['teach', file, ...chosen]],
      [environment.records !== undefined, ['replay', ...here, '--instances', made, '--episodes', made]],
    ];
    for (const [has, args] of all) {
      if (has) continue;
      const finished = await hopscope(...args);
      expectNoCrash(finished);
      expect(finished).toMatchObject({ code: 2, err: expect.stringMatching(new RegExp(`^${id} has no `)) });
    }
    if (environment.teacher !== undefined) {
      expect(parseLines(await good('teach', file, ...chosen)).length).toBeGreaterThanOrEqual(count);
    }
  });

  /** The endpoint that plays as `policy` does in process. */
  function endpointOf(policy: AnyPolicy) {
    const { prompt } = parseStepPrompt(text);
    return playedAnswers({ environment, prompt, options, policy, seed: '0', instances });
  }

  /** Starts an endpoint; the result is its address. */
  async function serve(respond: Respond): Promise<string> {
    const server = await startModelServer(respond);
    onTestFinished(() => server.close());
    return server.baseUrl;
  }

  /** Plays a run with the endpoint at `url`. */
  async function run(url: string, ...more: string[]): Promise<{ folder: string; finished: Finished }> {
    const parent = path.join(command.folder, `runs-${folders++}`);
    const where = ['--model', 'test-model', '--base-url', url, '--workers', '1', '--out', parent];
    const finished = await hopscope('eval', file, ...chosen, ...where, ...more);
    const [name = ''] = existsSync(parent) ? readdirSync(parent) : [];
    return { folder: path.join(parent, name), finished };
  }

  const winner = environment.policies.find((policy) =>
    rewardsOf(environment, setup, policy).every((reward) => reward > 0),
  );
  /** One whose replies follow from its prompts. */
  const loser = environment.policies.find((policy) => {
    try {
      return endpointOf(policy).episodes.every(({ outcome }) => !outcome.correct);
    } catch {
      return false;
    }
  });

  it('scores over HTTP as in process; runs are told of, compared, exported and looked into', async () => {
    if (winner === undefined || loser === undefined) throw new Error('no two policies');
    const runs: string[] = [];
    for (const policy of [winner, loser]) {
      const { respond, episodes } = endpointOf(policy);
      const { folder, finished } = await run(await serve(respond), '--json');
      expect(finished).toMatchObject({ code: 0, err: '' });
      const told = parseLines(finished.out).flatMap((line) => ('episode' in line ? [line['episode']] : []));
      const rewards = new Map(
        told.map((episode) => {
          const { instance_id, reward } = episode as { instance_id: string; reward: number };
          return [instance_id, reward] as const;
        }),
      );
      expect(rewards).toEqual(new Map(episodes.map((one) => [one.instanceId, one.outcome.reward])));
      runs.push(folder);
    }
    const [won = '', lost = ''] = runs;
    const [summary] = parseLines(await good('summary', won, '--json'));
    expect(summary).toMatchObject({
      run: { environment: id, requested: count },
      all: { accuracy: { mean: 1 }, counts: { requested: count, scored: count, errored: 0 } },
    });
    const compared = await good('compare', lost, won);
    expect(compared).toContain(`${count} instances compared`);
    expect(compared).toContain('Fixed');
    expect(await good('summary', lost)).toMatch(environment.explain === undefined ? /./ : /failed by: /);
    for (const format of ['--html', '--csv', '--traces']) {
      const out = path.join(command.folder, `export-${folders++}`);
      await good('export', lost, format, '--out', out);
      expect(existsSync(out)).toBe(true);
    }
    const probed = await hopscope('probe', won);
    expectNoCrash(probed);
    expect(probed.code).toBe(environment.probes === undefined ? 2 : 0);
  });

  it('goes on where it was stopped, and ends as if it had not been', async () => {
    if (winner === undefined) throw new Error('no policy');
    const { respond } = endpointOf(winner);
    let left = Number.POSITIVE_INFINITY;
    const url = await serve((seen) => (left-- > 0 ? respond(seen) : wrong(401, 'No such key.')));
    const whole = await run(url);
    left = 3;
    const broken = await run(url);
    expect(broken.finished.code).not.toBe(0);
    left = Number.POSITIVE_INFINITY;
    await good('resume', broken.folder, '--workers', '1');
    expect(await finalLines(broken.folder)).toEqual(await finalLines(whole.folder));
  });
});
