/**
 * Runs a stream: window by window, the serving tasks in blocks against a frozen memory, an update after each block, then the
 * window's test tasks, which no method is ever told of.
 *
 * Resuming goes by the rows that are there: whole blocks are learned from again in their order, a broken block is played
 * again as a whole, test tasks that are there are not played again.
 */

import { setImmediate } from 'node:timers/promises';
import type { ChatMessage } from '../../engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import type { Experience, Streams, StreamWindow, TaskView } from '../../engine/environments/streams.ts';
import { hashInstance } from '../../engine/evals/identity.ts';
import type { ModelFailure, ModelResult } from '../../engine/evals/model.ts';
import type { Judge } from '../../engine/evals/next-event.ts';
import type { Responder } from '../../engine/evals/responder.ts';
import { counted } from '../../engine/text/numbers.ts';
import { hashOf } from '../data/open.ts';
import { Failure } from '../failure.ts';
import type { Learner } from './learner.ts';
import { addTokens, noTokens, playServed, type Tokens, tokensOf, withUsage } from './play-served.ts';
import type { EpisodeRow, LostLine, Recorded, StreamLine } from './stream-file.ts';

/** What running a stream takes. */
export interface StreamRun<I extends AnyInstance, O, S> {
  readonly environment: Environment<I, O, S>;
  readonly streams: Streams<I, O, S>;
  readonly stream: string;
  readonly options: O;
  readonly learner: Learner;
  /** Who plays, for rows. */
  readonly model: string;
  /** Numbers of the windows to play; all when null. Methods learn from those alone. */
  readonly windows: readonly number[] | null;
  /** Episodes under way at the same time. */
  readonly concurrency: number;
  respond(instance: I): Responder<S>;
  /** Asks the model that methods learn through; null where there is none. */
  readonly teach: ((messages: readonly ChatMessage[], signal: AbortSignal) => Promise<ModelResult>) | null;
  readonly judge: Judge | null;
  /** What was recorded earlier. */
  readonly recorded: Pick<Recorded, 'rows' | 'updates' | 'lost'> | null;
  /** Keeps a line before anything further is done. */
  keep(line: StreamLine): void;
  /** When it fires, no episode is begun any more. */
  readonly signal: AbortSignal;
  /** When it fires, nothing that is under way is waited for; {@link signal} unless given. */
  readonly hard?: AbortSignal;
  /** Told of every new episode. */
  told?(row: EpisodeRow): void;
  /** How many requests may still be sent; null for any number. */
  room?(): number | null;
}

export interface StreamEnd {
  readonly rows: readonly EpisodeRow[];
  readonly learning: Tokens;
  /** What was paid for and is in no row, now or earlier. */
  readonly lost: readonly LostLine[];
}

/** Where episodes are played: in which window, and in which of its serving blocks if in one. */
interface Place {
  readonly window: number;
  readonly block: number | null;
}

/** So often an episode is begun before its failure is taken for lasting. */
const episodeAttempts = 4;

/** Runs to the end. @throws Failure when an episode cannot be played; what was kept can be gone on with. */
export async function runStream<I extends AnyInstance, O, S>(given: StreamRun<I, O, S>): Promise<StreamEnd> {
  const lost: LostLine[] = [...(given.recorded?.lost ?? [])];
  const keep = (line: StreamLine) => {
    if (isLostLine(line)) lost.push(line.lost);
    given.keep(line);
  };
  try {
    return { ...(await playWindows({ ...given, keep })), lost };
  } catch (error) {
    // Whoever asked to stop need not hear of what came of that.
    given.signal.throwIfAborted();
    throw error;
  }
}

function isLostLine(line: StreamLine): line is { readonly lost: LostLine } {
  return !('task_id' in line) && 'lost' in line;
}

