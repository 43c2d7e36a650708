/** Whether an episode is right: by what became of the database, and by what the finish says. */
import { canonical } from './database.ts';
import type { Answer, Compare } from './evaluator.ts';
import type { Finish } from './finish.ts';
import type { Instance } from './instance.ts';
import { callTool, openWorld, worldDifferences } from './toolbox.ts';
import type { EpisodeWorld } from './world.ts';

/** The outcome of an episode that was finished. */
export interface Verified {
  readonly world: boolean;
  readonly answer: boolean;
}

/** The world as it should be at the end: the expected actions, replayed on a clean one. */
export function expectedWorld(instance: Instance): EpisodeWorld {
  let world = openWorld(instance);
  for (const { name, kwargs } of instance.evaluator.actions) {
    world = callTool(instance, world, name, kwargs).world;
  }
  return world;
}

/** Holds the end of an episode against what is expected. */
export function verify(instance: Instance, world: EpisodeWorld, finish: Finish): Verified {
  const expected = expectedWorld(instance);
  const reached = normalized(instance, world);
  return {
    world: worldDifferences(expected, reached).length === 0,
    answer: answerFits(instance, finish),
  };
}

/** Where several reasons would do, the one that was given is taken for the one that is expected. */
function normalized({ own, evaluator }: Instance, world: EpisodeWorld): EpisodeWorld {
  const { answer, actions } = evaluator;
  if (own.domain !== 'banking' || world.domain !== 'banking' || answer.kind !== 'refuse') return world;
  const id = own.case.case_id;
  const one = world.db.own.cases[id];
  const reason = actions[0]?.kwargs['reason'];
  if (one === undefined || typeof reason !== 'string' || !answer.reasons.includes(one.reason ?? ''))
    return world;
  const cases = { ...world.db.own.cases, [id]: { ...one, reason } };
  return { domain: 'banking', db: { base: world.db.base, own: { ...world.db.own, cases } } };
}

function answerFits({ domain, evaluator: { answer } }: Instance, finish: Finish): boolean {
  // A case is judged by the database alone.
  if (domain !== 'retail') return true;
  return finishFits(answer, finish);
}

/** Whether a finish says what it should. */
export function finishFits(answer: Answer, { decision, reason, answer: given }: Finish): boolean {
  const refuses = decision?.trim().toLowerCase().startsWith('refus') ?? false;
  switch (answer.kind) {
    case 'action':
      return !refuses;
    case 'refuse':
      return refuses && answer.reasons.includes(reason ?? '');
    case 'value':
      return !refuses && given !== undefined && valueFits(given, answer.expect, answer.compare);
    case 'pitch':
      return true;
  }
}

const amount = /[-−]?\s*[$€£]?\s*[-−]?\d[\d,]*(?:\.\d+)?/g;

/** Numbers in a text; commas part thousands. */
function numbersIn(text: string): number[] {
  const found = text.match(amount) ?? [];
  return found.map((it) => Number(it.replaceAll('−', '-').replace(/[$€£,\s]/g, '')));
}

/** No value is as long as this, in code units. */
const longest = 2000;

/** Whether an answer is the expected one. */
export function valueFits(given: string, expect: unknown, compare: Compare): boolean {
  if (given.length > longest) return false;
  switch (compare) {
    case 'int': {
      const [value, ...others] = numbersIn(given);
      return others.length === 0 && Number.isInteger(value) && value === Number(expect);
    }
    case 'float': {
      const [value, ...others] = numbersIn(given);
      return value !== undefined && others.length === 0 && Math.abs(value - Number(expect)) < 0.01;
    }
    case 'str_norm':
      return plain(given) === plain(String(expect));
    case 'set': {
      const wanted = Array.isArray(expect) ? expect.map(String) : String(expect).split(',');
      return canonical(setOf(given.split(/[,;\n]/))) === canonical(setOf(wanted));
    }
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function setOf(parts: readonly string[]): string[] {
  return [...new Set(parts.map(plain).filter((part) => part !== ''))].sort();
}
