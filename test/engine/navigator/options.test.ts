import { describe, expect, it } from 'vitest';
import { parseOptions, stepBudget } from '../../../server/src/engine/environments/navigator/options.ts';
import { defaultReward } from '../../../server/src/engine/environments/navigator/reward.ts';

describe('options', () => {
  it('are all optional, and what is given is kept', () => {
    expect(parseOptions(undefined)).toEqual({ ok: true, value: {} });
    const given = { context_ceiling: 700, max_summary_tokens: 0, n_hops: [2, 3], doc_tokens: [32000] };
    expect(parseOptions(given)).toEqual({ ok: true, value: given });
    expect(parseOptions({ n_hops: 4 })).toEqual({ ok: true, value: { n_hops: [4] } });
    expect(parseOptions({ reward: { beta: 0 } })).toEqual({
      ok: true,
      value: { reward: { ...defaultReward, beta: 0 } },
    });
  });

  const refusals: readonly [unknown, RegExp][] = [
    [[], /object of named values/],
    ['600', /object of named values/],
    [{ context_ceiling: 0 }, /context_ceiling must be a whole number from 1 to/],
    [{ context_ceiling: '600' }, /not "600"/],
    [{ context_ceiling: Number.POSITIVE_INFINITY }, /not Infinity/],
    [{ step_budget_base: -1 }, /step_budget_base must be/],
    [{ max_summary_tokens: 1.5 }, /max_summary_tokens must be .* not 1.5/],
    [{ n_hops: [] }, /n_hops must be .* or a list/],
    [{ n_hops: [2, 'x'] }, /n_hops/],
    [{ doc_tokens: [32000, -1] }, /doc_tokens/],
    [{ ceiling: 600 }, /no option "ceiling"; it has context_ceiling/],
    [JSON.parse('{"__proto__": 1}'), /no option "__proto__"/],
    [{ reward: null }, /reward must be an object/],
    [{ reward: { beta: -1 } }, /reward.beta must be 0 or more/],
    [{ reward: { beta: '1' } }, /reward.beta must be a number/],
    [{ reward: { allow_abstain: 1 } }, /true or false/],
    [{ reward: { abstain_token: 1 } }, /must be a text/],
    [{ reward: { gamma: 1 } }, /reward has no key "gamma"/],
    [{ reward: { allow_abstain: true, r_abstain: 2 } }, /reward.r_abstain must lie between/],
  ];
  it.each(refusals)('refuses %j', (raw, message) => {
    const parsed = parseOptions(raw);
    expect(parsed.ok ? '' : parsed.error).toMatch(message);
  });
});

describe('the step budget', () => {
  it('is the recorded one unless an option names a part of it', () => {
    expect(stepBudget(3, {}, 99)).toBe(99);
    expect(stepBudget(3, {})).toBe(18);
    expect(stepBudget(3, { step_budget_base: 2 }, 99)).toBe(14);
    expect(stepBudget(3, { step_budget_per_hop: 0 }, 99)).toBe(6);
  });
});
