/** What every environment owes about its episodes: a pure fold that takes any reply, scores in bounds, an explanation. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, reply } from '../../../server/src/engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../../../server/src/engine/environments/environment.ts';
import type { Variable } from '../../../server/src/engine/environments/variables.ts';
import { playEpisode } from '../../../server/src/engine/evals/play.ts';
import { statesOf } from '../../../server/src/engine/evals/play-task.ts';
import { checkStepPrompt } from '../../../server/src/engine/prompts/check-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { environmentTable, readyEnvironments } from '../../support/environments.ts';

interface Ready {
  readonly instances: readonly AnyInstance[];
  readonly options: unknown;
}

/** Two instances of every split. */
function ready(environment: Environment): Ready {
  const options = environment.parseOptions({});
  if (!options.ok) throw new Error(options.error);
  const instances = environment.splits.flatMap(({ id }) =>
    [0, 1].map((index) => {
      const made = environment.generate(id, index, options.value);
      if (!made.ok) throw new Error(made.error);
      return made.value.instance;
    }),
  );
  return { instances, options: options.value };
}

/** Deeply frozen, so that whoever writes into it throws. What is lazy is left alone. */
function freeze<T>(value: T, seen = new WeakSet<object>()): T {
  if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value))
    return value;
  seen.add(value);
  for (const inner of Object.values(value)) freeze(inner, seen);
  return Object.freeze(value);
}

/** What models have been seen to say, and worse. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...['<answer>', '</answer>', 'ACTION: ', 'READ ', 'ANSWER ', 'DROP ', 'COMPRESS 1 :: '],
        ),
        fc.constantFrom(
          ...['\r', '\n', '\u2028', '\0', '\ud800', '{', '"', '[GET: ', ']', '```', '1', ', ', '-'],
        ),
        fc.string({ maxLength: 12 }),
      ),
    )
    .map((parts) => parts.join('')),
);

/** Plays `texts` and then nothing but blank replies, at most so many steps. */
function* walk(environment: Environment, instance: AnyInstance, options: unknown, texts: readonly string[]) {
  let state = environment.start(instance, options);
  for (let step = 0; step < 40 && environment.next(state).kind === 'reply'; step++) {
    const event: Event = reply(texts[step] ?? '');
    const after = environment.advance(state, event);
    yield { before: state, event, after };
    state = after;
  }
}

