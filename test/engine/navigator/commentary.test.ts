import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { commentary } from '../../../server/src/engine/environments/navigator/commentary/index.ts';
import { advance, type State, start } from '../../../server/src/engine/environments/navigator/episode.ts';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { locate } from '../../../server/src/engine/environments/navigator/locate.ts';
import type { Options } from '../../../server/src/engine/environments/navigator/options.ts';
import { oracle } from '../../../server/src/engine/environments/navigator/policies/oracle.ts';
import { fewestStepsLeft, isUnwinnable } from '../../../server/src/engine/environments/navigator/progress.ts';
import { isCorrect } from '../../../server/src/engine/environments/navigator/reward.ts';
import { population } from '../../support/population.ts';
import { showProblems } from '../../support/problems.ts';
import { smallInstance } from '../../support/small-instance.ts';

function play(replies: readonly string[], options: Options = {}, instance: Instance = smallInstance): State {
  return replies.reduce((state, text) => advance(state, reply(text)), start(instance, options));
}

/** Notes of the last of `replies`, as `code «what it marks»`. */
function notes(replies: readonly string[], options: Options = {}): string[] {
  const before = play(replies.slice(0, -1), options);
  const event = reply(replies.at(-1) ?? '');
  return showProblems(event.text, commentary.notes(before, event, advance(before, event)));
}

describe('the best way on', () => {
  it('leads to the right answer from wherever it can still be reached, in no more steps than counting says', () => {
    for (const instance of [...population('train', 6), ...population('ood_test', 6)]) {
      const player = oracle(0.5).begin(instance, 'commentary');
      let state = start(instance, {});
      while (state.ended === null) {
        const best = commentary.bestReplies(state);
        if (!isUnwinnable(state)) {
          expect(best).not.toBeNull();
          expect(best?.length).toBeLessThanOrEqual(fewestStepsLeft(state) ?? 0);
        }
        const end = best?.reduce((reached, text) => advance(reached, reply(text)), state);
        if (end !== undefined) expect(isCorrect(end)).toBe(true);
        state = advance(state, player(state));
      }
      expect(commentary.bestReplies(state)).toEqual([]);
    }
  });

  it('takes the fewest steps from the start', () => {
    for (const instance of population('scale_test', 4)) {
      expect(commentary.bestReplies(start(instance, {}))?.length).toBe(instance.min_steps);
      expect(fewestStepsLeft(start(instance, {}))).toBe(instance.min_steps);
    }
  });

  it('writes down no more than the summary limit lets pass', () => {
    const state = play(['READ 0'], { max_summary_tokens: 2 });
    expect(commentary.bestReplies(state)?.[0]).toMatch(/ACTION: COMPRESS 0 :: Ida Berg$/);
    expect(commentary.bestReplies(play(['READ 0'], { max_summary_tokens: 1 }))).toBeNull();
  });

  it('drops what is useless while nothing is known', () => {
    expect(commentary.bestReplies(play(['READ 1']))?.[0]).toMatch(/ACTION: DROP 1$/);
  });

  it('is none within too small a step budget or under too low a ceiling', () => {
    const budget = { step_budget_base: 3, step_budget_per_hop: 0 };
    expect(commentary.bestReplies(start(smallInstance, budget))).toBeNull();
    expect(commentary.bestReplies(start(smallInstance, { context_ceiling: 200 }))).toBeNull();
    expect(fewestStepsLeft(start(smallInstance, { context_ceiling: 200 }))).toBeNull();
    expect(fewestStepsLeft(play(['READ 0'], { context_ceiling: 320 }))).toBeNull();
  });
});