async function playWindows<I extends AnyInstance, O, S>(
  run: StreamRun<I, O, S>,
): Promise<Omit<StreamEnd, 'lost'>> {
  const opened = run.streams.open(run.stream);
  if (!opened.ok) throw new Failure('request', `${opened.error}.`);
  const rows: EpisodeRow[] = [];
  let learning = noTokens;
  const known = new Map(run.recorded?.rows.map((row) => [row.task_id, row]));
  for (const [window, tasks] of opened.value.entries()) {
    if (run.windows !== null && !run.windows.includes(window)) continue;
    if (run.learner.learns) {
      for (const [block, instances] of blocksOf(tasks, run.streams.blockSize).entries()) {
        const earlier = instances.flatMap(({ id }) => known.get(id) ?? []);
        const isWhole = earlier.length === instances.length;
        const played = isWhole ? earlier : await playAll(run, instances, { window, block });
        rows.push(...played);
        learning = addTokens(learning, await learn(run, window, block, played));
        const text = await run.learner.describe();
        if (text !== null) run.keep({ memory: { window, block, text } });
      }
    }
    const left = tasks.test.filter(({ id }) => !known.has(id));
    const played = new Map(
      (await playAll(run, left, { window, block: null })).map((row) => [row.task_id, row]),
    );
    rows.push(...tasks.test.flatMap(({ id }) => known.get(id) ?? played.get(id) ?? []));
  }
  return { rows, learning };
}

/** The serving tasks of a window in blocks; the last one may be smaller. */
function blocksOf<I>({ serving }: Pick<StreamWindow<I>, 'serving'>, size: number): (readonly I[])[] {
  return Array.from({ length: Math.ceil(serving.length / size) }, (_, at) =>
    serving.slice(at * size, (at + 1) * size),
  );
}

/** Which recorded rows are worth keeping: those of whole blocks, and of test tasks, where they belong. */
export function keptRows<I extends AnyInstance>(
  windows: readonly StreamWindow<I>[],
  size: number,
  { rows }: Pick<Recorded, 'rows'>,
): EpisodeRow[] {
  const known = new Map(rows.map((row) => [row.task_id, row]));
  return windows.flatMap((tasks, window) => {
    const blocks = blocksOf(tasks, size);
    const served = blocks.map((instances, block) =>
      instances.flatMap(({ id }) => {
        const row = known.get(id);
        const isOfBlock = row?.phase === 'serving' && row.window === window && row.block === block;
        return isOfBlock && typeof row['record'] === 'string' ? [row] : [];
      }),
    );
    const whole = served.filter((found, at) => found.length === blocks[at]?.length).flat();
    const tested = tasks.test.flatMap(({ id }) => {
      const row = known.get(id);
      return row?.phase === 'test' && row.window === window && row.block === null ? [row] : [];
    });
    return [...whole, ...tested];
  });
}

/** Learns from a block, whether it was just played or is recorded. */
async function learn<I extends AnyInstance, O, S>(
  run: StreamRun<I, O, S>,
  window: number,
  block: number,
  rows: readonly EpisodeRow[],
): Promise<Tokens> {
  const experiences = rows.map(experienceOf);
  const recorded = run.recorded?.updates.find((it) => it.window === window && it.block === block);
  if (recorded !== undefined) {
    await run.learner.update(experiences, recorded.answer);
    return tokensOf(recorded.tokens);
  }
  const question = await run.learner.question(experiences);
  if (question === null) {
    await run.learner.update(experiences, null);
    return noTokens;
  }
  if (run.teach === null) {
    throw new Failure(
      'request',
      `The method ${run.learner.id} learns through a model; name one with --model.`,
    );
  }
  run.signal.throwIfAborted();
  const result = await run.teach(question, run.hard ?? run.signal);
  if (!result.ok) throw failed(result.failure);
  const answer = result.reply.text;
  const tokens = withUsage(noTokens, result.reply.usage);
  run.keep({ update: { window, block, answer, tokens } });
  await run.learner.update(experiences, answer);
  return tokens;
}

function experienceOf({ task_id, timestamp, reward, instruction, record }: EpisodeRow): Experience {
  const view = { taskId: task_id, instruction: String(instruction ?? ''), timestamp };
  return { ...untold(view), reward, record: String(record ?? '') };
}

/** What a method is given: ids as they are may tell of phases, windows and slices. */
function untold({ taskId, instruction, timestamp }: TaskView): TaskView {
  return { taskId: hashOf(Buffer.from(taskId)).slice(0, 12), instruction, timestamp };
}

