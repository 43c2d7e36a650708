/** The published data as a whole: what is known of it from outside, and the figures of policies and baselines on it. */
import { beforeAll, expect, it } from 'vitest';
import type { Outcome } from '../../../server/src/engine/environments/environment.ts';
import { hazardsOf } from '../../../server/src/engine/environments/two-hop/hazards.ts';
import { CONDITIONS, type Instance } from '../../../server/src/engine/environments/two-hop/instance.ts';
import { playEpisode } from '../../../server/src/engine/evals/play.ts';
import { describeShared } from '../../support/shared.ts';
import { instanceAt, optionsOf, published, type TwoHop } from './data.ts';

describeShared('two-hop data', () => {
  let environment: TwoHop;
  let all: Readonly<Record<string, readonly Instance[]>>;

  beforeAll(() => {
    environment = published();
    const listed = CONDITIONS.map((split) => {
      const size = environment.sizeOf?.(split, optionsOf(environment)) ?? 0;
      return [split, Array.from({ length: size }, (_, at) => instanceAt(environment, split, at))] as const;
    });
    all = Object.fromEntries(listed);
  });

  const of = (split: string) => all[split] ?? [];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

  it('has the published sizes', () => {
    expect(environment.data?.set.files.length).toBe(225);
    expect(sum((environment.data?.set.files ?? []).map(({ bytes }) => bytes ?? 0))).toBe(5_647_542);
    expect(CONDITIONS.map((split) => of(split).length)).toEqual([1380, 1380, 6900]);
    expect(environment.splits.map(({ size }) => size)).toEqual([1380, 1380, 6900]);
    for (const split of CONDITIONS) {
      expect(new Set(of(split).map(({ domain }) => domain)).size).toBe(18);
      expect(new Set(of(split).map(({ domain, relation }) => `${domain} ${relation}`)).size).toBe(69);
      expect(new Set(of(split).map(({ id }) => id)).size).toBe(of(split).length);
    }
    expect(new Set(of('nocot').map(({ system }) => system)).size).toBe(30);
  });

  it('begins with the relations of the first domain', () => {
    const first = of('nocot').slice(0, 60);
    expect(new Set(first.map(({ domain }) => domain))).toEqual(new Set(['ancient_cities']));
    expect([0, 20, 40].map((at) => first[at]?.relation)).toEqual([
      'continent',
      'founding_century_bc',
      'modern_country',
    ]);
  });

  it('joins every question with its bridge entity', () => {
    for (const split of CONDITIONS) {
      expect(of(split).filter(({ bridge }) => bridge !== null).length).toBe(of(split).length);
    }
  });

  it('asks the same with and without reasoning', () => {
    const facts = (split: string) =>
      of(split).map(({ question, answer, bridge }) => [question, answer, bridge]);
    expect(facts('cot')).toEqual(facts('nocot'));
  });

  it('deals the same answers out anew in each block of a shuffled file', () => {
    const plain = of('nocot');
    for (const [at, { question }] of of('nocot_shuffled').entries()) {
      const file = Math.floor(at / 100);
      expect(question).toBe(plain[file * 20 + (at % 20)]?.question);
    }
    for (let block = 0; block < of('nocot_shuffled').length; block += 20) {
      const file = Math.floor(block / 100);
      const dealt = of('nocot_shuffled').slice(block, block + 20);
      const answers = plain.slice(file * 20, file * 20 + 20);
      expect(dealt.map(({ answer }) => answer).sort()).toEqual(answers.map(({ answer }) => answer).sort());
    }
  });

  it('has the known hazards', () => {
    const counts = (split: string) => {
      const codes = of(split).flatMap((instance) => hazardsOf(instance).map(({ code }) => code));
      return Object.fromEntries(
        [...new Set(codes)].sort().map((code) => [code, codes.filter((it) => it === code).length]),
      );
    };
    expect(counts('nocot')).toMatchObject({
      'answer-in-bridge': 125,
      'bridge-in-answer': 11,
      'answer-in-question': 13,
      'strict-impossible': 1,
      'answer-counts-as-spam': 1,
    });
  });

  it('is sound row by row, down to the grader', () => {
    for (const split of CONDITIONS) {
      for (const instance of of(split))
        expect(environment.validate(instance, optionsOf(environment))).toEqual([]);
    }
  });

  it('never shows an answer to the model', () => {
    for (const split of CONDITIONS) {
      for (const instance of of(split)) {
        const { question, answer } = instance;
        const said = environment.observe(environment.start(instance, optionsOf(environment)));
        const shown = [said['system'], said['question']].join('\n');
        if (!question.toLowerCase().includes(answer.toLowerCase()) && answer.length > 2) {
          expect(shown).not.toContain(answer);
        }
        expect(environment.conversation(environment.start(instance, optionsOf(environment)))).toEqual([]);
      }
    }
  });

  it('finds every instance by its id', () => {
    for (const split of CONDITIONS) {
      of(split).forEach(({ id }, index) => {
        expect(environment.locate?.(id)).toEqual({ split, index, options: {} });
        expect(environment.listing?.(split, index, optionsOf(environment))).toMatchObject({ value: { id } });
      });
    }
  });

  function play(policy: string, instances: readonly Instance[]): readonly Outcome[] {
    const agent = environment.policies.find(({ id }) => id === policy);
    if (agent === undefined) throw new Error(`no policy ${policy}`);
    return instances.map(
      (instance) => playEpisode(environment, instance, optionsOf(environment), agent, '0').outcome,
    );
  }
  const total = (outcomes: readonly Outcome[], metric: string) =>
    sum(outcomes.flatMap(({ metrics }) => metrics[metric] ?? []));

  it.each([
    // policy, split, correct, strict, spam
    ['perfect', 'nocot', 1380, 1379, 1],
    ['perfect', 'cot', 1380, 0, null],
    ['perfect', 'nocot_shuffled', 6900, 6895, 5],
    ['sentence', 'nocot', 1380, 0, 1],
    ['empty', 'nocot', 0, 0, 0],
    ['most-common', 'nocot', 252, 252, null],
    ['most-common', 'nocot_shuffled', 1275, 1260, null],
    ['enumerate-all', 'nocot', 1380, 0, null],
    ['bridge-only', 'nocot', 125, null, null],
    ['repeat-question', 'nocot', 13, 0, null],
  ] as const)('%s on %s: %s correct', (policy, split, correct, strict, spam) => {
    const outcomes = play(policy, of(split));
    expect(total(outcomes, 'correct')).toBe(correct);
    expect(sum(outcomes.map(({ reward }) => reward))).toBe(correct);
    if (strict !== null) expect(total(outcomes, 'strict_answer')).toBe(strict);
    if (spam !== null) expect(total(outcomes, 'answer_spam')).toBe(spam);
  });

  it('scores 18 of the first 60 and 252 of all by always giving the most common answer', () => {
    const baseline = environment.baselines?.find(({ id }) => id === 'most_common_answer');
    const scores = of('nocot').map((instance) => baseline?.score(instance, '0') ?? 0);
    expect(sum(scores.slice(0, 60))).toBe(18);
    expect(sum(scores)).toBe(252);
    expect(total(play('empty', of('nocot').slice(0, 60)), 'prior')).toBe(18);
  });

  it('shows enumerating by its spam, and refuses it when only strict answers count', () => {
    expect(total(play('enumerate-all', of('nocot')), 'answer_spam')).toBeGreaterThan(1380 * 10);
    const strict = optionsOf(environment, { weights: { correct: 0, strict_answer: 1 } });
    const agent = environment.policies.find(({ id }) => id === 'enumerate-all');
    if (agent === undefined) throw new Error('no such policy');
    const rewards = of('nocot').map(
      (instance) => playEpisode(environment, instance, strict, agent, '0').outcome.reward,
    );
    expect(sum(rewards)).toBe(0);
  });

  it('has valid reasoning in every perfect reply but where the data forbid it', () => {
    const instances = of('cot');
    const outcomes = play('perfect', instances);
    instances.forEach((instance, at) => {
      const codes = hazardsOf(instance).map(({ code }) => code);
      const figure = outcomes[at]?.metrics['valid_cot'];
      if (codes.includes('valid-cot-impossible')) expect(figure).toBe(0);
      // The person's or the bridge entity's name may hold the answer too early.
      else if (!codes.some((code) => /answer|short/.test(code))) expect(figure).toBe(1);
      expect(outcomes[at]?.metrics['strict_answer']).toBeNull();
    });
  });
});
