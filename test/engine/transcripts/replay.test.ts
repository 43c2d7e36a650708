import { describe, expect, it } from 'vitest';
import { type Event, reply } from '../../../server/src/engine/environments/chat.ts';
import { type Replay, replay } from '../../../server/src/engine/transcripts/replay.ts';
import { type JudgedState, judged } from '../../support/judged-environment.ts';

const instance = { id: 'judged-0', split: 'train' };

function verdict(value: unknown): Event {
  return { kind: 'verdict', judge: 'points', value };
}

function play(events: readonly Event[], previous?: Replay<JudgedState>): Replay<JudgedState> {
  return replay(judged, instance, null, events, previous);
}

describe('replaying', () => {
  it('folds every event and keeps the states between them', () => {
    const { first, steps, last } = play([reply('a'), verdict(1), reply('b'), verdict(2)]);
    expect(steps.map(({ after }) => after.points)).toEqual([0, 1, 1, 3]);
    expect(steps[0]?.before).toBe(first);
    expect(steps.at(-1)?.after).toBe(last);
    expect(steps.every(({ fault }) => fault === null)).toBe(true);
  });

  it('leaves out what cannot be played', () => {
    const { steps, last } = play([
      verdict(9),
      reply('a'),
      reply('again'),
      verdict(1),
      reply('b'),
      verdict(1),
      reply('c'),
      verdict(9),
    ]);
    expect(steps.map(({ fault }) => fault)).toEqual([
      'needs-reply',
      null,
      'needs-verdict',
      null,
      null,
      null,
      'over',
      'over',
    ]);
    expect(last.points).toBe(2);
    for (const { fault, before, after } of steps) if (fault !== null) expect(after).toBe(before);
  });

  it('plays again from the first event that changed', () => {
    const before = play([reply('a'), verdict({ x: [1] }), reply('b'), verdict(2)]);
    const same = play(
      [{ ...reply('a'), reasoning: 'why' }, verdict({ x: [1] }), reply('b'), verdict(2)],
      before,
    );
    expect(same.steps.map((step, index) => step === before.steps[index])).toEqual([true, true, true, true]);
    const changed = play([reply('a'), verdict({ x: [2] }), reply('b'), verdict(2)], before);
    expect(changed.steps.map((step, index) => step === before.steps[index])).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(play([], before).last).toBe(before.first);
    expect(play([verdict(1)], before).steps[0]?.fault).toBe('needs-reply');
  });

  it('counts tool calls as what is played', () => {
    const call = { id: '1', name: 'look', arguments: '{}' };
    const before = play([{ ...reply('a'), toolCalls: [call] }]);
    const isKept = (event: Event) => play([event], before).steps[0] === before.steps[0];
    expect(isKept({ ...reply('a'), toolCalls: [{ ...call }] })).toBe(true);
    expect(isKept({ ...reply('a'), toolCalls: [{ ...call, arguments: '[]' }] })).toBe(false);
    expect(isKept({ ...reply('a'), toolCalls: [] })).toBe(false);
    expect(isKept(reply('a'))).toBe(false);
  });
});
