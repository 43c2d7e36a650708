/**
 * Is an instance what it claims to be? Operations are read back from the chunks, never taken from the record, and the
 * grader is asked about right and wrong answers. Every check runs; reasons come in the order of the checks.
 */
import { normalizeItem, parseAnswer } from './answer.ts';
import { grade } from './grade.ts';
import { applyOperations, findOperations, type Instance, printOperation } from './instance.ts';

/** Reason codes of all failed checks; empty when the instance is sound. Never throws on a parsed instance. */
export function validate(instance: Instance): string[] {
  return [
    ...(instance.chunks.length === 0 ? ['no_chunk'] : []),
    ...checkOperations(instance),
    ...checkLegality(instance),
    ...checkTruth(instance),
    ...checkDistractors(instance),
    ...checkNoise(instance),
    ...checkGrader(instance),
  ];
}

function checkOperations({ chunks, operations }: Instance): string[] {
  const stray = operations.filter(({ chunk }) => chunk >= chunks.length);
  const wrong = chunks.flatMap((text, at) => {
    const found = findOperations(text).map(printOperation);
    const recorded = operations.filter(({ chunk }) => chunk === at).map(printOperation);
    return found.join('\n') === recorded.join('\n') ? [] : [`operations_mismatch:${at + 1}`];
  });
  return [...wrong, ...stray.map(({ chunk }) => `operations_mismatch:${chunk + 1}`)];
}

function checkLegality({ operations }: Instance): string[] {
  const held = new Set<string>();
  const reasons: string[] = [];
  let chunk = 0;
  for (const [at, operation] of operations.entries()) {
    const key = normalizeItem(operation.key);
    const isGet = operation.kind === 'GET';
    if (held.has(key) === isGet || operation.chunk < chunk) reasons.push(`illegal_operation:${at + 1}`);
    chunk = operation.chunk;
    if (isGet) held.add(key);
    else held.delete(key);
  }
  return reasons;
}

/** What the chunks lead to when they are read in order. */
function truthIn({ chunks }: Instance): readonly string[] {
  return applyOperations([], chunks.flatMap(findOperations));
}

function checkTruth(instance: Instance): string[] {
  const read = truthIn(instance).map(normalizeItem).sort();
  const recorded = instance.truth.map(normalizeItem).sort();
  return read.join('\n') === recorded.join('\n') ? [] : ['truth_mismatch'];
}

function checkDistractors({ chunks, distractors }: Instance): string[] {
  return distractors.flatMap(({ text, key, chunk }, at) => {
    const isThere = chunks[chunk]?.includes(text) === true && text.includes(key);
    return isThere && findOperations(text).length === 0 ? [] : [`distractor_missing:${at + 1}`];
  });
}

function checkNoise({ chunks, operations, distractors }: Instance): string[] {
  const keys = new Set(operations.map(({ key }) => key));
  return chunks.flatMap((text, at) => {
    const known = new Set(distractors.filter(({ chunk }) => chunk === at).map(({ key }) => key));
    const words = text.replace(/\[[^[\]\n]*\]/g, ' ').split(/\s+/);
    return words.some((word) => keys.has(word) && !known.has(word)) ? [`key_in_noise:${at + 1}`] : [];
  });
}

/** The truth in several spellings must win, and whatever differs from it must not. */
function checkGrader(instance: Instance): string[] {
  const { truth } = instance;
  const wins = (reply: string) => grade(parseAnswer(reply), truth).reward > 0;
  const block = (items: readonly string[], separator = ', ') => `<answer>${items.join(separator)}</answer>`;
  const right: readonly (readonly [string, string])[] = [
    ['plain', block(truth)],
    ['reversed', block([...truth].reverse())],
    ['upper_case', block(truth.map((item) => item.toUpperCase()))],
    ['lines', block(truth, '\n')],
    ['prose', `It was ${truth.join(' and ')}.\n${block(truth)}\nThat is all.`],
  ];
  const wrong: readonly (readonly [string, string])[] = [
    ['one_more', block([...truth, 'no-such-thing'])],
    ['no_block', truth.join(', ')],
    ['open_block', `<answer>${truth.join(', ')}`],
    ...(truth.length === 0
      ? []
      : ([
          ['one_less', block(truth.slice(1))],
          ['empty', block([])],
        ] as const)),
  ];
  return [
    ...right.flatMap(([how, reply]) => (wins(reply) ? [] : [`grader_refuses_truth:${how}`])),
    ...wrong.flatMap(([how, reply]) => (wins(reply) ? [`grader_accepts_wrong:${how}`] : [])),
  ];
}
