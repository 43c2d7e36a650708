/** What every environment owes about its instances: the same bytes again, ids that lead back, splits that share nothing. */
import { describe, expect, it } from 'vitest';
import type { AnyInstance, Environment } from '../../../server/src/engine/environments/environment.ts';
import type { Part } from '../../../server/src/engine/environments/view.ts';
import { viewAsJson } from '../../../server/src/engine/environments/view.ts';
import { groupsOf } from '../../../server/src/engine/evals/summarize.ts';
import { environmentTable, readyEnvironments } from '../../support/environments.ts';

function optionsOf(environment: Environment, raw: unknown = {}): unknown {
  const options = environment.parseOptions(raw);
  if (!options.ok) throw new Error(options.error);
  return options.value;
}

function make(environment: Environment, split: string, index: number): AnyInstance {
  const made = environment.generate(split, index, optionsOf(environment));
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

const indices = [0, 1, 7];

/** The first few instances of every split. */
function some(environment: Environment): { split: string; index: number; instance: AnyInstance }[] {
  return environment.splits.flatMap(({ id: split }) =>
    indices.map((index) => ({ split, index, instance: make(environment, split, index) })),
  );
}

/** An instance without what only says which one it is. */
function contentOf({ id: _id, split: _split, ...content }: AnyInstance): string {
  return JSON.stringify(content);
}

describe.each(environmentTable)('instances of %s', (_id, environment) => {
  const all = some(environment);

  it('have their split, and an id of their own', () => {
    for (const { split, instance } of all) expect(instance.split).toBe(split);
    expect(new Set(all.map(({ instance }) => instance.id)).size).toBe(all.length);
  });

  it('are plain JSON, the same whenever they are made', () => {
    for (const { split, index, instance } of all) {
      const text = JSON.stringify(instance);
      expect(JSON.parse(text)).toEqual(instance);
      expect(JSON.stringify(make(environment, split, index))).toBe(text);
    }
  });

  it('are in one split only', () => {
    // Published data may ask the same under several conditions.
    const own = all.filter(({ split }) => !environment.splits.find(({ id }) => id === split)?.finite);
    expect(new Set(own.map(({ instance }) => contentOf(instance))).size).toBe(own.length);
  });

  it('come back from a file as they were, and are of no other environment', () => {
    for (const { instance } of all) {
      const raw: unknown = JSON.parse(JSON.stringify(instance));
      expect(environment.parseInstance(raw)).toEqual({ ok: true, value: instance });
      for (const other of readyEnvironments) {
        if (other !== environment) expect(other.parseInstance(raw)).toMatchObject({ ok: false });
      }
    }
    for (const raw of [null, undefined, 0, '', 'id', [], {}, { id: 'a' }, [[]], { id: '', split: 1 }]) {
      const parsed = environment.parseInstance(raw);
      expect(parsed).toMatchObject({ ok: false, error: expect.stringMatching(/./) });
    }
  });

  it('are sound by their own validator', () => {
    for (const { instance } of all)
      expect(environment.validate(instance, optionsOf(environment))).toEqual([]);
    const codes = (environment.reasons ?? []).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('are found again by their ids', () => {
    const { locate } = environment;
    if (locate === undefined) return;
    for (const { split, index, instance } of all) {
      const origin = locate(instance.id);
      expect(origin).toMatchObject({ split, index });
      const options = optionsOf(environment, origin?.options);
      expect(environment.generate(split, index, options)).toMatchObject({ ok: true, value: { instance } });
      for (const other of readyEnvironments) {
        if (other !== environment) expect(other.locate?.(instance.id) ?? null).toBeNull();
      }
    }
    for (const id of ['', 'nobody', `${all[0]?.instance.id}x`, `x${all[0]?.instance.id}`]) {
      expect(locate(id)).toBeNull();
    }
  });

  it('are listed as they are made', () => {
    const { listing } = environment;
    if (listing === undefined) return;
    for (const { split, index, instance } of all) {
      const value = { id: instance.id, groups: groupsOf(environment, instance) };
      expect(listing(split, index, optionsOf(environment))).toEqual({ ok: true, value });
    }
  });

  it('end where their split does, if it does', () => {
    const options = optionsOf(environment);
    for (const { id, size, finite = false } of environment.splits) {
      expect(environment.sizeOf?.(id, options) ?? size).toBe(size);
      expect(environment.generate(id, size - 1, options).ok).toBe(true);
      expect(environment.generate(id, size, options).ok).toBe(!finite);
      for (const index of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(environment.generate(id, index, options)).toMatchObject({ ok: false });
        expect(environment.listing?.(id, index, options).ok ?? false).toBe(false);
      }
    }
    expect(environment.generate('no such split', 0, options)).toMatchObject({ ok: false });
    expect(environment.listing?.('no such split', 0, options).ok ?? false).toBe(false);
  });

  it('take at least one step', () => {
    for (const { instance } of all) expect(environment.minSteps(instance)).toBeGreaterThanOrEqual(1);
  });

  it('are laid out as documents whose parts and links lie within the text', () => {
    for (const { instance } of all) {
      const view = environment.view?.(instance) ?? viewAsJson(instance);
      expect(view.text).not.toContain('\r');
      checkParts(view.parts, 0, view.text.length);
      const links = environment.links?.(instance, view);
      if (links === undefined) continue;
      const { mentions, entities, labels, chain, distractors } = links;
      let last = 0;
      for (let at = 0; at < mentions.count; at++) {
        const [start = -1, end = -1] = [mentions.starts[at], mentions.ends[at]];
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(mentions.entities[at]).toBeLessThan(entities.length);
        expect(mentions.labels[at]).toBeLessThan(labels.length);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(view.text.length);
      for (const { nameMention, valueMention } of [...chain, ...distractors]) {
        expect(Math.max(nameMention, valueMention)).toBeLessThan(mentions.count);
      }
    }
  });

  it('can be told to a person', () => {
    for (const { instance } of all) {
      const page = environment.describe?.(instance);
      if (page !== undefined) expect(page).toMatch(/^# [\s\S]*\n$/);
      for (const { text, kind } of environment.secrets?.(instance) ?? []) expect(text + kind).not.toBe('');
    }
  });
});

/** Parts are in text order, do not overlap, and lie within what they are parts of. */
function checkParts(parts: readonly Part[], from: number, to: number): void {
  let last = from;
  for (const { name, start, end, nameStart, nameEnd, children } of parts) {
    expect(name).not.toBe('');
    expect(start).toBeGreaterThanOrEqual(last);
    expect(nameStart).toBeGreaterThanOrEqual(start);
    expect(nameEnd).toBeGreaterThanOrEqual(nameStart);
    expect(end).toBeGreaterThanOrEqual(nameEnd);
    checkParts(children, start, end);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(to);
}

it('no two environments have a name in common', () => {
  for (const of of [
    ({ id }: Environment) => id,
    ({ title }: Environment) => title,
    ({ id }: Environment) => id.replace(/\W/g, ''),
  ]) {
    expect(new Set(readyEnvironments.map(of)).size).toBe(readyEnvironments.length);
  }
  for (const { id, splits, metrics, policies, variables } of readyEnvironments) {
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
    for (const list of [splits, metrics, policies, variables.map(({ name }) => ({ id: name }))]) {
      expect(list.length).toBeGreaterThan(0);
      expect(new Set(list.map((it) => it.id)).size).toBe(list.length);
    }
  }
});
