import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { advance, type State, start } from '../../../server/src/engine/environments/navigator/episode.ts';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { parseOptions } from '../../../server/src/engine/environments/navigator/options.ts';
import { probes } from '../../../server/src/engine/environments/navigator/probes/index.ts';
import { sortReads } from '../../../server/src/engine/environments/navigator/probes/reads.ts';
import { playEpisode } from '../../../server/src/engine/evals/play.ts';
import { population } from '../../support/population.ts';
import { describeShared, readShared, readVectors, sharedInstances } from '../../support/shared.ts';
import { smallInstance } from '../../support/small-instance.ts';

function played(instance: Instance, actions: readonly string[], overrides: unknown = {}): State {
  const options = parseOptions(overrides);
  if (!options.ok) throw new Error(options.error);
  return actions.reduce((state, text) => advance(state, reply(text)), start(instance, options.value));
}

/** Every figure of a report over episodes that ended in these states, as `section.figure`. */
function figures(states: readonly State[]): Readonly<Record<string, number | null>> {
  const sections = probes.report(states.map((state) => probes.row([state])));
  return Object.fromEntries(
    sections.flatMap((section) =>
      section.figures.map(({ id, value }) => [`${section.id}.${id}`, value] as const),
    ),
  );
}

interface Recorded {
  readonly instance_id: string;
  readonly source: string;
  readonly env_overrides?: unknown;
  readonly actions: readonly string[];
  readonly final: {
    readonly done: boolean;
    readonly answered: boolean;
    readonly correct: boolean;
    readonly reads: readonly number[];
    readonly steps_used: number;
    readonly n_compress: number;
  };
}

describeShared('probes over recorded episodes', () => {
  const instances = sharedInstances();
  const episodes = readVectors<Recorded>('navigator/episodes.jsonl').filter(({ final }) => final.done);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const share = (list: readonly Recorded[], holds: (episode: Recorded) => boolean) =>
    list.length === 0 ? null : mean(list.map((episode) => (holds(episode) ? 1 : 0)));
  const isRereading = ({ final: { reads } }: Recorded) => new Set(reads).size < reads.length;
  const instanceOf = (episode: Recorded) =>
    instances.get(episode.instance_id) ?? expect.fail(`no instance ${episode.instance_id}`);
  const sources = [...new Set(episodes.map(({ source }) => source))];

  it.each(sources)('%s: as the records say', (source) => {
    const list = episodes.filter((episode) => episode.source === source);
    const states = list.map((episode) => played(instanceOf(episode), episode.actions, episode.env_overrides));
    const blind = list.filter(({ final }) => final.reads.length === 0);
    const isAnswerIn = (fifth: number) => (episode: Recorded) => {
      const { evidence, chunks } = instanceOf(episode);
      const at = (evidence.at(-1)?.chunk_idx ?? Number.NaN) / chunks.length;
      return at >= fifth / 5 && at < (fifth + 1) / 5;
    };
    const expected = {
      'outcomes.accuracy': share(list, ({ final }) => final.correct),
      'guess_without_reading.zero_read_rate': blind.length / list.length,
      'guess_without_reading.accuracy_given_zero_reads': share(blind, ({ final }) => final.correct),
      'guess_without_reading.answered_given_zero_reads': share(blind, ({ final }) => final.answered),
      'compression_noop.compress_actions': list.reduce((sum, { final }) => sum + final.n_compress, 0),
      'compression_noop.episodes_using_compress_rate': share(list, ({ final }) => final.n_compress > 0),
      'drop_reread_loops.episodes_with_reread_rate': share(list, isRereading),
      'drop_reread_loops.mean_rereads_per_episode': mean(
        list.map(({ final: { reads } }) => reads.length - new Set(reads).size),
      ),
      'drop_reread_loops.mean_reads_over_min_reads': mean(
        list.map((episode) => episode.final.reads.length / instanceOf(episode).min_reads),
      ),
      'reads.reads_per_episode': mean(list.map(({ final }) => final.reads.length)),
      'reads.steps_per_episode': mean(list.map(({ final }) => final.steps_used)),
      ...Object.fromEntries(
        [0, 1, 2, 3, 4].map((fifth) => [
          `position_bias.answer_bucket_${fifth}`,
          share(list.filter(isAnswerIn(fifth)), ({ final }) => final.correct),
        ]),
      ),
    };
    const found = figures(states);
    for (const [id, value] of Object.entries(expected)) {
      if (value === null) expect(found[id], id).toBeNull();
      else expect(found[id], id).toBeCloseTo(value, 12);
    }
  });
});