describe.each(environmentTable)('episodes of %s', (_id, environment) => {
  const { instances, options } = ready(environment);
  const [first] = instances;
  if (first === undefined) throw new Error('no instance');

  it('are a pure fold that takes any reply', () => {
    const frozen = instances.map((instance) => freeze(structuredClone(instance)));
    fc.assert(
      fc.property(fc.constantFrom(...frozen), fc.array(hostile, { maxLength: 12 }), (instance, texts) => {
        for (const { before, event, after } of walk(environment, instance, options, texts)) {
          freeze(before);
          expect(environment.advance(before, event)).toEqual(after);
          expect(Object.keys(after as object)).not.toHaveLength(0);
          checkOutcome(environment, after);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('refuse events after the end', () => {
    const policy = environment.policies[0];
    if (policy === undefined) throw new Error('no policy');
    const { state } = playEpisode(environment, first, options, policy, '0');
    if (environment.next(state).kind !== 'nothing') return;
    expect(() => environment.advance(state, reply(''))).toThrow(RangeError);
  });

  it('can be looked at, whatever was replied', () => {
    fc.assert(
      fc.property(fc.constantFrom(...instances), fc.array(hostile, { maxLength: 12 }), (instance, texts) => {
        const states = [environment.start(instance, options)];
        for (const { before, event, after } of walk(environment, instance, options, texts)) {
          states.push(after);
          lookAt(environment, before, event.kind === 'reply' ? event.text : '', after);
          checkExplanation(environment, states);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('show what the variables say, and nothing else', () => {
    const state = environment.start(first, options);
    const observation = environment.observe(state);
    const names = environment.variables.map(({ name }) => name).sort();
    expect([...namesIn(observation)].sort()).toEqual(names);
    for (const { before } of walk(environment, first, options, [])) {
      const seen = environment.observe(before);
      for (const variable of environment.variables) checkValue(variable, seen[variable.name]);
    }
  });

  it.each(environment.policies.map((policy) => [policy.id, policy] as const))(
    'are played to the end by %s, the same way again, and explained when they fail',
    (_policy, policy) => {
      expect(policy.description).toMatch(/^.+[^.]$|\.$/);
      for (const instance of instances) {
        const played = playEpisode(environment, instance, options, policy, 'seed');
        expect(environment.next(played.state).kind).not.toBe('reply');
        expect(playEpisode(environment, instance, options, policy, 'seed').events).toEqual(played.events);
        checkOutcome(environment, played.state);
        checkExplanation(environment, statesOf(environment, instance, options, played.events));
      }
    },
  );

  it('can be won: some policy does, and where the best replies are known they win', () => {
    const wins = environment.policies.filter((policy) =>
      instances.every((instance) => playEpisode(environment, instance, options, policy, '0').outcome.correct),
    );
    expect(wins.map(({ id }) => id)).not.toEqual([]);
    const { bestReplies } = environment.commentary ?? {};
    for (const instance of bestReplies === undefined ? [] : instances) {
      let state = environment.start(instance, options);
      for (const text of bestReplies?.(state) ?? []) state = environment.advance(state, reply(text));
      expect(environment.outcome(state)).toMatchObject({ done: true, correct: true });
    }
  });

  it('have step prompts of their own that are free of problems', () => {
    const folder = new URL(`../../../prompts/${environment.id}/`, import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.step.md'));
    expect(files).toContain(`${environment.id}.step.md`);
    expect(files.length).toBeGreaterThan(1);
    for (const name of files) {
      const { prompt, problems } = parseStepPrompt(readFileSync(new URL(name, folder), 'utf8'));
      expect([name, ...problems, ...checkStepPrompt(prompt, readyEnvironments)]).toEqual([name]);
    }
  });
});

function checkOutcome(environment: Environment, state: unknown): void {
  const { done, reward, correct, stop, steps, metrics } = environment.outcome(state);
  expect(done).toBe(environment.next(state).kind === 'nothing');
  expect(Number.isFinite(reward)).toBe(true);
  expect(Number.isInteger(steps) && steps >= 0).toBe(true);
  expect(stop).toMatch(/^[a-z][a-z-]*$/);
  if (!done) expect([reward, correct, stop]).toEqual([0, false, 'unfinished']);
  expect(Object.keys(metrics).sort()).toEqual(environment.metrics.map(({ id }) => id).sort());
  for (const value of Object.values(metrics)) expect(value === null || Number.isFinite(value)).toBe(true);
}

/** There is a cause exactly when the episode is not won, within the episode, and in words. */
function checkExplanation(environment: Environment, states: readonly unknown[]): void {
  if (environment.explain === undefined) return;
  expect(environment.explain([])).toBeNull();
  const found = environment.explain(states);
  const { correct, steps } = environment.outcome(states.at(-1));
  expect(found === null || found.cause === null).toBe(correct);
  if (found === null) return;
  expect(found.sentence === null).toBe(found.cause === null);
  for (const step of [found.step, found.unwinnableAt, found.lostBridgeAt]) {
    if (step !== null) expect(step >= 1 && step <= Math.max(1, steps)).toBe(true);
  }
  for (const count of Object.values(found.counts)) expect(Number.isFinite(count)).toBe(true);
}

/** Asks everything that an editor asks about a step. */
function lookAt(environment: Environment, before: unknown, text: string, after: unknown): void {
  const { commentary, records, panel } = environment;
  const inText = ({ start, end }: { readonly start: number; readonly end: number }) => {
    expect(start >= 0 && start <= end && end <= text.length).toBe(true);
  };
  for (const problem of environment.replyProblems?.(text) ?? []) inText(problem);
  if (records !== undefined) JSON.stringify([records.step(after), records.final(after)]);
  if (panel !== undefined) expect(JSON.stringify(panel.view(after)).length).toBeLessThan(60_000);
  if (commentary === undefined) return;
  expect(commentary.label(after)).not.toContain('\n');
  expect(commentary.describe(after, true) + commentary.describe(after, false)).not.toBe('');
  for (const note of commentary.notes(before, reply(text), after)) {
    inText(note);
    for (const { replace } of note.fixes ?? []) if (replace !== undefined) inText(replace);
  }
  for (const reference of commentary.references?.(text) ?? []) {
    inText(reference);
    commentary.about?.(before, reference);
  }
  for (const offset of [0, text.length >> 1, text.length]) {
    for (const proposal of commentary.complete?.(before, text, offset, true) ?? []) inText(proposal);
  }
  const gauge = commentary.gauge?.(after);
  if (gauge !== undefined) expect(Number.isFinite(gauge.used) && Number.isFinite(gauge.limit)).toBe(true);
}

/** Names of an observation: its own, or the getters of its class. */
function namesIn(observation: object): ReadonlySet<string> {
  const names = new Set(Object.keys(observation));
  const prototype: unknown = Object.getPrototypeOf(observation);
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return names;
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (get !== undefined) names.add(name);
  }
  return names;
}

function checkValue({ name, type, items = [] }: Variable, value: unknown): void {
  if (type !== 'list') {
    expect([name, typeof value]).toEqual([name, type === 'text' ? 'string' : type]);
    return;
  }
  if (!Array.isArray(value)) throw new Error(`${name} is no list`);
  const fields = items.map((item) => item.name);
  for (const one of value as readonly unknown[]) {
    if (fields.length === 0) expect(typeof one === 'string' || typeof one === 'number').toBe(true);
    else for (const field of fields) expect([name, field in (one as object) || field]).toEqual([name, true]);
  }
}
