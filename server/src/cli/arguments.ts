/** Reading the values of arguments. What is wrong is said by throwing what the argument parser shows with its usage. */
import { InvalidArgumentError } from 'commander';
import { isRecord } from '../host/jsonl.ts';

/** More instances than any study needs, few enough to count on. */
export const maxInstances = 1_000_000;
/** Highest index of a split that can be asked for. */
export const maxIndex = 999_999_999;
/** More threads than this only cost memory. */
export const maxWorkers = 64;

/** A parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

/** A parser of `a,b,c`, added to what was given before; empty names and repetitions are refused. */
export function nameList(text: string, before?: readonly string[]): readonly string[] {
  const names = [...(before ?? []), ...text.split(',').map((name) => name.trim())];
  if (names.includes('')) throw new InvalidArgumentError('Give names separated by single commas.');
  if (new Set(names).size < names.length) throw new InvalidArgumentError('A name is there twice.');
  return names;
}

/** A parser of `0-9,20,300-310`: ascending, without repetitions. */
export function indexList(text: string): readonly number[] {
  const indices = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(part) ?? [];
    if (first === undefined) throw new InvalidArgumentError('Give indices like 0-9,20,300-310.');
    const from = Number(first);
    const to = Number(last);
    if (from > to) throw new InvalidArgumentError(`The range ${part.trim()} runs backwards.`);
    if (to > maxIndex) throw new InvalidArgumentError(`The highest index is ${maxIndex}.`);
    if (to - from >= maxInstances || indices.size + to - from >= maxInstances) {
      throw new InvalidArgumentError(`At most ${maxInstances} instances at a time.`);
    }
    for (let index = from; index <= to; index++) indices.add(index);
  }
  return [...indices].sort((a, b) => a - b);
}

/** Options of an environment as given so far: a plain object, nested where a key holds dots. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Holds the place of an option that is not written as it should be. No environment has one of that name, so none takes it. */
const malformed = '-o';

/** The first option that is not written as key=value, as it was given; undefined when there is none. */
export function malformedOption(options: RawOptions = {}): string | undefined {
  const text = options[malformed];
  return typeof text === 'string' ? text : undefined;
}

/**
 * {@link addOption} for the options of an environment. What is not written as key=value is kept for {@link malformedOption}:
 * which environment it is for, and so what would be right, may be known only later.
 */
export function keepOption(text: string, before: RawOptions | undefined): RawOptions {
  return parsePair(text, before) ?? { [malformed]: text, ...before };
}

/**
 * Adds one `key=value`. Values are JSON where they are valid JSON, lists of numbers like `2,3`, or text; a key
 * `reward.beta` reaches into an object.
 */
export function addOption(text: string, before: RawOptions | undefined): RawOptions {
  const added = parsePair(text, before);
  if (added === undefined)
    throw new InvalidArgumentError('Write options as key=value, e.g. temperature=0.7.');
  return added;
}

function parsePair(text: string, before: RawOptions | undefined): RawOptions | undefined {
  const equals = text.indexOf('=');
  const path = equals < 0 ? [] : text.slice(0, equals).trim().split('.');
  if (path.length === 0 || !path.every((key) => /^[a-z][a-z0-9_]*$/i.test(key))) return undefined;
  return assign(before ?? {}, path, optionValue(text.slice(equals + 1).trim()));
}

function assign(target: RawOptions, [key = '', ...rest]: readonly string[], value: unknown): RawOptions {
  const inner = target[key];
  return { ...target, [key]: rest.length === 0 ? value : assign(isRecord(inner) ? inner : {}, rest, value) };
}

function optionValue(text: string): unknown {
  const json = (part: string): unknown => {
    try {
      return JSON.parse(part);
    } catch {
      return undefined;
    }
  };
  const whole = json(text);
  if (whole !== undefined) return whole;
  const numbers = text.split(',').map((part) => json(part));
  return numbers.every((number) => typeof number === 'number') ? numbers : text;
}
