/** Whether a scenario of the published data set has as many tasks as it was published with. */
import type { StreamWindow } from '../../streams.ts';
import type { Instance } from '../instance.ts';
import { lastPosition, type Scenario } from '../scenarios.ts';

/** Scenarios of which the test tasks of single windows are published; of others only their sum is. */
const told: ReadonlySet<string> = new Set([
  'retail_l1',
  'banking_l1',
  'banking_l2',
  'banking_l3',
  'pitch_l1',
  'pitch_l2',
  'pitch_l3',
]);

/** The first thing that is not as published, as half a sentence; null when nothing is. */
export function countProblem(
  { id, windows }: Scenario,
  found: readonly StreamWindow<Instance>[],
): string | null {
  const path = (phase: string) => `data/${id}/${phase}.jsonl`;
  const seen = new Set<string>();
  for (const [window, { serving, test }] of found.entries()) {
    const size = windows[window];
    if (size === undefined) return `${path('serving')} has a window ${window}`;
    const places = { serving: serving.length, test: told.has(id) ? test.length : null };
    const expected = { serving: size.serving, test: size.hidden + size.specified };
    for (const phase of ['serving', 'test'] as const) {
      const count = places[phase];
      if (count !== null && count !== expected[phase]) {
        return `${path(phase)} has ${count} tasks of window ${window} in place of ${expected[phase]}`;
      }
    }
    for (const [at, { timestamp, id: task }] of serving.entries()) {
      if (timestamp === size.first + at) continue;
      return `${path('serving')} has the task ${task} at position ${timestamp} in place of ${size.first + at}`;
    }
    for (const { timestamp, id: task } of test) {
      if (timestamp === lastPosition(size)) continue;
      return `${path('test')} dates the task ${task} ${timestamp} in place of ${lastPosition(size)}`;
    }
    for (const task of [...serving, ...test]) {
      if (seen.has(task.id)) return `the data of ${id} have two tasks ${task.id}`;
      seen.add(task.id);
    }
  }
  const tests = found.flatMap(({ test }) => test);
  for (const [category, key] of [
    ['hidden', 'hidden'],
    ['fully_specified', 'specified'],
  ] as const) {
    const count = tests.filter((it) => it.category === category).length;
    const expected = windows.reduce((sum, it) => sum + it[key], 0);
    if (count !== expected)
      return `${path('test')} has ${count} tasks of ${category} in place of ${expected}`;
  }
  return null;
}
