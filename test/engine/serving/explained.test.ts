/** What panels, editors and reports say about episodes. */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../server/src/engine/environments/chat.ts';
import type { PanelSection } from '../../../server/src/engine/environments/panel.ts';
import { scenarioTasks } from '../../../server/src/engine/environments/serving/build.ts';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import type { Instance } from '../../../server/src/engine/environments/serving/instance.ts';
import { defaultOptions, type Options } from '../../../server/src/engine/environments/serving/options.ts';
import { callReply } from '../../../server/src/engine/environments/serving/policies/calls.ts';
import { findScenario } from '../../../server/src/engine/environments/serving/scenarios.ts';
import type { State } from '../../../server/src/engine/environments/serving/state.ts';

function task(scenario: string, fits: (it: Instance) => boolean = () => true): Instance {
  const found = findScenario(scenario);
  const one = found === undefined ? undefined : scenarioTasks(found, 0).test.find(fits);
  if (one === undefined) throw new Error(`no task of ${scenario} fits`);
  return one;
}

function playedBy(policyId: string, instance: Instance): State[] {
  const player = serving.policies.find(({ id }) => id === policyId)?.begin(instance, '0');
  const states = [serving.start(instance, defaultOptions)];
  for (;;) {
    const state = states.at(-1);
    if (state === undefined || player === undefined || serving.next(state).kind !== 'reply') return states;
    states.push(serving.advance(state, player(state)));
  }
}

function replied(instance: Instance, replies: readonly Reply[], options: Partial<Options> = {}): State[] {
  const states = [serving.start(instance, { ...defaultOptions, ...options })];
  for (const reply of replies) states.push(serving.advance(states.at(-1) as State, reply));
  return states;
}

const finish = (args: object) => callReply(0, 'finish', args);
const adapt = ({ evaluator }: Instance) => evaluator.slice === 'adapt';
const toDo = task(
  'mini_retail',
  ({ evaluator: { answer, slice } }) => answer.kind === 'action' && slice !== 'adapt',
);
const toRefuse = task('mini_retail', ({ evaluator: { answer } }) => answer.kind === 'refuse');
const pitch = task('mini_pitch');

describe('causes', () => {
  const silent: Reply = { kind: 'reply', text: 'Hm.' };
  const rows: readonly [string, readonly State[], string | null][] = [
    ['right', playedBy('oracle', toDo), null],
    ['a reader of documents', playedBy('documents', task('mini_retail', adapt)), 'followed-documents'],
    [
      'a reader of documents at the bank',
      playedBy('documents', task('mini_banking', adapt)),
      'followed-documents',
    ],
    ['not over', replied(toDo, [silent]), 'unfinished'],
    ['too many replies', replied(toDo, [silent, silent], { turns: 2 }), 'out-of-budget'],
    ['too long', replied(toDo, [{ kind: 'reply', text: '', finish: 'context' }]), 'context-overflow'],
    ['nothing done', replied(toDo, [finish({})]), 'nothing-done'],
    ['refused', replied(toDo, [finish({ decision: 'refuse', reason: 'final_sale' })]), 'refused'],
    [
      'another reason',
      replied(toRefuse, [finish({ decision: 'refuse', reason: 'over_threshold' })]),
      'wrong-reason',
    ],
    ['a pitch of nothing', replied(pitch, [finish({ pitch: 'Have a look.' })]), 'left-out'],
    ['a pitch that invents', replied(pitch, [finish({ pitch: 'It is waterproof.' })]), 'invented'],
  ];
  test.each(rows)('%s', (_, states, cause) => {
    const explanation = serving.explain?.(states);
    expect(explanation?.cause).toBe(cause);
    expect(explanation?.sentence === null).toBe(cause === null);
  });
});

describe('the panel', () => {
  const sections = (state: State | undefined): readonly PanelSection[] =>
    state === undefined ? [] : (serving.panel?.view(state).sections ?? []);
  const titles = (list: readonly PanelSection[]) => list.map(({ title }) => title.replace(/\(.*/, '').trim());

  test('shows calls, what they changed, and what holds', () => {
    const list = sections(playedBy('oracle', toDo).at(-1));
    expect(titles(list)).toEqual(['Calls', 'Changed so far', 'Hidden policy', 'Expected finish']);
    expect(list.flatMap((it) => (it.privileged ? it.title : []))).toEqual([
      'Hidden policy',
      'Expected finish',
    ]);
  });

  test('shows how the world differs from what it should be', () => {
    const list = sections(replied(toDo, [finish({})]).at(-1));
    expect(titles(list)).toContain('Differs from what it should be');
  });

  test('shows verdicts on a pitch and who gave them', () => {
    const list = sections(replied(pitch, [finish({ pitch: 'It is waterproof.' })]).at(-1));
    const [marks] = list.filter(({ title }) => title.startsWith('Judged by phrases'));
    expect(marks?.kind === 'table' ? marks.rows.at(-1)?.cells : []).toEqual(['', 'water', 'invented']);
  });

  test('tells nothing privileged in what is not marked so', () => {
    for (const instance of [toDo, toRefuse, pitch]) {
      const list = sections(serving.start(instance, defaultOptions)).filter(({ privileged }) => !privileged);
      const text = JSON.stringify([list, serving.panel?.layout(instance)]);
      expect(text).not.toContain(instance.evaluator.slice);
      expect(text).not.toContain('whatever the documents say');
    }
  });

  test('stays small however much is said', () => {
    const usage = { input: 1, output: 1 };
    const long: Reply = { ...callReply(0, 'read_docs', { doc: 'x'.repeat(80_000) }), usage };
    const state = replied(
      toDo,
      Array.from({ length: 90 }, () => long),
    ).at(-1);
    expect(JSON.stringify(sections(state)).length).toBeLessThan(30_000);
  });
});

test('an instance reads back as it was, and hides what is right from its document', () => {
  for (const scenario of ['mini_retail', 'mini_banking', 'mini_pitch', 'banking_l2', 'retail_l2']) {
    const instance = task(scenario);
    const read = serving.parseInstance(JSON.parse(JSON.stringify(instance)));
    expect(read).toEqual({ ok: true, value: instance });
    const text = serving.view?.(instance).text ?? '';
    for (const word of ['evaluator', 'adapt', 'fully_specified']) expect(text).not.toContain(word);
    expect(serving.describe?.(instance)).toContain('## What holds');
  }
});

test.each([
  [null, 'it must be an object'],
  [{}, 'it has no id'],
  [{ ...toDo, tier: 4 }, 'tier is not what it has to be'],
  [{ ...toDo, domain: 'banking' }, 'own.domain must be "banking" as its domain is'],
  [{ ...toDo, own: { ...toDo.own, order: 3 } }, 'own.order is not what it has to be'],
])('what is no instance is refused with its field', (raw, error) => {
  expect(serving.parseInstance(raw)).toEqual({ ok: false, error });
});
