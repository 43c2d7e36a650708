import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { checkSampling } from '../../../server/src/engine/evals/check-sampling.ts';
import { estimateRun, measureEpisode } from '../../../server/src/engine/evals/estimate.ts';
import { episodesCsv } from '../../../server/src/engine/evals/formats/csv.ts';
import { runMetadata } from '../../../server/src/engine/evals/formats/metadata.ts';
import type { Run, RunEpisode } from '../../../server/src/engine/evals/run-data.ts';
import { summarizeRun } from '../../../server/src/engine/evals/run-summary.ts';
import { preparePrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { clusteredError } from '../../../server/src/engine/stats/clustered.ts';
import { standardError } from '../../../server/src/engine/stats/means.ts';
import { tiny } from '../../support/tiny-environment.ts';

const info: Run['info'] = {
  id: '01234567',
  folder: 'f',
  format: 'hopscope',
  identity: 'sha256:0',
  created: null,
  environment: 'tiny',
  generatorVersion: 1,
  options: {},
  label: 'practice',
  split: 'practice',
  suite: null,
  rollouts: 2,
  shuffleSeed: null,
  agent: {
    kind: 'model',
    model: 'm,"x"',
    baseUrl: 'http://x/v1',
    sampling: { temperature: 1 },
    extraBody: { a: 1 },
  },
  prompt: null,
  requested: 8,
};

function episode(
  instance: string,
  reward: number | null,
  steps: number,
  extra: Partial<RunEpisode> = {},
): RunEpisode {
  const events = Array.from({ length: steps }, () => ({ ...reply('x'), usage: { input: 10, output: 1 } }));
  return {
    task: 0,
    instanceId: instance,
    instanceHash: `sha256:${instance}`,
    split: 'practice',
    index: 0,
    rollout: 0,
    groups: { size: instance === 'a' ? 1 : 2 },
    minSteps: 2,
    outcome:
      reward === null
        ? null
        : { done: true, reward, correct: reward >= 1, stop: 's', steps, metrics: { n: steps, z: null } },
    error: null,
    cause: reward === null ? 'unfinished' : reward >= 1 ? null : 'wrong',
    causeStep: null,
    causeHop: null,
    events,
    steps,
    usage: { input: 10 * steps, output: steps },
    attempts: steps,
    ...extra,
  };
}

const failure = {
  code: 'server',
  message: '=HYPERLINK("x")',
  advice: '',
  attempts: 5,
  retriable: true,
} as const;
const run: Run = {
  info,
  episodes: [
    episode('a', 1, 2),
    episode('a', 0, 6),
    episode('b', 1, 2),
    episode('b', 1, 2),
    episode('c', 1, 2),
    episode('c', null, 1, { error: failure, cause: 'provider-error' }),
    episode('d', null, 0, { usage: null }),
  ],
};

describe('the figures of a run', () => {
  const summary = summarizeRun(run, ['size', 'colour']);

  it('say how many episodes they stand for', () => {
    expect(summary.all.counts).toEqual({ requested: 8, scored: 5, errored: 1, unfinished: 2 });
    expect(summary.all.reward.n).toBe(5);
    expect(summary.by['size']?.map(({ value, figures }) => [value, figures.counts])).toEqual([
      [1, { requested: 2, scored: 2, errored: 0, unfinished: 0 }],
      [2, { requested: 5, scored: 3, errored: 1, unfinished: 1 }],
    ]);
    expect(summary.by['colour']).toEqual([]);
  });

  it('are per episode, and beside that per step', () => {
    expect(summary.all.reward.mean).toBeCloseTo(4 / 5, 12);
    expect(summary.all.stepWeightedReward).toBeCloseTo(8 / 14, 12);
    expect(summary.all.accuracy.mean).toBeCloseTo(4 / 5, 12);
  });

  it('have errors that know of rollouts on one instance', () => {
    // Deviations from 0.8, summed up by instance: -0.6, 0.4, 0.2.
    const squares = 0.6 ** 2 + 0.4 ** 2 + 0.2 ** 2;
    expect(summary.all.reward.error).toBeCloseTo(Math.sqrt((squares * 3) / 2) / 5, 12);
  });

  it('estimate passing from instances with all rollouts', () => {
    expect(summary.pass).toEqual({
      pass_at_k: { 1: 0.75, 2: 1 },
      pass_all_k: { 1: 0.75, 2: 0.5 },
      threshold: 0.5,
      instances: 2,
    });
  });

  it('count causes, the never begun among them, and what was used', () => {
    expect(summary.causes).toEqual({ unfinished: 2, 'provider-error': 1, wrong: 1 });
    expect(summary.usage).toEqual({ input: 150, output: 15 });
    expect(summary.requests).toBe(15);
    expect(summary.replies).toEqual({ reply: 15, refusal: 0, truncated: 0, empty: 0 });
  });

  it('say why episodes have no score, each reason once', () => {
    const lost = (message: string) =>
      episode('a', null, 0, { error: { ...failure, message }, cause: 'provider-error' });
    const { failures } = summarizeRun(
      { info, episodes: [lost('x'), lost('y'), episode('a', 1, 2), lost('y')] },
      [],
    );
    expect(failures).toEqual([
      { count: 2, code: 'server', message: 'y', advice: '' },
      { count: 1, code: 'server', message: 'x', advice: '' },
    ]);
    expect(summarizeRun({ info, episodes: [episode('a', 1, 2)] }, []).failures).toEqual([]);
  });

  it('over nothing', () => {
    const nothing = summarizeRun({ info: { ...info, requested: 3 }, episodes: [] }, ['size']);
    expect(nothing.all).toMatchObject({
      counts: { requested: 3, scored: 0, errored: 0, unfinished: 3 },
      reward: { n: 0, mean: null, error: null },
      stepWeightedReward: null,
    });
    expect(nothing.causes).toEqual({ unfinished: 3 });
    expect(nothing.usage).toBeNull();
  });

  it('as metadata', () => {
    const facts = { version: 'v', time: 1.5, cost: { input: 1, output: 2 } };
    expect(runMetadata(info, summary, facts)).toMatchObject({
      env_id: 'tiny',
      num_examples: 4,
      rollouts_per_example: 2,
      shuffle: false,
      avg_error: 1 / 6,
      avg_metrics: { n: 14 / 5 },
      sampling_args: { temperature: 1, a: 1 },
      cost: { total_usd: 3 },
      pass_threshold: 0.5,
      n_requested: 8,
      n_scored: 5,
      n_errored: 1,
      n_unfinished: 2,
    });
  });
});

it('one value a cluster: the ordinary standard error', () => {
  const values = [1, 4, 2, 8, 5];
  expect(clusteredError(values, ['a', 'b', 'c', 'd', 'e'])).toBeCloseTo(standardError(values) ?? 0, 12);
  expect(clusteredError([1, 2], ['a', 'a'])).toBeNull();
  expect(clusteredError([], [])).toBeNull();
});

it('episodes as comma-separated values', () => {
  const lines = episodesCsv(run).split('\n');
  expect(lines.length).toBe(9);
  const [header = '', first = '', ...others] = lines;
  expect(header.split(',').slice(0, 4)).toEqual(['run', 'environment', 'prompt', 'agent']);
  expect(header.endsWith(',metric_n,metric_z')).toBe(true);
  expect(first).toBe('01234567,tiny,,"m,""x""",0,a,sha256:a,practice,0,0,1,true,1,true,s,2,2,,,,,,2,20,2,2,');
  // What a spreadsheet would carry out stands there as text.
  expect(others[4]).toContain(`,server,"'=HYPERLINK(""x"")",`);
});

describe('sampling from a command line', () => {
  it('is taken as front matter would have it', () => {
    const given = { temperature: 0, max_tokens: 5, stop: 'x', reasoning_effort: 'low' };
    expect(checkSampling(given)).toEqual({ ok: true, value: { ...given, stop: ['x'] } });
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ temperatur: 1 }, /^temperatur is no sampling parameter\. Did you mean temperature\?/],
    [{ temperature: 3 }, /^temperature must be a number from 0 to 2$/],
    [{ temperature: '1' }, /^temperature must be/],
    [{ max_tokens: 0.5 }, /^max_tokens must be a whole number from 1 on$/],
    [{ stop: [1] }, /^stop must be a text or a list of texts$/],
    [{ reasoning_effort: 'much' }, /^reasoning_effort must be one of none, /],
  ])('%j', (given, error) => {
    expect(checkSampling(given)).toEqual({ ok: false, error: expect.stringMatching(error) });
  });
});

describe('an estimate', () => {
  const { prompt } = parseStepPrompt('user:\n{{goal}}{{#words}} {{.}}{{/words}}\n');
  const made = tiny.generate('practice', 1, {});
  if (!made.ok) throw new Error(made.error);
  const size = measureEpisode(tiny, made.value.instance, {}, preparePrompt(prompt));

  it('adds up what a policy would have been asked', () => {
    // Prompts "3", "3 1" and "3 1 2", after the second and third of which stands what was said last.
    expect(size).toEqual({ requests: 3, promptLength: 1 + 3 + 1 + 5 + 1, replyLength: 3 });
  });

  it('is scaled to all episodes', () => {
    if (size === null) throw new Error('no size');
    expect(estimateRun([size, { ...size, requests: 5 }], 10, { input: 1e6, output: 2e6 })).toEqual({
      requests: 40,
      inputTokens: 28,
      outputTokens: 8,
      dollars: 44,
    });
    expect(estimateRun([], 10, null)).toBeNull();
  });
});
