import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { mostCarried } from '../../../server/src/engine/environments/inventory/answer.ts';
import { inventory } from '../../../server/src/engine/environments/inventory/index.ts';
import type { Instance } from '../../../server/src/engine/environments/inventory/instance.ts';
import { truthsOf } from '../../../server/src/engine/environments/inventory/instance.ts';
import { defaults, type Options } from '../../../server/src/engine/environments/inventory/options.ts';
import type { State } from '../../../server/src/engine/environments/inventory/state.ts';
import { playEpisode } from '../../../server/src/engine/evals/play.ts';
import { statesOf } from '../../../server/src/engine/evals/play-task.ts';
import { preparePrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';

/** Four chunks: two keys are got, one of them is dropped in the third, where a third one is got. */
const told: Instance = {
  id: 'told',
  split: 'train',
  chunks: [
    'quiet [GET: oaken-urn] road',
    'river [GET: teal-lute] hill [get: jade-yoke]',
    'field [DROP: oaken-urn] [GET: opal-flask] plain [drop: teal-lute]',
    'nothing here',
  ],
  operations: [
    { kind: 'GET', key: 'oaken-urn', chunk: 0 },
    { kind: 'GET', key: 'teal-lute', chunk: 1 },
    { kind: 'DROP', key: 'oaken-urn', chunk: 2 },
    { kind: 'GET', key: 'opal-flask', chunk: 2 },
  ],
  distractors: [
    { kind: 'look-alike', key: 'jade-yoke', chunk: 1, text: '[get: jade-yoke]' },
    { kind: 'look-alike', key: 'teal-lute', chunk: 2, text: '[drop: teal-lute]' },
  ],
  truth: ['opal-flask', 'teal-lute'],
  generator: { seed: 0, index: 0, chunk_size: 2 },
};

/** Replies as lists; null for one without a block. */
type Script = readonly (string | null)[];

function play(script: Script, options: Partial<Options> = {}): readonly State[] {
  const events = script.map((list) =>
    reply(list === null ? 'I keep it in mind.' : `<answer>${list}</answer>`),
  );
  return statesOf(inventory, told, { ...defaults, ...options }, events);
}

function last(states: readonly State[]): State {
  const state = states.at(-1);
  if (state === undefined) throw new Error('no state');
  return state;
}

it('the told instance is sound', () => {
  expect(inventory.validate(told, defaults)).toEqual([]);
});

/** A list of one item more than can be carried. */
const manyItems = Array.from({ length: mostCarried.items + 1 }, (_, at) => `i${at}`).join(',');

it.each([
  ['too many items', manyItems, 0],
  ['too many characters', 'x'.repeat(mostCarried.characters + 1), 0],
  ['as many items as can be', manyItems.slice(0, manyItems.lastIndexOf(',')), mostCarried.items],
  ['as many characters as can be', 'x'.repeat(mostCarried.characters), 1],
])('the next prompt can be printed after a block of %s, and the episode is scored', (_, list, carried) => {
  const states = play(['oaken-urn', list, list, list]);
  expect(states[2]?.carried).toHaveLength(carried);
  const source = readFileSync(
    new URL('../../../prompts/inventory/inventory.step.md', import.meta.url),
    'utf8',
  );
  const prompt = preparePrompt(parseStepPrompt(source).prompt);
  for (const state of states) expect(prompt.render(inventory.observe(state)).truncated).toBeNull();
  const stop = carried === 0 ? 'answer-too-long' : 'answered';
  expect(inventory.outcome(last(states))).toMatchObject({ done: true, reward: -1, stop });
});

const right: Script = ['oaken-urn', 'oaken-urn, teal-lute', 'teal-lute, opal-flask', 'opal-flask, teal-lute'];

it('a right episode, with every figure', () => {
  const end = last(play(right));
  expect(inventory.outcome(end)).toEqual({
    done: true,
    reward: 1,
    correct: true,
    stop: 'answered',
    steps: 4,
    metrics: {
      correct_answer: 1,
      episode_length: 4,
      final_item_count: 2,
      reported_item_count: 2,
      missing_count: 0,
      extra_count: 0,
      first_wrong_turn: null,
      wrong_turns: 0,
      lost_blocks: 0,
      tokens_per_turn: expect.any(Number),
    },
  });
});

const lost = 'in the last reply';

describe('why an episode fails, and since which turn', () => {
  it.each<
    [string, Script, { cause: string | null; step: number | null; first: number | null; lost?: number }]
  >([
    ['all right', right, { cause: null, step: null, first: null }],
    [
      'a GET is missed',
      ['oaken-urn', 'oaken-urn', 'opal-flask', 'opal-flask'],
      { cause: 'missed-get', step: 2, first: 2, lost: 2 },
    ],
    [
      'a DROP is missed',
      [
        'oaken-urn',
        'oaken-urn, teal-lute',
        'oaken-urn, teal-lute, opal-flask',
        'oaken-urn, teal-lute, opal-flask',
      ],
      { cause: 'missed-drop', step: 3, first: 3 },
    ],
    [
      'an item goes',
      [...right.slice(0, 3), 'opal-flask'],
      { cause: 'lost-item', step: 4, first: 4, lost: 4 },
    ],
    [
      'a false DROP is obeyed',
      [...right.slice(0, 2), 'opal-flask', 'opal-flask'],
      { cause: 'obeyed-distractor', step: 3, first: 3, lost: 3 },
    ],
    [
      'a false GET is obeyed',
      [
        'oaken-urn',
        'oaken-urn, teal-lute, jade-yoke',
        'jade-yoke, teal-lute, opal-flask',
        'jade-yoke, teal-lute, opal-flask',
      ],
      { cause: 'took-distractor', step: 2, first: 2 },
    ],
    [
      'an item is invented',
      [...right.slice(0, 3), 'opal-flask, teal-lute, waxed-sieve'],
      { cause: 'invented-item', step: 4, first: 4 },
    ],
    [
      'the block is left out on the way',
      ['oaken-urn', null, 'opal-flask', 'opal-flask'],
      { cause: 'no-answer', step: 2, first: 2, lost: 2 },
    ],
    [lost, [...right.slice(0, 3), null], { cause: 'no-answer', step: 4, first: 4, lost: 4 }],
    [
      'items run together',
      [...right.slice(0, 3), 'opal-flask and teal-lute'],
      { cause: 'answer-form', step: 4, first: 4, lost: 4 },
    ],
    [
      'a slip that is made good is no cause',
      ['', 'teal-lute', 'teal-lute', 'teal-lute'],
      { cause: 'missed-get', step: 3, first: 1, lost: 3 },
    ],
    [
      'the earlier of two',
      ['oaken-urn', '', 'opal-flask, waxed-sieve', 'opal-flask, waxed-sieve'],
      { cause: 'missed-get', step: 2, first: 2, lost: 2 },
    ],
    [
      'the block is too long on the way',
      ['oaken-urn', manyItems, 'opal-flask', 'opal-flask'],
      { cause: 'answer-too-long', step: 2, first: 2, lost: 2 },
    ],
    [
      'the last block is too long',
      [...right.slice(0, 3), 'x'.repeat(mostCarried.characters + 1)],
      { cause: 'answer-too-long', step: 4, first: 4, lost: 4 },
    ],
    ['it goes on', ['oaken-urn'], { cause: 'unfinished', step: null, first: null }],
  ])('%s', (_, script, expected) => {
    const states = play(script);
    const explanation = inventory.explain?.(states);
    expect(explanation).toMatchObject({
      cause: expected.cause,
      step: expected.step,
      lostBridgeAt: expected.lost ?? null,
    });
    expect(explanation?.sentence === null).toBe(expected.cause === null);
    expect(inventory.outcome(last(states)).metrics['first_wrong_turn']).toBe(expected.first);
  });

  it('names the operation and the item', () => {
    const explanation = inventory.explain?.(play(['oaken-urn', 'oaken-urn', 'opal-flask', 'opal-flask']));
    expect(explanation).toMatchObject({
      hop: 1,
      sentence: '[GET: teal-lute] of chunk 2 was not carried out.',
    });
  });
});

it('the first or the last block counts, as the options say', () => {
  const both = [...right.slice(0, 3), 'x</answer> or <answer>opal-flask, teal-lute'];
  expect(inventory.outcome(last(play(both))).reward).toBe(1);
  expect(inventory.outcome(last(play(both, { answer_block: 'first' }))).reward).toBe(-1);
});

const prompt = preparePrompt(
  parseStepPrompt(
    readFileSync(new URL('../../../prompts/inventory/inventory.step.md', import.meta.url), 'utf8'),
  ).prompt,
);

it('nothing of the past is seen but the last list: two pasts that carry the same are told apart by nobody', () => {
  const texts = fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 3 });
  const list = fc.constantFrom('', 'oaken-urn', 'teal-lute, oaken-urn');
  const privileged = new Set(inventory.variables.flatMap(({ name, privileged: is }) => (is ? [name] : [])));
  fc.assert(
    fc.property(texts, texts, list, (one, other, items) => {
      const length = Math.min(one.length, other.length);
      const seen = [one, other].map((past) => {
        const said = past.slice(0, length).map((text, at) => {
          // Both carry the same out of the last turn, whatever else they say there.
          return reply(at + 1 === length ? `${text.replaceAll('<', '')}<answer>${items}</answer>` : text);
        });
        const observation = inventory.observe(last(statesOf(inventory, told, defaults, said)));
        const shown = inventory.variables.filter(({ name }) => !privileged.has(name));
        return {
          values: shown.map(({ name }) => observation[name]),
          messages: prompt.render(observation).messages,
        };
      });
      expect(seen[1]).toEqual(seen[0]);
      expect(inventory.conversation(last(play([])))).toEqual([]);
    }),
  );
});

