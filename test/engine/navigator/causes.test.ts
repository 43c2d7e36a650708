import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { explain } from '../../../server/src/engine/environments/navigator/causes.ts';
import { advance, start } from '../../../server/src/engine/environments/navigator/episode.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { parseOptions } from '../../../server/src/engine/environments/navigator/options.ts';
import { describeShared, readVectors, sharedInstances } from '../../support/shared.ts';
import { smallInstance } from '../../support/small-instance.ts';

/** The explanation of the episode that `actions` make. */
function explained(instance: Instance, actions: readonly string[], overrides: unknown = {}) {
  const options = parseOptions(overrides);
  if (!options.ok) throw new Error(options.error);
  const states = [start(instance, options.value)];
  for (const text of actions) {
    const last = states.at(-1);
    if (last) states.push(advance(last, reply(text)));
  }
  return explain(states);
}

interface Row {
  readonly instance_id: string;
  readonly source: string;
  readonly env_overrides?: unknown;
  readonly actions: readonly string[];
  readonly cause: string | null;
  readonly step: number | null;
  readonly hop: number | null;
  readonly unwinnable_at: number | null;
  readonly lost_bridge_at: number | null;
  readonly counts: Readonly<Record<string, number>>;
}

describeShared('causes of the vectors', () => {
  const rows = readVectors<Row>('navigator/causes.jsonl', {
    required: [
      'instance_id',
      'source',
      'actions',
      'cause',
      'step',
      'hop',
      'unwinnable_at',
      'lost_bridge_at',
      'counts',
    ],
    optional: ['env_overrides'],
  });
  const instances = sharedInstances();

  it('are found', () => {
    for (const row of rows) {
      const instance = instances.get(row.instance_id);
      if (!instance) throw new Error(`no instance ${row.instance_id}`);
      const found = explained(instance, row.actions, row.env_overrides);
      const { cause, step, hop, counts, unwinnable_at: unwinnableAt, lost_bridge_at: lostBridgeAt } = row;
      expect(found, `${row.instance_id} ${row.source}`).toMatchObject({
        cause,
        step,
        hop,
        counts,
        unwinnableAt,
        lostBridgeAt,
      });
      expect(Object.keys(found?.counts ?? {})).toEqual(Object.keys(counts));
      expect(found?.sentence === null).toBe(cause === null);
      expect(found?.sentence ?? 'X.').toMatch(/^[A-Z"].*\.$/s);
    }
  });
});

describe('what a cause says', () => {
  const read0 = 'ACTION: READ 0';
  const note = 'ACTION: COMPRESS 0 :: Coral Gull: Lead = Ida Berg';
  const toLast = [read0, note, 'ACTION: READ 3'];

  it.each<[readonly string[], string | null, string | null]>([
    [[...toLast, 'ANSWER 4107'], null, null],
    [[], 'unfinished', 'The episode goes on.'],
    [
      [read0, 'READ 3'],
      'no-room-read',
      'The chunk would have brought the working context to 610 tokens, above the ceiling of 600.',
    ],
    [['ANSWER unknown'], 'gave-up', 'The agent answered "unknown", which counts as a wrong answer here.'],
    [['ANSWER 4107 or 4119'], 'guessed', 'The answer "4107 or 4119" was given without reading a chunk.'],
    [
      [...toLast, 'ANSWER 4107 or 4119'],
      'answer-form',
      'The right value 4107 stands in the answer, but not in a form that counts.',
    ],
    [
      [...toLast, 'ANSWER Ida Berg'],
      'stopped-at-bridge',
      '"Ida Berg" is only the lead of Coral Gull: the chain goes on from there.',
    ],
    [
      [...toLast, 'ANSWER 4117'],
      'superseded',
      '"4117" comes from the superseded lead of Coral Gull, Otto Lind.',
    ],
    [[...toLast, 'ANSWER 4119'], 'twin', '"4119" comes from Ida Berg Jr, a twin of Ida Berg.'],
    [[...toLast, 'ANSWER 1'], 'other-value', '"1" is not what the chain leads to: 4107.'],
    [
      [read0, ...Array.from({ length: 13 }, () => 'hm')],
      'interface',
      'At least half of the steps held no action, the first of them step 2.',
    ],
    [
      [read0, 'DROP 0', ...Array.from({ length: 12 }, () => 'DROP 0')],
      'lost-bridge',
      'Step 2 threw away the lead of Coral Gull, Ida Berg, before it was used.',
    ],
    [Array.from({ length: 14 }, () => 'DROP 0'), 'no-read', 'No chunk was ever read.'],
    [
      ['READ 1', ...Array.from({ length: 13 }, () => 'DROP 0')],
      'wandering',
      'Reads went to chunks that were not needed, the first of them in step 1.',
    ],
    [
      [...toLast, ...Array.from({ length: 11 }, () => 'DROP 0')],
      'too-slow',
      'The step budget of 14 was spent before the answer was given.',
    ],
  ])('%j: %s', (actions, cause, sentence) => {
    expect(explained(smallInstance, actions)).toMatchObject({ cause, sentence });
  });

  it('nothing without a state', () => {
    expect(explain([])).toBeNull();
  });
});
