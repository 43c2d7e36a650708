/**
 * Scripted agents. Some know which lines are critical and mark the ends of the scale; the others see the log alone. Each of
 * those that try to get by with less than the task stands for something that training finds if a score leaves room for it.
 */
import { reply } from '../chat.ts';
import type { Policy } from '../environment.ts';
import { collapse, contentOf, distinctContents, prefixOf } from './fidelity.ts';
import type { Instance } from './instance.ts';
import { PREFIX, SIGNAL } from './patterns.ts';
import { compress, firstWord } from './reference.ts';
import type { State } from './state.ts';

type LogPolicy = Policy<Instance, State>;

/** An agent that knows what must not be lost. */
function knowing(id: string, description: string, write: (instance: Instance) => string): LogPolicy {
  return {
    id,
    description,
    privileged: true,
    begin: (instance) => () => reply(write(instance)),
  };
}

/** An agent that sees the log and nothing else. */
function blind(id: string, description: string, write: (raw: string) => string): LogPolicy {
  return {
    id,
    description,
    privileged: false,
    begin:
      ({ raw }) =>
      () =>
        reply(write(raw)),
  };
}

/** The first critical line of each content, as it was printed. */
function firstOccurrences(instance: Instance): string[] {
  const prefix = prefixOf(instance);
  const first = new Map<string, string>();
  for (const { text } of instance.critical) {
    const content = contentOf(text, prefix);
    if (!first.has(content)) first.set(content, text);
  }
  return [...first.values()];
}

/** Of contents that begin with the same word the first one. */
function mergedByFirstWord(contents: readonly string[]): string[] {
  const words = new Set<string>();
  return contents.filter((content) => {
    const word = firstWord(content);
    return !words.has(word) && words.add(word) !== undefined;
  });
}

/** Lines of the log without what stands in front of them, each content once. */
function distinctLines(raw: string): string[] {
  return [...new Set(raw.split('\n').map((line) => collapse(line.replace(PREFIX, ''))))];
}

export const policies: readonly LogPolicy[] = [
  knowing('perfect', 'Knows the critical lines and writes their contents, each once: the ideal.', (it) =>
    distinctContents(it).join('\n'),
  ),
  blind('reference', 'Writes what the reference compressor makes of the log: reward 0.', (raw) =>
    compress(raw),
  ),
  blind('grep', 'Writes every line that has a word such as "error", without its prefix, each once.', (raw) =>
    distinctLines(raw)
      .filter((line) => SIGNAL.test(line))
      .join('\n'),
  ),
  knowing(
    'first-occurrence',
    'Knows the critical lines and writes the first of each as it was printed.',
    (it) => firstOccurrences(it).join('\n'),
  ),
  knowing(
    'merge-by-first-word',
    'Knows the critical lines, but takes those that begin with the same word for one.',
    (it) => mergedByFirstWord(distinctContents(it)).join('\n'),
  ),
  knowing(
    'count-suffix',
    'Knows the critical lines and writes a count behind each, which changes it.',
    (it) =>
      distinctContents(it)
        .map((content) => `${content} (x2)`)
        .join('\n'),
  ),
  blind('raw-copy', 'Writes the log as it is: nothing lost, nothing gained.', (raw) => raw),
  blind('every-line', 'Writes every different line of the log once, to be safe.', (raw) =>
    distinctLines(raw).join('\n'),
  ),
  blind('empty', 'Writes nothing, which no log is longer than.', () => ''),
  blind(
    'lossy-reference',
    'Writes what a careless compressor makes of the log: it merges errors, too.',
    (raw) => compress(raw, { lossy: true }),
  ),
];
