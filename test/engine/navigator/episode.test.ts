import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import {
  advance,
  next,
  outcome,
  type State,
  start,
} from '../../../server/src/engine/environments/navigator/episode.ts';
import { metrics } from '../../../server/src/engine/environments/navigator/metrics.ts';
import { type Options, parseOptions } from '../../../server/src/engine/environments/navigator/options.ts';
import { finalRecord, stepRecord } from '../../../server/src/engine/environments/navigator/record.ts';
import { rewardOf } from '../../../server/src/engine/environments/navigator/reward.ts';
import { checkFields, describeShared, readVectors, sharedInstances } from '../../support/shared.ts';
import { smallInstance } from '../../support/small-instance.ts';

function lastOf(states: readonly State[]): State {
  const state = states.at(-1);
  if (state === undefined) throw new Error('There is always a first state.');
  return state;
}

/** Plays replies on the small instance and gives every state, the one before the first step included. */
function play(replies: readonly string[], options: Options = {}): State[] {
  const states = [start(smallInstance, options)];
  for (const text of replies) states.push(advance(lastOf(states), reply(text)));
  return states;
}

function end(replies: readonly string[], options: Options = {}): State {
  return lastOf(play(replies, options));
}

interface Row {
  readonly instance_id: string;
  readonly source: string;
  readonly env_overrides?: Record<string, unknown>;
  readonly actions: readonly string[];
  readonly steps: readonly Record<string, unknown>[];
  readonly final: Record<string, unknown>;
  readonly reward: number;
}

describeShared('episode vectors', () => {
  const instances = sharedInstances();
  const rows = readVectors<Row>('navigator/episodes.jsonl', {
    required: ['instance_id', 'actions', 'steps', 'final', 'reward'],
    optional: ['source', 'env_overrides', 'note'],
  });
  const errorFields = ['code', 'reason', 'ids', 'id', 'used', 'freed', 'added', 'ceiling'];
  it.each(rows.map((row, line) => ({ row, name: `${line + 1} (${row.source})` })))(
    'line $name',
    ({ row }) => {
      const instance = instances.get(row.instance_id);
      const options = parseOptions(row.env_overrides);
      if (instance === undefined || !options.ok) throw new Error(`${row.instance_id} cannot be played`);
      let state = start(instance, options.value);
      const steps = row.actions.map((text) => {
        state = advance(state, reply(text));
        return stepRecord(state);
      });
      for (const { error } of row.steps) {
        if (typeof error === 'object' && error !== null) {
          checkFields(error, { required: ['code'], optional: errorFields }, 'error');
        }
      }
      expect(steps).toEqual(row.steps);
      expect(finalRecord(state)).toEqual(row.final);
      expect(rewardOf(state)).toBe(row.reward);
      expect(outcome(state)).toMatchObject({ done: row.final['done'], correct: row.final['correct'] });
    },
  );
});

describe('an episode', () => {
  const solved = ['READ 0', 'COMPRESS 0 :: Coral Gull: Lead = Ida Berg', 'READ 3', 'ANSWER 4107'];

  it('asks for replies until it has ended', () => {
    const states = play(solved);
    expect(states.map((state) => next(state).kind)).toEqual(['reply', 'reply', 'reply', 'reply', 'nothing']);
    expect(states.map(rewardOf)).toEqual([0, 0, 0, 0, 0.95]);
    expect(states.map((state) => state.used)).toEqual([0, 300, 7, 317, 317]);
  });

  it('takes no event after its end and never a verdict', () => {
    const first = end([]);
    const verdict = { kind: 'verdict', judge: 'x', value: true } as const;
    expect(() => advance(end(solved), reply('READ 1'))).toThrow(RangeError);
    expect(() => advance(first, verdict)).toThrow(RangeError);
    expect(() => stepRecord(first)).toThrow(RangeError);
  });

  it('checks whether a chunk is held before it checks for room, and loads nothing that does not fit', () => {
    expect(end(['READ 0', 'READ 0']).last?.error).toEqual({ code: 'already-held', id: '0' });
    const over = end(['READ 0', 'READ 6']);
    expect(over.last?.error).toEqual({
      code: 'ceiling-exceeded',
      used: 300,
      freed: 0,
      added: 301,
      ceiling: 600,
    });
    expect([over.used, over.reads, over.ended]).toEqual([300, [0], 'ceiling-exceeded']);
    expect(end(['READ 6', 'READ 0'], { context_ceiling: 601 }).used).toBe(601);
  });

  it('keeps dropped chunks once, and reads with repeats', () => {
    const state = end(['READ 0', 'DROP 0', 'READ 0', 'COMPRESS 0 :: x', 'DROP S1', 'READ 3', 'DROP 3']);
    expect([state.dropped, state.reads, state.drops]).toEqual([[0, 3], [0, 0, 3], 3]);
  });

  it('cuts a summary to the limit and never uses a summary number twice', () => {
    const replies = ['READ 0', 'COMPRESS 0 :: one, two three', 'DROP S1', 'READ 0', 'COMPRESS 0 :: a'];
    const state = end(replies, { max_summary_tokens: 3 });
    expect(state.notes.map(({ id, text, step }) => [id, text, step])).toEqual([
      ['S1', 'one, two', 2],
      ['S2', 'a', 5],
    ]);
    expect(state.held).toEqual([{ id: 'S2', kind: 'summary', tokens: 1, text: 'a', sources: ['0'] }]);
  });

  it('prefers the answer and the broken ceiling to the spent budget on the last step', () => {
    const options = { step_budget_base: 2, step_budget_per_hop: 0 };
    expect(end(['x', 'ANSWER 4107'], options).ended).toBe('answered');
    expect(end(['READ 0', 'READ 6'], options).ended).toBe('ceiling-exceeded');
    expect(end(['READ 0', 'x'], options).ended).toBe('budget-exhausted');
  });

  it('takes any reply, and a fold changes no earlier state', () => {
    const word = fc.constantFrom(
      'READ',
      'DROP',
      'COMPRESS',
      'ANSWER',
      '0',
      '3',
      '6',
      '99',
      'S1',
      '::',
      'x y z',
      ',',
    );
    const action = fc.constantFrom(
      'READ 0',
      'READ 3',
      'DROP 0',
      'COMPRESS 0 :: a b',
      'COMPRESS S1 0 :: c',
      'DROP S2',
    );
    const text = fc.oneof(
      action,
      fc.array(word, { maxLength: 7 }).map((words) => words.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const states = [start(smallInstance, {})];
        const pictures: string[] = [];
        for (const each of texts) {
          const state = lastOf(states);
          pictures.push(JSON.stringify(state));
          if (next(state).kind === 'nothing') break;
          states.push(advance(state, reply(each)));
        }
        const again = play(texts.slice(0, states.length - 1));
        expect(again).toEqual(states);
        pictures.forEach((picture, index) => {
          expect(JSON.stringify(states[index])).toBe(picture);
        });
        const last = lastOf(states);
        expect(last.used).toBe(last.held.reduce((sum, item) => sum + item.tokens, 0));
        expect(last.used).toBeLessThanOrEqual(600);
        expect(outcome(last).stop).toBe(last.ended ?? 'unfinished');
      }),
    );
  });
});