describe('notes', () => {
  it.each<[readonly string[], readonly string[], Options?]>([
    [['READ 0'], []],
    [['THOUGHT: x\nACTION: READ [0]'], []],
    [['READ 6'], ['navigator.cannot-hold «6»']],
    [['READ 77777777777777777777777'], ['navigator.no-such-chunk «77777777777777777777777»']],
    [
      ['READ 0', 'DROP 0, S1, 0, s2, S1'],
      ['navigator.not-held «S1»', 'navigator.not-held «s2»'],
    ],
    [['READ 0', 'ACTION: COMPRESS 0\n:: x\ny'], ['navigator.lost-bridge «x\ny»']],
    [['READ 0', 'COMPRESS 0 :: Ida Berg'], []],
    [['READ 0', 'COMPRESS 0 :: Ida Berg-Oakes, Otto Lind'], ['navigator.superseded-value «Otto Lind»']],
    [
      ['READ 0', 'ACTION: COMPRESS 0 :: a b\n c d Ida Berg'],
      ['navigator.lost-bridge «a b\n c d Ida Berg»', 'navigator.summary-cut « d Ida Berg»'],
      { max_summary_tokens: 3 },
    ],
    [['READ 0', 'COMPRESS 0 :: Ida Berg', 'READ 3', 'READ 1'], ['navigator.ceiling-exceeded «1»']],
    [['ANSWER 4119'], ['navigator.distractor-answer «4119»']],
    [['ANSWER 4107'], []],
    [['JUMP'], []],
    [[' \n'], []],
    [[''], ['navigator.budget-exhausted «»'], { step_budget_base: 1, step_budget_per_hop: 0 }],
  ])('%j: %j', (replies, expected, options) => {
    expect(notes(replies, options)).toEqual(expected);
  });

  it('says once that an episode cannot be won any more', () => {
    const budget = { step_budget_base: 5, step_budget_per_hop: 0 };
    expect(notes(['DROP 1', 'DROP 1'], budget)).toContain('navigator.unwinnable «DROP 1»');
    expect(notes(['DROP 1'], budget)).not.toContain('navigator.unwinnable «DROP 1»');
    expect(notes(['DROP 1', 'DROP 1', 'DROP 1'], budget)).not.toContain('navigator.unwinnable «DROP 1»');
  });
});

describe('labels', () => {
  it.each([
    [['READ [0]'], 'READ 0'],
    [['READ 9'], 'READ 9 (failed)'],
    [['READ 0', 'COMPRESS 0 :: Ida Berg'], 'COMPRESS 0 → S1'],
    [['ANSWER 4107'], 'ANSWER 4107'],
    [['hm'], 'no action'],
  ])('%j: %s', (replies, expected) => {
    expect(commentary.label(play(replies))).toBe(expected);
  });
});

describe('ids in a reply', () => {
  it.each([
    [
      'I saw chunk 12 and S1, chunks 3.\nACTION: COMPRESS [012], s1 :: chunk 5',
      ['chunk 12', 'summary S1', 'chunk 3', 'chunk 12', 'summary S1'],
    ],
    ['READ 4', ['chunk 4']],
    ['XS1 chunk12 S1x', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(commentary.references(text).map(({ kind, id }) => `${kind} ${id}`)).toEqual(expected);
  });

  it('in any text do not overlap', () => {
    const text = `chunk 1 ${'S2 '.repeat(10_000)}ACTION: DROP ${'3, '.repeat(10_000)}`;
    let end = 0;
    for (const reference of commentary.references(text)) {
      expect(reference.start).toBeGreaterThanOrEqual(end);
      end = reference.end;
    }
  });
});

describe('ids of instances', () => {
  it('lead back to their instances', () => {
    for (const options of [
      {},
      { n_hops: [2] },
      { doc_tokens: [64_000] },
      { n_hops: [4, 5], doc_tokens: [32_000] },
    ]) {
      const made = navigator.generate('scale_test', 3, options);
      if (!made.ok) throw new Error(made.error);
      const { instance } = made.value;
      const origin = locate(instance.id);
      const parsed = navigator.parseOptions(origin?.options);
      if (!origin || !parsed.ok) throw new Error(instance.id);
      const again = navigator.generate(origin.split, origin.index, parsed.value);
      expect(again.ok && again.value.instance).toEqual({ ...instance, id: instance.id });
    }
  });

  it.each(['train-100000000', 'hs0-train-1', 'hs1-train-', 'hs1-train-1234567890', 'hs1-train-1-x', ''])(
    '%j is none of ours',
    (id) => {
      expect(locate(id)).toBeNull();
    },
  );
});