it('a prompt holds its own chunk only', () => {
  const states = play(right);
  states.slice(0, 4).forEach((state, at) => {
    const text = prompt
      .render(inventory.observe(state))
      .messages.map(({ content }) => content)
      .join('\n');
    for (const [other, chunk] of told.chunks.entries()) expect(text.includes(chunk)).toBe(other === at);
  });
});

/** Mean reward of a policy over the first instances of train. */
function meanReward(id: string, options: Partial<Options>, count = 60): number {
  const policy = inventory.policies.find((it) => it.id === id);
  if (policy === undefined) throw new Error(`no policy ${id}`);
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const made = inventory.generate('train', index, { ...defaults, chunk_size: 60, ...options });
    if (!made.ok) throw new Error(made.error);
    sum += playEpisode(inventory, made.value.instance, defaults, policy, '0').outcome.reward;
  }
  return sum / count;
}

describe('what scripted agents score', () => {
  it.each([
    ['carrier', {}, 1],
    ['carrier', { n_ops: 40, distractors: 30 }, 1],
    ['oracle', {}, 1],
    ['append-only', {}, -1],
    ['append-only', { n_ops: 1 }, 1],
    ['echo-seen', {}, -1],
    ['echo-seen', { n_ops: 1, distractors: 10 }, -1],
    ['everything', {}, -1],
    ['empty', {}, -1],
    ['empty', { n_ops: 0 }, 1],
    ['silent', {}, -1],
    ['silent', { n_ops: 0 }, -1],
    ['last-chunk-only', { n_chunks: 1 }, 1],
  ])('%s under %o: %d', (id, options, reward) => {
    expect(meanReward(id, options)).toBe(reward);
  });

  it('the last chunk alone seldom does: only when all that is left was got there', () => {
    // About one episode in seven; 200 of them spread by 0.05 in reward.
    expect(Math.abs(meanReward('last-chunk-only', {}, 200) + 0.73)).toBeLessThan(0.2);
  });

  it('losing one carried item in ten a turn costs about two episodes in five', () => {
    // 0.16 over 4,000 episodes; the standard error over 200 is 0.07.
    expect(Math.abs(meanReward('forgetful', {}, 200) - 0.16)).toBeLessThan(0.28);
  });
});

