/** What the marker line of a step says about its reply. */
import { type FinishReason, finishReasons, type Usage } from '../environments/chat.ts';
import type { Marker, MarkerValue } from './marker.ts';

export interface StepValues {
  readonly finish: FinishReason | null;
  readonly usage: Usage | null;
  /** `calls=none`: the reply had an empty list of tool calls. */
  readonly noCalls: boolean;
}

const usageKeys: readonly string[] = ['input', 'output', 'cached', 'reasoning'];
const startsLikeNumber = /^-?\d/;

/** Reads the values with a key; those that cannot stand there go to `report` with one sentence each. */
export function readStepValues(
  marker: Marker,
  report: (value: MarkerValue, message: string) => void,
): StepValues {
  let finish: FinishReason | null = null;
  let noCalls = false;
  const counts = new Map<string, number>();
  for (const value of marker.values) {
    if (value.key === null) continue;
    if (value.key === 'finish') {
      finish = finishReasons.find((known) => known === value.value) ?? null;
      if (finish === null) report(value, `finish is one of ${finishReasons.join(', ')}.`);
    } else if (value.key === 'calls') {
      noCalls = value.value === 'none';
      if (!noCalls) report(value, 'Only calls=none stands here; calls have markers of their own.');
    } else if (!usageKeys.includes(value.key)) {
      report(value, `A step has no "${value.key}".`);
    } else if (!startsLikeNumber.test(value.value) || !Number.isFinite(Number(value.value))) {
      report(value, `${value.key} is a number of tokens.`);
    } else {
      counts.set(value.key, Number(value.value));
    }
  }
  const [cached, reasoning] = [counts.get('cached'), counts.get('reasoning')];
  const usage: Usage = {
    input: counts.get('input') ?? 0,
    output: counts.get('output') ?? 0,
    ...(cached === undefined ? {} : { cachedInput: cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
  return { finish, usage: counts.size === 0 ? null : usage, noCalls };
}
