import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { advance, type State, start } from '../../../server/src/engine/environments/navigator/episode.ts';
import { Observation, observe } from '../../../server/src/engine/environments/navigator/observation.ts';
import { type Options, parseOptions } from '../../../server/src/engine/environments/navigator/options.ts';
import { variables } from '../../../server/src/engine/environments/navigator/variables.ts';
import type { Variable } from '../../../server/src/engine/environments/variables.ts';
import { smallInstance } from '../../support/small-instance.ts';

function end(replies: readonly string[], options: Options = {}): State {
  return replies.reduce((state, text) => advance(state, reply(text)), start(smallInstance, options));
}

function seen(replies: readonly string[], options: Options = {}): Observation {
  return observe(end(replies, options));
}

const compressed = ['READ 0', 'COMPRESS 0 :: Coral Gull: Lead = Ida Berg', 'READ 3'];

describe('ready-made texts', () => {
  it('the map: a line per register chunk and per run of noise', () => {
    expect(seen([]).map_text.split('\n')).toEqual([
      '  [0] Project Register · Amber Finch – Coral Gull · 300 tokens',
      '  [1–2] Canteen Minutes · 2 × about 330 tokens',
      '  [3] Personnel Directory · Ida Berg – Ida Berg Jr · 310 tokens',
      '  [4] Personnel Directory · Otto Lind · 290 tokens',
      '  [5] Stores Notices · 1 × about 333 tokens',
      '  [6] Project Register · Jade Stork · 301 tokens',
    ]);
  });

  it('the ledger: four lines, a dash for what is empty', () => {
    expect(seen([]).ledger_text).toBe('  Read: —\n  Dropped: —\n  Compressed: —\n  Last action: —');
    expect(seen([...compressed, 'COMPRESS S1, 3 :: 4107', 'READ 0', 'drop  0 0']).ledger_text).toBe(
      '  Read: 0, 3, 0\n  Dropped: 0, 3\n  Compressed: S1<-[0], S2<-[S1, 3]\n  Last action: DROP 0 (done)',
    );
  });

  it('the working context: each item and a blank line, the last line break being the prompt’s', () => {
    expect(seen([]).held_text).toBe('  (empty)');
    expect(seen(compressed).held_text).toBe(
      '[S1] (7 tokens, from 0) Coral Gull: Lead = Ida Berg\n\n' +
        '[3] (310 tokens)\nPersonnel Directory · Ida Berg – Ida Berg Jr\nIda Berg — Desk extension: 4107.\n',
    );
  });
});

describe('the last action', () => {
  it('is told in the grammar’s own spelling when it was one', () => {
    expect(seen([])).toMatchObject({ last_action: '', last_ok: false, last_error: '' });
    expect(seen(['hm\naction: read [003], 4'])).toMatchObject({ last_action: 'READ 3', last_ok: true });
    expect(seen(['READ 0', 'compress 0\u2003:: a  b'])).toMatchObject({ last_action: 'COMPRESS 0 :: a  b' });
  });

  it('or is the last line of the reply, cut to 60 code points', () => {
    expect(seen([' \n '])).toMatchObject({ last_action: '(empty)', last_ok: false });
    expect(seen(['READ 1\u2028 hm '])).toMatchObject({ last_action: 'hm' });
    expect(seen(['\u{1f600}'.repeat(61)])).toMatchObject({ last_action: '\u{1f600}'.repeat(60) });
  });

  it('has an error that names what it was about, and stays short', () => {
    expect(seen(['READ 9']).last_error).toMatch(/9/);
    expect(seen(['READ 0', 'READ 0']).last_error).toMatch(/Chunk 0/);
    expect(seen(['DROP 1, S2']).last_error).toMatch(/1, S2/);
    expect(seen(['READ 0', 'READ 6']).last_error).toMatch(/601.*600/);
    const many = seen([`DROP ${Array.from({ length: 500 }, (_, index) => index).join(' ')}`]);
    expect(many.last_error).toMatch(/8, 9, …/);
    expect(many.last_action).toHaveLength(241);
    expect(many.ledger_text).toContain('(failed: ');
  });

  it('never has what a model wrote taken for a slot', () => {
    expect(seen(['{error} {action}']).ledger_text).toContain('Last action: {error} {action} (failed: ');
    expect(seen(['READ 0', 'COMPRESS 0 :: {sources}']).held_text).toBe('[S1] (3 tokens, from 0) {sources}\n');
  });
});

