/** Two-hop over a few rows of our own: how instances are made, what can go wrong, and what is said about replies. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Reply } from '../../../server/src/engine/environments/chat.ts';
import { noData, versionOf } from '../../../server/src/engine/environments/data-set.ts';
import { documentation } from '../../../server/src/engine/environments/documentation.ts';
import { findSecrets } from '../../../server/src/engine/environments/secrets.ts';
import { parseRows, personAsked, personTold } from '../../../server/src/engine/environments/two-hop/rows.ts';
import { bindTo, fixture, instanceAt, lighthouses, optionsOf, row, setOf } from './data.ts';

const environment = fixture();
const replied = (index: number, text: string, split = 'nocot', more: Partial<Reply> = {}) => {
  const state = environment.start(instanceAt(environment, split, index), optionsOf(environment));
  return { before: state, state: environment.advance(state, { kind: 'reply', text, ...more }) };
};

describe('instances', () => {
  it('come in the order of domains, relations and rows', () => {
    const ids = [0, 1, 2, 3].map((index) => instanceAt(environment, 'nocot', index).id);
    expect(ids).toEqual([
      'hs1-two-hop-nocot-cheeses-milk-0',
      'hs1-two-hop-nocot-cheeses-milk-1',
      'hs1-two-hop-nocot-lighthouses-county-0',
      'hs1-two-hop-nocot-lighthouses-county-1',
    ]);
    expect(ids.map((id) => environment.locate?.(id)?.index)).toEqual([0, 1, 2, 3]);
    expect(environment.splits.map(({ id, size, finite }) => [id, size, finite])).toEqual([
      ['nocot', 4, true],
      ['cot', 4, true],
      ['nocot_shuffled', 8, true],
    ]);
  });

  it('hold what scoring needs, and no message of the assistant', () => {
    expect(instanceAt(environment, 'nocot', 3)).toEqual({
      id: 'hs1-two-hop-nocot-lighthouses-county-1',
      split: 'nocot',
      domain: 'lighthouses',
      relation: 'county',
      row: 1,
      system: 'At once.',
      question: 'Consider the lighthouse where Jürgen Vael-Ström works. In which county is it?',
      person: 'Jürgen Vael-Ström',
      bridge: 'Eagle Island',
      answer: 'Mayo',
      answers: ['Kerry', 'Mayo'],
      prior: 'Kerry',
    });
  });

  it('are read back as they were written, and found sound', () => {
    for (const split of ['nocot', 'cot', 'nocot_shuffled']) {
      for (let index = 0; index < 4; index++) {
        const instance = instanceAt(environment, split, index);
        const read = environment.parseInstance(JSON.parse(JSON.stringify(instance)));
        expect(read).toEqual({ ok: true, value: instance });
        expect(environment.validate(instance, optionsOf(environment))).toEqual([]);
      }
    }
  });

  it('say nothing about the first hop where no fact tells of it', () => {
    const instance = instanceAt(environment, 'cot', 1);
    expect(instance).toMatchObject({ person: null, bridge: null });
    const { state } = replied(1, 'Goat', 'cot');
    expect(environment.outcome(state).metrics).toMatchObject({
      correct: 1,
      first_hop_mentioned: null,
      valid_cot: null,
      strict_answer: null,
    });
    expect(environment.records?.final(state)).toMatchObject({ first_hop_mentioned: -1, valid_cot: -1 });
  });

  test.each([
    ['nocot', 4, 'there are 4 under these options, so the highest index is 3'],
    ['nocot', -1, 'there are 4 under these options, so the highest index is 3'],
    ['nocot', 0.5, 'there are 4 under these options, so the highest index is 3'],
    ['train', 0, 'two-hop has no split "train"'],
  ])('%s %s is refused', (split, index, error) => {
    const refused = { ok: false, error };
    expect(environment.generate(split, index, optionsOf(environment))).toEqual(refused);
    expect(environment.listing?.(split, index, optionsOf(environment))).toEqual(refused);
  });

  test.each([
    ['is no object', 3, 'it must be an object'],
    ['lacks a field', { id: 'a' }, 'it has no split'],
    ['has another split', { split: 'train' }, 'split must be one of nocot, cot, nocot_shuffled, not "train"'],
    ['has a row below 0', { row: -1 }, 'row must be 0 or more, not -1'],
    ['has a number among its answers', { answers: ['a', 1] }, 'answers.1 must be a text, not 1'],
    ['has an empty bridge', { bridge: '' }, 'bridge must be a text that is not empty, not ""'],
  ])('an instance that %s is refused', (_, change, error) => {
    const instance = instanceAt(environment, 'nocot', 0);
    const raw = typeof change !== 'object' ? change : 'id' in change ? change : { ...instance, ...change };
    expect(environment.parseInstance(raw)).toEqual({ ok: false, error });
  });

  test.each([
    ['answer_refused', { answer: ' ' }],
    ['answer_not_listed', { answer: 'Gout' }],
    ['prior_not_listed', { prior: 'Gout' }],
    ['person_not_in_question', { person: 'Nobody' }],
    ['id_mismatch', { row: 1 }],
    ['not_as_published', { question: "Consider Nora O'Quist's favourite." }],
  ])('%s', (reason, change) => {
    const instance = { ...instanceAt(environment, 'nocot', 0), ...change };
    expect(environment.validate(instance, optionsOf(environment))).toContain(reason);
    expect(environment.reasons?.map(({ code }) => code)).toContain(reason);
  });
});

describe('options', () => {
  test.each([
    [{ domains: 'cheeses' }, 2],
    [{ domains: ['lighthouses', 'cheeses'] }, 4],
    [{ domains: 'cheeses, lighthouses' }, 4],
    [{ relations: ['county'] }, 2],
    [{ max_per_file: 1 }, 2],
    [{ max_per_file: 100 }, 4],
    [{ domains: ['lighthouses'], max_per_file: 1 }, 1],
  ])('%j leave %s questions', (raw, size) => {
    expect(environment.sizeOf?.('nocot', optionsOf(environment, raw))).toBe(size);
    expect(() => instanceAt(environment, 'nocot', size - 1, raw)).not.toThrow();
    expect(() => instanceAt(environment, 'nocot', size, raw)).toThrow('under these options');
  });

  test.each([
    [7, 'two-hop options must be an object of named values'],
    [{ domain: 'a' }, 'two-hop has no option "domain"; it has domains, relations, max_per_file, weights'],
    [{ condition: 'cot' }, 'the condition is not an option but the split'],
    [{ domains: [] }, 'domains must be a name or a list of names, not []'],
    [{ domains: '' }, 'domains names "", which is not in the data; known are cheeses, lighthouses'],
    [{ domains: ['cheeses', 1] }, 'domains must be a name or a list of names, not ["cheeses",1]'],
    [{ domains: 'chesees' }, 'domains names "chesees", which is not in the data; the nearest is cheeses'],
    [
      { domains: 'cheeses', relations: 'county' },
      'relations must name some of cheeses, which has none called county',
    ],
    [{ max_per_file: 0 }, 'max_per_file must be a whole number from 1 to 10000, not 0'],
    [{ max_per_file: '3' }, 'max_per_file must be a whole number from 1 to 10000, not "3"'],
    [{ weights: 1 }, 'weights must be an object of named numbers'],
    [
      { weights: { right: 1 } },
      'weights has no "right"; it has correct, strict_answer, first_hop_mentioned, valid_cot, answer_spam, answered',
    ],
    [{ weights: { correct: '1' } }, 'weights.correct must be a number from -1000000 to 1000000, not "1"'],
    [{ weights: { toString: 1 } }, /^weights has no "toString"/],
  ])('%j is refused', (raw, error) => {
    expect(environment.parseOptions(raw)).toMatchObject({
      ok: false,
      error: typeof error === 'string' ? error : expect.stringMatching(error),
    });
  });

  it('weigh the figures', () => {
    const weights = { correct: 0, strict_answer: 1, answer_spam: -0.25, first_hop_mentioned: 10 };
    const options = optionsOf(environment, { weights });
    const rewardOf = (split: string, index: number, text: string) => {
      const state = environment.start(instanceAt(environment, split, index), options);
      return environment.outcome(environment.advance(state, { kind: 'reply', text })).reward;
    };
    expect(rewardOf('nocot', 3, 'Mayo')).toBe(1);
    expect(rewardOf('nocot', 3, 'Mayo or Kerry')).toBe(-0.25);
    expect(rewardOf('cot', 3, 'Eagle Island, so Mayo')).toBe(10);
    expect(rewardOf('cot', 1, 'Goat')).toBe(0);
  });

  it('are described', () => {
    expect(environment.optionFields?.map(({ key }) => key)).toEqual([
      'domains',
      'relations',
      'max_per_file',
      'weights',
    ]);
    expect(documentation(environment).text).toContain('`weights`');
  });
});

describe('data', () => {
  it('that are absent are told of by everything that needs them', () => {
    const set = setOf(lighthouses);
    const without = bindTo(environment, noData(set));
    const error = 'the data "lighthouses" are not on this machine; "hopscope data fetch two-hop" gets them';
    expect(without.generate('nocot', 0, optionsOf(without))).toEqual({ ok: false, error });
    expect(without.listing?.('nocot', 0, optionsOf(without))).toEqual({ ok: false, error });
    expect(without.splits[0]?.size).toBe(4);
    // What was made before can still be played.
    const instance = instanceAt(environment, 'nocot', 0);
    expect(without.validate(instance, optionsOf(without))).toEqual([]);
  });

  test.each([
    ['not json\n', 'line 1 is not valid JSON'],
    [`${row('a', 'b', 'c')}{}\n`, 'line 2 is no question with the messages of system, user and assistant'],
    ['[]', 'line 1 is no question with the messages of system, user and assistant'],
    [
      row('a', 'b', 'c').replace('"answer":"c"', '"answer":"d"'),
      'line 1 is no question with the messages of system, user and assistant',
    ],
  ])('%j is refused', (text, error) => {
    expect(parseRows(text)).toEqual({ ok: false, error });
    const path = 'cheeses/test/milk_nocot.jsonl';
    const broken = fixture({ ...lighthouses, [path]: text });
    expect(broken.generate('nocot', 0, optionsOf(broken))).toEqual({ ok: false, error: `${path}: ${error}` });
  });

  it('with another number of rows are refused', () => {
    const path = 'cheeses/test/milk_nocot.jsonl';
    const short = fixture({ ...lighthouses, [path]: row('a', 'b', 'c') });
    expect(short.generate('nocot', 1, optionsOf(short))).toEqual({
      ok: false,
      error: `${path} has 1 rows in place of 2`,
    });
  });

  it('are one version exactly when they are the same files', () => {
    const set = setOf(lighthouses);
    expect(versionOf(setOf(lighthouses))).toEqual(versionOf(set));
    const [path = ''] = Object.keys(lighthouses);
    expect(versionOf(setOf({ ...lighthouses, [path]: '' })).hash).not.toBe(versionOf(set).hash);
  });

  it('are read whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (lines) => {
        expect(typeof parseRows(lines.join('\n')).ok).toBe('boolean');
      }),
    );
  });

  test.each([
    ["Consider Ann's favorite ship. How long is it?", 'Ann'],
    ["Consider Seán O'Brien's favorite ship. How long is it?", "Seán O'Brien"],
    ['Consider the ship where Ann-Marie Ö works. How long is it?', 'Ann-Marie Ö'],
    ['Consider the large ship that Ann owns. How long is it?', 'Ann'],
    ['Consider the ship. How long is it?', null],
  ])('%s', (question, person) => {
    expect(personAsked(question)).toBe(person);
  });

  test.each([
    ["What is Ann's favorite ship?", 'Ann'],
    ['Which large ship does Ann O’B work at?', 'Ann O’B'],
    ['What ship does Ann own?', 'Ann'],
    ['Who is Ann?', null],
  ])('%s', (question, person) => {
    expect(personTold(question)).toBe(person);
  });
});

describe('a reply', () => {
  it('ends the episode', () => {
    const { before, state } = replied(3, 'Mayo');
    expect(environment.next(before)).toEqual({ kind: 'reply' });
    expect(environment.next(state)).toEqual({ kind: 'nothing' });
    expect(environment.outcome(before)).toMatchObject({
      done: false,
      reward: 0,
      stop: 'unfinished',
      steps: 0,
    });
    expect(environment.outcome(state)).toMatchObject({ done: true, reward: 1, correct: true, steps: 1 });
    expect(() => environment.advance(state, { kind: 'reply', text: '' })).toThrow(RangeError);
    expect(() => environment.advance(before, { kind: 'verdict', judge: 'a', value: 1 })).toThrow(RangeError);
    expect(environment.commentary?.bestReplies?.(before)).toEqual(['Mayo']);
    expect(environment.commentary?.bestReplies?.(state)).toEqual([]);
  });

  test.each<[string, string | null, number | null, Partial<Reply>?]>([
    ['', 'no-answer', null],
    ['mayo', null, null],
    ['Máyo!', 'answer-form', null],
    ['Let me see', 'cut-off', null, { finish: 'length' }],
    ['It is on Eagle Island, in Kerry', 'second-hop', 1],
    ['Eagle Island', 'stopped-at-bridge', 1],
    ['Kerry', 'prior-answer', 0],
    ['Dublin', 'other-value', null],
    ['Mayonnaise', null, null],
  ])('%j fails by %s', (text, cause, hop, more) => {
    const { before, state } = replied(3, text, 'nocot', more);
    expect(environment.explain?.([before, state])).toMatchObject({ cause, hop, step: cause && 1 });
  });

  it('that is another answer than the most common one is told apart', () => {
    const { before, state } = replied(2, 'Mayo');
    expect(environment.explain?.([before, state])).toMatchObject({ cause: 'other-answer' });
    expect(environment.explain?.([])).toBeNull();
    expect(environment.explain?.([before])).toMatchObject({ cause: 'unfinished' });
  });

  test.each<[string, readonly string[]]>([
    ['Mayo', []],
    ['', ['two-hop.blank']],
    ['Kerry', ['two-hop.other-answer']],
    ['Kerry or Mayo', ['two-hop.other-answer']],
    ['Mayonnaise', ['two-hop.inside-word']],
  ])('%j is noted as %j', (text, codes) => {
    const { before, state } = replied(3, text);
    const notes = environment.commentary?.notes(before, { kind: 'reply', text }, state) ?? [];
    expect(notes.map(({ code }) => code)).toEqual(codes);
    for (const { start, end } of notes) {
      expect(start).toBeLessThanOrEqual(end);
      expect(end).toBeLessThanOrEqual(text.length);
    }
  });

  it('of any kind is scored, explained and shown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('nocot', 'cot'), (text, split) => {
        const { before, state } = replied(3, text, split);
        const { correct } = environment.outcome(state);
        expect(environment.explain?.([before, state])?.cause === null).toBe(correct);
        for (const note of environment.commentary?.notes(before, { kind: 'reply', text }, state) ?? []) {
          expect(note.end).toBeLessThanOrEqual(text.length);
        }
        expect(environment.commentary?.label(state)).not.toBe('');
        expect(environment.panel?.view(state).sections.length).toBeGreaterThan(2);
      }),
    );
  });
});

describe('an instance as a document', () => {
  it('tells neither the answer nor the bridge entity', () => {
    const instance = instanceAt(environment, 'nocot', 3);
    const view = environment.view?.(instance) ?? { text: '', parts: [] };
    expect(view.text).toBe(
      `hs1-two-hop-nocot-lighthouses-county-1 (two-hop, nocot)

Domain: lighthouses
Relation: county
Row: 1

# Instruction
At once.

# Question
Consider the lighthouse where Jürgen Vael-Ström works. In which county is it?
`,
    );
    for (const { name, start, end, nameStart, nameEnd } of view.parts) {
      expect(view.text.slice(nameStart, nameEnd)).toContain(name);
      expect(start <= nameStart && nameEnd <= end).toBe(true);
    }
    expect(findSecrets(view.text, environment.secrets?.(instance) ?? [])).toEqual([]);
    const links = environment.links?.(instance, view);
    expect(links?.chain.map(({ value }) => value)).toEqual(['Eagle Island', 'Mayo']);
    expect(view.text.slice(links?.mentions.starts[0], links?.mentions.ends[0])).toBe('Jürgen Vael-Ström');
  });

  it('is described with what its score is worth', () => {
    const page = environment.describe?.(instanceAt(environment, 'nocot', 2)) ?? '';
    expect(page).toContain('Skellig Kerry Light');
    expect(page).toContain('`answer-in-bridge`');
    expect(page).toContain('most frequent answer of the relation: Kerry, right here');
  });
});
