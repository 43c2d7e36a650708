/** Probes of what the steps before the answer were spent on. */
import type { ProbeSection } from '../../probes.ts';
import { average, count, countIf, readsOf, share, total } from './figures.ts';
import type { ProbeRow } from './row.ts';

/** What summaries keep. */
export function compression(rows: readonly ProbeRow[]): ProbeSection {
  const n = rows.length;
  const actions = total(rows, (row) => row.compressions);
  const facts = total(rows, (row) => row.facts);
  const lost = countIf(rows, (row) => row.factsKept < row.facts && !row.correct);
  const words = total(rows, (row) => row.summaryWords);
  return {
    id: 'compression_noop',
    title: 'Compression',
    description:
      'Summaries that keep no fact, or are too short to, free room without remembering. What a second compression loses is not seen.',
    figures: [
      count('compress_actions', 'COMPRESS actions', actions, n, 'episodes'),
      share(
        'episodes_using_compress_rate',
        'episodes with one',
        countIf(rows, (row) => row.compressions > 0),
        n,
        'episodes',
      ),
      share(
        'fact_retention_rate',
        'facts kept',
        total(rows, (row) => row.factsKept),
        facts,
        'facts',
      ),
      share(
        'degenerate_summary_rate',
        'under three words',
        total(rows, (row) => row.degenerate),
        actions,
        'summaries',
      ),
      average('mean_summary_words', 'words', words, actions, 'summaries'),
      count('episodes_lost_fact_and_wrong', 'lost a fact, not correct', lost, n, 'episodes'),
    ],
  };
}

/** Reads of what had been read before. */
export function rereading(rows: readonly ProbeRow[]): ProbeSection {
  const n = rows.length;
  const ratios = rows.filter((row) => row.minReads > 0);
  const overMin = total(ratios, (row) => readsOf(row) / row.minReads);
  return {
    id: 'drop_reread_loops',
    title: 'Reading again',
    description: 'Reads of chunks that had been read before: facts that were thrown away.',
    figures: [
      share(
        'episodes_with_reread_rate',
        'episodes with one',
        countIf(rows, (row) => row.reads.again > 0),
        n,
        'episodes',
      ),
      average(
        'mean_rereads_per_episode',
        're-reads',
        total(rows, (row) => row.reads.again),
        n,
        'episodes',
      ),
      average('mean_reads_over_min_reads', 'reads/min', overMin, ratios.length, 'episodes'),
    ],
  };
}

/** Reads by kind. */
export function reading(rows: readonly ProbeRow[]): ProbeSection {
  const n = rows.length;
  const reads = total(rows, readsOf);
  const kind = (id: string, label: string, of: (row: ProbeRow) => number) =>
    share(id, label, total(rows, of), reads, 'reads');
  const perEpisode = (id: string, label: string, of: (row: ProbeRow) => number) =>
    average(id, label, total(rows, of), n, 'episodes');
  return {
    id: 'reads',
    title: 'Where reads went',
    description:
      'On target is the chunk of the next unresolved hop; out of order is evidence of another hop. All but the reads on target are wasted steps.',
    figures: [
      kind('read_precision_on_target', 'on target', (row) => row.reads.onTarget),
      kind('read_off_target', 'off target', (row) => row.reads.offTarget),
      kind('read_re_read', 'read before', (row) => row.reads.again),
      kind('read_out_of_order', 'out of order', (row) => row.reads.outOfOrder),
      perEpisode('reads_per_episode', 'reads', readsOf),
      perEpisode('wasted_read_steps_per_episode', 'wasted reads', (row) => readsOf(row) - row.reads.onTarget),
      perEpisode('hops_resolved_per_episode', 'hops resolved', (row) => row.reads.resolved),
      perEpisode('hops_needed_per_episode', 'hops needed', (row) => row.hops),
      perEpisode('steps_per_episode', 'steps', (row) => row.steps),
    ],
  };
}

/** How far reads off target missed. */
export function misses(rows: readonly ProbeRow[]): ProbeSection {
  const right = total(rows, (row) => row.reads.rightSection);
  const wrong = total(rows, (row) => row.reads.wrongSection);
  const adjacent = total(rows, (row) => row.reads.adjacent);
  const distance = total(rows, (row) => row.reads.distance);
  const random = total(rows, (row) => row.reads.distanceIfRandom);
  const over = 'misses in the right section';
  return {
    id: 'misses',
    title: 'How far reads off target missed',
    description:
      'The map is sorted by name: a mean distance well below the random one shows that it was read, nearly. Distances are in chunks of the section.',
    figures: [
      share('miss_wrong_section', 'in a wrong section', wrong, right + wrong, 'reads off target'),
      share('miss_adjacent_of_right_section', 'right beside the chunk', adjacent, right, over),
      average('miss_distance', 'distance', distance, right, over),
      average('miss_distance_if_random', 'distance if random', random, right, over),
    ],
  };
}