describe('the map as a list', () => {
  it('says of each chunk how it stands', () => {
    const flags = (replies: readonly string[]) =>
      seen(replies).map.map(
        ({ id, fits, held, read, dropped }) =>
          `${id}${fits ? ' fits' : ''}${held ? ' held' : ''}${read ? ' read' : ''}${dropped ? ' dropped' : ''}`,
      );
    expect(flags([])).toEqual(['0 fits', '1–2', '3 fits', '4 fits', '5', '6 fits']);
    expect(flags(['READ 0'])).toEqual(['0 held read', '1–2', '3', '4 fits', '5', '6']);
    const filled = ['READ 0', 'DROP 0', 'READ 3'];
    expect(flags(filled)).toEqual(['0 read dropped', '1–2', '3 held read', '4 fits', '5', '6']);
    expect(flags([...filled, 'DROP 3', 'READ 1'])).toEqual([
      '0 read dropped',
      '1–2',
      '3 read dropped',
      '4',
      '5',
      '6',
    ]);
    expect(flags(['READ 4'])).toEqual(['0 fits', '1–2', '3 fits', '4 held read', '5', '6 fits']);
  });

  it('describes runs of noise', () => {
    expect(seen([]).map[1]).toMatchObject({
      is_chunk: false,
      is_noise: true,
      section: 'Canteen Minutes',
      first: 1,
      last: 2,
      count: 2,
      mean: 330,
    });
    expect(seen([]).map[4]).toMatchObject({ id: '5', count: 1, first: 5, last: 5, is_noise: true });
  });

  it('shares the lines that two states have in common', () => {
    const [before, after] = [seen([]).map, seen(['READ 4']).map];
    expect(before.map((item, index) => item === after[index])).toEqual([true, true, true, false, true, true]);
  });
});

describe('the budget', () => {
  it('counts the step about to be taken', () => {
    const options = { step_budget_base: 2, step_budget_per_hop: 0 };
    expect(seen([], options)).toMatchObject({ step: 1, steps_used: 0, steps_left: 2, is_last_step: false });
    expect(seen(['x'], options)).toMatchObject({ step: 2, steps_used: 1, steps_left: 1, is_last_step: true });
    expect(seen(compressed)).toMatchObject({ used: 317, free: 283, ceiling: 600, step_budget: 14 });
  });

  it('knows whether abstaining is allowed', () => {
    const options = parseOptions({ reward: { allow_abstain: true, abstain_token: 'pass' } });
    if (!options.ok) throw new Error(options.error);
    expect(seen([], options.value)).toMatchObject({ can_abstain: true, abstain_token: 'pass' });
    expect(seen([]).can_abstain).toBe(false);
  });
});

describe('variables', () => {
  const observations = [[], compressed, [...compressed, 'x'], [...compressed, 'ANSWER 4107']].map((replies) =>
    seen(replies),
  );

  /** Fails unless `value` has the type that is published for it, and its items as well. */
  function fits(variable: Variable, value: unknown): void {
    if (variable.type !== 'list') {
      expect(typeof value, variable.name).toBe(variable.type === 'text' ? 'string' : variable.type);
      return;
    }
    if (!Array.isArray(value)) throw new Error(`${variable.name} is no list`);
    for (const item of value) {
      for (const field of variable.items ?? []) fits(field, item[field.name]);
    }
  }

  it('are what an observation has, no more and no less', () => {
    const getters = Object.getOwnPropertyNames(Observation.prototype).filter(
      (name) => name !== 'constructor',
    );
    expect(variables.map(({ name }) => name)).toEqual(getters);
    for (const observation of observations) {
      for (const variable of variables) fits(variable, observation[variable.name]);
    }
  });

  it('are described, and the required ones name their alternatives both ways', () => {
    for (const { name, description, example, required, alternatives = [] } of variables) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(example, name).not.toBe('');
      for (const alternative of alternatives) {
        const other = variables.find((variable) => variable.name === alternative);
        expect(other).toMatchObject({ required, alternatives: [name] });
      }
    }
    const required = variables.filter((variable) => variable.required).map(({ name }) => name);
    expect(required).toEqual(['question', 'map', 'map_text', 'held', 'held_text']);
  });

  it('that tell what the agent must not know are marked', () => {
    const privileged = variables.filter((variable) => variable.privileged).map(({ name }) => name);
    expect(privileged).toEqual(['answer', 'evidence', 'min_steps']);
    const [first] = observations;
    const open = variables.filter((variable) => !variable.privileged).map(({ name }) => first?.[name]);
    expect(JSON.stringify(open)).not.toContain(smallInstance.answer);
  });

  it('give the same value however often they are read', () => {
    const observation = seen(compressed);
    for (const { name } of variables) expect(observation[name]).toBe(observation[name]);
  });
});