it('what an editor shows: the truth beside what is carried, what was missed, and how to mend it', () => {
  const { commentary, panel } = inventory;
  const [start, one, two] = play(['oaken-urn', 'oaken-urn']);
  if (!commentary || !start || !one || !two) throw new Error('no commentary');
  expect(commentary.label(one)).toBe('+oaken-urn: 1 item');
  expect(commentary.label(two)).toBe('no change: 1 item');
  expect(commentary.describe(two, false)).not.toContain('teal-lute');
  expect(commentary.describe(two, true)).toContain('Missing: `teal-lute`');
  const text = 'So: <answer>oaken-urn</answer>';
  const [note, ...others] = commentary.notes(one, reply(text), two);
  expect(others).toEqual([]);
  expect(note).toMatchObject({ code: 'inventory.missed-get', start: 12, end: 21, privileged: true });
  expect(note?.message).toBe('"teal-lute" is missing: [GET: teal-lute] of this chunk was not carried out.');
  expect(note?.fixes?.[0]?.replace).toEqual({ start: 12, end: 21, text: 'oaken-urn, teal-lute' });
  expect(commentary.bestReplies?.(two)).toEqual([
    '<answer>teal-lute, opal-flask</answer>',
    '<answer>teal-lute, opal-flask</answer>',
  ]);
  const labels = (typed: string) =>
    commentary.complete?.(one, typed, typed.length, false).map((proposal) => proposal.label);
  expect(labels('')).toEqual(['<answer>']);
  expect(labels('<answer>')).toEqual(['oaken-urn', 'teal-lute']);
  expect(labels('<answer>oaken-urn, t')).toEqual(['teal-lute']);
  const table = panel?.view(two).sections.find(({ kind }) => kind === 'table');
  expect(table).toMatchObject({ title: 'Reported and true: off since turn 2', privileged: true });
  expect(truthsOf(told).at(-1)).toEqual(['teal-lute', 'opal-flask']);
});