describe('metrics', () => {
  function measured(
    replies: readonly string[],
    options: Options = {},
  ): Readonly<Record<string, number | null>> {
    return outcome(end(replies, options)).metrics;
  }

  it('have one value each, and names and descriptions of their own', () => {
    const names = metrics.map(({ id }) => id);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(measured([]))).toEqual(names);
    for (const { label, description } of metrics) {
      expect(label).not.toBe('');
      expect(description).toMatch(/\.$/);
    }
  });

  it('say nothing about the end of an episode that goes on', () => {
    expect(measured(['READ 0'])).toMatchObject({
      correct: null,
      budget_exhausted: null,
      final_step: null,
      distractor_capture: null,
      fact_retention: null,
      n_reads: 1,
    });
  });

  it('of a solved episode', () => {
    expect(
      measured(['READ 0', 'COMPRESS 0 :: Lead ida-berg', 'READ 3', 'oops', 'ANSWER 4107']),
    ).toMatchObject({
      correct: 1,
      ceiling_exceeded: 0,
      budget_exhausted: 0,
      steps_over_min: 1.25,
      final_step: 5,
      n_reads: 2,
      reads_over_min: 1,
      n_rereads: 0,
      n_compress: 1,
      fact_retention: 1,
      degenerate_summaries: 1,
      summary_words: 2,
      n_invalid: 1,
      invalid_rate: 0.2,
      distractor_capture: null,
      lost_fact: 0,
    });
  });

  it('retention sees direct evidence sources only', () => {
    const lossy = [
      'READ 0',
      'COMPRESS 0 :: nothing of use',
      'READ 3',
      'COMPRESS 3, S1 :: Desk = 4107',
      'ANSWER 1',
    ];
    expect(measured(lossy)).toMatchObject({ fact_retention: 0.5, lost_fact: 1 });
    expect(measured(['READ 1', 'COMPRESS 1 :: soup'])).toMatchObject({ fact_retention: null });
  });

  it('capture looks at wrong answers and the values that distractors offer or lead to', () => {
    expect(measured(['ANSWER 4,119'])).toMatchObject({ distractor_capture: 1 });
    expect(measured(['ANSWER OTTO LIND.'])).toMatchObject({ distractor_capture: 1 });
    expect(measured(['ANSWER 4108'])).toMatchObject({ distractor_capture: 0 });
    expect(measured(['ANSWER —'])).toMatchObject({ distractor_capture: 0 });
    expect(measured(['ANSWER 4107'])).toMatchObject({ distractor_capture: null });
    const abstaining = parseOptions({ reward: { allow_abstain: true } });
    if (!abstaining.ok) throw new Error(abstaining.error);
    expect(measured(['ANSWER unknown'], abstaining.value)).toMatchObject({
      distractor_capture: null,
      correct: 0,
    });
  });

  it('re-reads count every read of a chunk after its first', () => {
    const replies = ['READ 0', 'DROP 0', 'READ 0', 'DROP 0', 'READ 0', 'READ 0'];
    expect(measured(replies)).toMatchObject({ n_rereads: 2, n_reads: 3, n_errors: 1, n_drop: 2 });
  });
});
