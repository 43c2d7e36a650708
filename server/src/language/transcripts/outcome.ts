/** Holds the outcome that a transcript records against the one that replaying it gives. */
import type { Outcome } from '../../engine/environments/environment.ts';
import type { Problem } from '../../engine/problem.ts';
import type { ParsedTranscript } from '../../engine/transcripts/parse-transcript.ts';
import { placeOfValue } from './instance.ts';

/** Numbers that differ by less were rounded when they were written. */
const tolerance = 1e-6;

/** `transcript.outcome`, at each recorded value that replaying does not give; metrics that are not known are left alone. */
export function outcomeProblems(parsed: ParsedTranscript, replayed: Outcome): Problem[] {
  const recorded = parsed.transcript.outcome;
  if (recorded === null) return [];
  const problems: Problem[] = [];
  const compare = (said: unknown, is: unknown, ...path: readonly string[]) => {
    if (said === undefined || is === undefined || isSame(said, is)) return;
    const message = `Recorded is ${path.at(-1)} ${show(said)}; replaying gives ${show(is)}.`;
    const where = placeOfValue(parsed, 'outcome', ...path);
    problems.push({ code: 'transcript.outcome', severity: 'warning', message, ...where });
  };
  compare(recorded.reward, replayed.reward, 'reward');
  compare(recorded.correct, replayed.correct, 'correct');
  compare(recorded.stop, replayed.stop, 'stop');
  compare(recorded.steps, replayed.steps, 'steps');
  for (const [name, value] of Object.entries(recorded.metrics ?? {})) {
    const is = Object.hasOwn(replayed.metrics, name) ? replayed.metrics[name] : undefined;
    compare(value, is, 'metrics', name);
  }
  return problems;
}

function isSame(said: unknown, is: unknown): boolean {
  if (typeof said === 'number' && typeof is === 'number') return Math.abs(said - is) < tolerance;
  return said === is;
}

function show(value: unknown): string {
  return typeof value === 'number' ? String(Number(value.toFixed(4))) : String(value);
}