it('a document links drops to what was got', () => {
  const view = inventory.view?.(told);
  const links = view && inventory.links?.(told, view);
  if (!links) throw new Error('no links');
  expect(links.entities.map(({ name, chunk }) => [name, chunk])).toEqual([
    ['oaken-urn', 1],
    ['teal-lute', 2],
    ['jade-yoke', -1],
    ['opal-flask', 3],
  ]);
  expect(links.chain.map(({ label, value, chunk }) => `${label} ${value} ${chunk}`)).toEqual([
    'GET oaken-urn 1',
    'GET teal-lute 2',
    'DROP oaken-urn 3',
    'GET opal-flask 3',
  ]);
  expect(links.distractors.map(({ kind, value, chunk }) => `${kind} ${value} ${chunk}`)).toEqual([
    'look-alike jade-yoke 2',
    'look-alike teal-lute 3',
  ]);
  for (let at = 0; at < links.mentions.count; at++) {
    const name = view.text.slice(links.mentions.starts[at], links.mentions.ends[at]);
    expect(links.entities[links.mentions.entities[at] ?? -1]?.name).toBe(name);
  }
});

it('hostile replies take no time to speak of', () => {
  const { commentary } = inventory;
  const made = inventory.generate('train', 0, { ...defaults, n_ops: 1152, n_chunks: 2, chunk_size: 10 });
  if (!made.ok || commentary === undefined) throw new Error('no instance');
  const many = Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(',');
  const hostile = [
    `<answer>${many}</answer>`,
    '<answer>'.repeat(100_000),
    `<answer>${'a'.repeat(500_000)},`,
    'a'.repeat(500_000),
    `${'a'.repeat(500_000)} `,
    `<answer>${'<'.repeat(300_000)}</answer>`,
  ];
  for (const text of hostile) {
    const [start, end] = statesOf(inventory, made.value.instance, defaults, [reply(text)]);
    if (start === undefined || end === undefined) throw new Error('no state');
    expect(commentary.notes(start, reply(text), end).length).toBeLessThanOrEqual(50);
    commentary.complete?.(start, text, text.length, true);
    expect(commentary.describe(end, true).length).toBeLessThan(4000);
    expect(inventory.explain?.([start, end])).toMatchObject({ cause: 'unfinished' });
    expect(JSON.stringify(inventory.panel?.view(end)).length).toBeLessThan(40_000);
    inventory.replyProblems?.(text);
  }
});