/** Plays instances side by side; rows come in the order of the instances. */
async function playAll<I extends AnyInstance, O, S>(
  run: StreamRun<I, O, S>,
  instances: readonly I[],
  place: Place,
): Promise<EpisodeRow[]> {
  checkRoom(run.room?.() ?? null, instances.length, place);
  const rows: EpisodeRow[] = [];
  let next = 0;
  const broken = new AbortController();
  const work = async (): Promise<void> => {
    while (next < instances.length && !broken.signal.aborted) {
      // Scripted agents never wait for anything: without this nobody could stop them.
      await setImmediate();
      run.signal.throwIfAborted();
      const at = next++;
      const instance = instances[at];
      if (instance === undefined) return;
      const row = await playOne(run, instance, place);
      run.keep(row);
      run.told?.(row);
      rows[at] = row;
    }
  };
  const lanes = Array.from({ length: Math.min(run.concurrency, instances.length) }, () =>
    work().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  // Everything under way comes to its end before anybody hears of a failure, so that no row is written after it.
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return rows;
}

/** A block counts as a whole or not at all: what cannot be enough for it is not begun to be spent. */
function checkRoom(room: number | null, episodes: number, { block }: Place): void {
  if (room === null || block === null || room >= episodes) return;
  throw new Failure(
    'run',
    `The limit leaves ${counted(Math.max(0, room), 'request')}, and the block that comes next has ${counted(episodes, 'episode')}, ` +
      'each of which takes at least one: nothing was sent. Raise --limit; the same command goes on.',
  );
}

async function playOne<I extends AnyInstance, O, S>(
  run: StreamRun<I, O, S>,
  instance: I,
  place: Place,
): Promise<EpisodeRow> {
  const { streams, learner, environment, signal, judge } = run;
  const { block } = place;
  const { context, traits } = await learner.advise(untold(streams.task(instance)));
  const told = learner.privileged ? streams.bulletin(instance) : context;
  const options = streams.withContext(run.options, told);
  for (let attempt = 1; ; attempt++) {
    const responder = run.respond(instance);
    const played = await playServed(environment, instance, options, responder, judge, run.hard ?? signal);
    const { tokens, judged: judge_tokens } = played;
    if (played.kind === 'ended' && streams.isScored(played.state)) {
      const { stream, ...row } = streams.row(played.state);
      const { correct, stop, steps, metrics } = environment.outcome(played.state);
      const explained = environment.explain?.(played.states) ?? null;
      return {
        scenario: stream,
        method: learner.id,
        model: run.model,
        ...row,
        task_id: instance.id,
        instance_hash: hashInstance(instance),
        outcome: { correct, stop, steps, metrics },
        cause: explained?.cause ?? null,
        cause_step: explained?.step ?? null,
        block,
        tokens,
        judge_tokens,
        ...(block === null ? {} : { record: streams.experience(played.state).record }),
        ...traits,
      };
    }
    if (tokens.calls + judge_tokens.calls > 0) {
      run.keep({ lost: { ...place, episodes: 0, tokens, judge_tokens } });
    }
    signal.throwIfAborted();
    const isLast = attempt >= episodeAttempts;
    if (played.kind === 'ended') {
      if (isLast) throw new Failure('run', `The judge gave ${instance.id} no score that can be read.`);
    } else if (isLast || !mayPass(played.failure)) throw failed(played.failure);
  }
}

/** What has to do with the episode's requests and not with how everything was set up. A limit stays where it is. */
function mayPass({ code, retriable }: ModelFailure): boolean {
  return code === 'invalid-response' || (retriable && code !== 'limit' && code !== 'cancelled');
}

function failed({ code, message, advice }: ModelFailure): Failure {
  // The advice of runs names a command that knows nothing of streams.
  const hint = hints[code] ?? advice.replace(/resume the run/i, 'give the same command again');
  return new Failure('run', `${message} ${hint}`);
}

const hints: Readonly<Partial<Record<ModelFailure['code'], string>>> = {
  limit:
    'Raise --limit: the same command goes on. A serving block that was under way is then played again as a whole, and what ' +
    'it has taken so far counts in the limit.',
  cancelled: 'The same command goes on.',
};
