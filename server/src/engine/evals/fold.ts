/** Folding the lines of a run into its episodes. The same fold serves readers, resuming and a run under way. */
import type { Event, Usage } from '../environments/chat.ts';
import type { BeginLine, EndLine, EventLine, StepLine } from './formats/step-lines.ts';
import { causeOfFailure, type ModelFailure } from './model.ts';
import type { RunEpisode } from './run-data.ts';

/** One recorded event and how it came about. */
export type RecordedEvent = Pick<EventLine, 'event' | 'requests' | 'cached' | 'time' | 'ms'>;

/** What the lines say of one episode. */
export interface TaskRecord {
  readonly begin: BeginLine;
  readonly events: readonly RecordedEvent[];
  /** The last failure, until an event came after all. */
  readonly failure: ModelFailure | null;
  /** When it came, in ms since 1970. */
  readonly failedAt: number | null;
  /** Requests of failures, which no event counts. */
  readonly failedRequests: number;
  readonly end: EndLine | null;
}

type OpenRecord = { -readonly [K in keyof TaskRecord]: TaskRecord[K] } & { events: RecordedEvent[] };

/** What has happened in a run so far. */
export class RunFold {
  /** Processes that have worked on the run. */
  attempts = 0;
  readonly #records = new Map<number, OpenRecord>();

  /**
   * Takes in the next line. A line that does not follow from those before it, as after damage to the file, changes
   * nothing: an event counts only when it is the next one of its episode, an end only when all its events are there.
   */
  add(line: StepLine): void {
    if (line.type === 'attempt') {
      this.attempts = Math.max(this.attempts, line.attempt);
      return;
    }
    const record = this.#records.get(line.task);
    if (line.type === 'begin') {
      if (record === undefined) {
        const empty = { events: [], failure: null, failedAt: null, failedRequests: 0, end: null };
        this.#records.set(line.task, { begin: line, ...empty });
      }
      return;
    }
    if (record === undefined || record.end !== null) return;
    if (line.type === 'event') {
      if (line.step !== record.events.length + 1) return;
      const { event, requests, cached, time, ms } = line;
      record.events.push({ event, requests, cached, time, ms });
      record.failure = null;
    } else if (line.type === 'error') {
      record.failure = line.failure;
      record.failedAt = line.time;
      record.failedRequests += line.failure.attempts;
    } else if (line.steps === record.events.length) {
      record.end = line;
      record.failure = null;
    }
  }

  /** What is recorded of an episode; undefined when it was never begun. */
  get(task: number): TaskRecord | undefined {
    return this.#records.get(task);
  }

  /** Every episode that was begun, in the order of the plan. */
  records(): readonly TaskRecord[] {
    return [...this.#records.values()].sort((a, b) => a.begin.task - b.begin.task);
  }
}

/** An episode as readers see it. */
export function toEpisode({ begin, events, failure, failedRequests, end }: TaskRecord): RunEpisode {
  const { instance, task, rollout } = begin;
  const said: readonly Event[] = events.map(({ event }) => event);
  const judgeUsage = sumUsage(said, 'verdict');
  return {
    task,
    instanceId: instance.id,
    instanceHash: instance.hash,
    split: instance.split,
    index: instance.index,
    rollout,
    groups: instance.groups,
    minSteps: instance.minSteps,
    outcome: end?.outcome ?? null,
    error: failure,
    cause: end === null ? (failure === null ? 'unfinished' : causeOfFailure(failure)) : end.cause,
    causeStep: end?.causeStep ?? null,
    causeHop: end?.causeHop ?? null,
    events: said,
    steps: said.filter((event) => event.kind === 'reply').length,
    usage: sumUsage(said),
    ...(judgeUsage === null ? {} : { judgeUsage }),
    attempts: events.reduce((sum, { requests }) => sum + requests, failedRequests),
  };
}

/** The tokens of all replies, or of all verdicts, whose endpoint counted them; null when none did. */
export function sumUsage(events: readonly Event[], kind: Event['kind'] = 'reply'): Usage | null {
  return addUsage(events.map((event) => (event.kind === kind ? (event.usage ?? null) : null)));
}

/** The sum of what is known; null when nothing is. */
export function addUsage(usages: readonly (Usage | null)[]): Usage | null {
  let sum: Usage | null = null;
  for (const usage of usages) {
    if (usage === null) continue;
    if (sum === null) {
      sum = usage;
      continue;
    }
    const { cachedInput, reasoning } = usage;
    sum = {
      ...sum,
      input: sum.input + usage.input,
      output: sum.output + usage.output,
      ...(cachedInput === undefined ? {} : { cachedInput: (sum.cachedInput ?? 0) + cachedInput }),
      ...(reasoning === undefined ? {} : { reasoning: (sum.reasoning ?? 0) + reasoning }),
    };
  }
  return sum;
}