/** Figures of the original that any instances of ours must give as well. */
describeShared('published probes', () => {
  const { policies_600: published } = JSON.parse(readShared('vectors/navigator/published.json'));
  const instances = [...population('id_test', 40), ...population('ood_test', 40)];
  const names = [
    ['oracle', 'oracle'],
    ['oracle_noise_0.15', 'oracle-noise-0.15'],
    ['no_read', 'no-read'],
    ['random_reader', 'random-reader'],
  ] as const;
  /** Figures that chance moves, by how much they may differ over so few instances. */
  const loose: Readonly<Record<string, number>> = {
    accuracy: 0.03,
    answer_position_accuracy_spread: 0.1,
    distractor_capture_rate: 0.06,
    episodes_with_reread_rate: 0.08,
    mean_rereads_per_episode: 0.08,
    mean_reads_over_min_reads: 0.06,
    reads_per_episode: 0.25,
    wasted_read_steps_per_episode: 0.15,
    hops_resolved_per_episode: 0.15,
    hops_needed_per_episode: 0.15,
    steps_per_episode: 0.5,
    read_precision_on_target: 0.05,
    read_off_target: 0.05,
    read_re_read: 0.03,
    read_out_of_order: 0.03,
    miss_wrong_section: 0.1,
    miss_adjacent_of_right_section: 0.15,
    miss_distance: 1.2,
    miss_distance_if_random: 0.6,
  };

  it.each(names)('%s', (name, id) => {
    const policy = navigator.policies.find((it) => it.id === id) ?? expect.fail(id);
    const states = instances.map((instance) => playEpisode(navigator, instance, {}, policy, '0').state);
    const found = Object.fromEntries(
      Object.entries(figures(states)).map(([path, value]) => [path.split('.')[1] ?? '', value]),
    );
    const expected: Record<string, number | null> = Object.fromEntries(
      [...Object.values(published[name].probes), published[name].diagnosis.all].flatMap((part) =>
        typeof part === 'object' && part !== null ? Object.entries(part) : [],
      ),
    );
    const ids = Object.keys(expected).filter((figure) => Object.hasOwn(found, figure));
    expect(ids.length).toBeGreaterThan(18);
    for (const figure of ids) {
      const value = expected[figure];
      // Counts grow with the number of instances.
      if (/^(compress_actions|wrong_answers|superseded_.*|near_miss_.*)$/.test(figure)) continue;
      const own = found[figure];
      // The original says 0 where there is nothing to take a share of.
      if (own === null || value === null) expect(value ?? 0, figure).toBe(0);
      else
        expect(
          Math.abs((own ?? Number.NaN) - (value ?? Number.NaN)),
          `${figure}: ${own} for ${value}`,
        ).toBeLessThanOrEqual(loose[figure] ?? 1e-9);
    }
  });
});

describe('sortReads', () => {
  const instance = population('ood_test', 1)[0] ?? expect.fail();
  const [first = 0, second = 0] = instance.evidence.map((hop) => hop.chunk_idx);
  const section = instance.chunks.filter((chunk) => chunk.section === instance.chunks[first]?.section);
  const at = section.findIndex(({ idx }) => idx === first);
  const beside = section[at + 1] ?? section[at - 1];
  const noise = instance.chunks.find(({ kind }) => kind === 'noise');

  it('tells reads apart by what is needed next', () => {
    const counts = sortReads(instance, [noise?.idx ?? -1, second, first, first, second, beside?.idx ?? -1]);
    expect(counts).toMatchObject({ onTarget: 1, again: 2, outOfOrder: 1, offTarget: 2, resolved: 2 });
    expect(counts).toMatchObject({ wrongSection: 2, rightSection: 0 });
  });

  it('measures misses in the right section', () => {
    const mean =
      section.map((_, rank) => Math.abs(rank - at)).reduce((sum, distance) => sum + distance, 0) /
      (section.length - 1);
    const counts = sortReads(instance, [beside?.idx ?? -1]);
    expect(counts).toMatchObject({ rightSection: 1, adjacent: 1, distance: 1, distanceIfRandom: mean });
  });

  it('measures no miss when nothing is needed any more', () => {
    const all = instance.evidence.map((hop) => hop.chunk_idx);
    const counts = sortReads(instance, [...all, noise?.idx ?? -1]);
    expect(counts).toMatchObject({ onTarget: all.length, offTarget: 1, wrongSection: 0, rightSection: 0 });
  });
});

describe('a report', () => {
  it('says of nothing that there is nothing', () => {
    const found = figures([]);
    for (const [id, value] of Object.entries(found)) {
      expect(value, id).toBe(/actions|wrong/.test(id) && !/rate|wasted|section/.test(id) ? 0 : null);
    }
  });

  it('names the distractor that a wrong answer repeats, and the fact that a summary lost', () => {
    const states = ['4119', '4117', '7'].map((answer) =>
      played(smallInstance, ['READ 0', 'COMPRESS 0 :: nothing', 'READ 3', `ANSWER ${answer}`]),
    );
    expect(figures(states)).toMatchObject({
      'distractor_capture.wrong_answers': 3,
      'distractor_capture.distractor_capture_rate': 2 / 3,
      'distractor_capture.near_miss_entity': 1,
      'distractor_capture.superseded_link': 1,
      'compression_noop.fact_retention_rate': 0,
      'compression_noop.degenerate_summary_rate': 1,
      'compression_noop.mean_summary_words': 1,
      'compression_noop.episodes_lost_fact_and_wrong': 3,
    });
  });
});
