/**
 * The work that is handed to worker threads: plain messages in, plain messages out.
 *
 * Each task gets a batch of instances, either indices of a split or lines of a file, and answers for each of them
 * in order. What is wrong with one instance is said in `problems` and does not keep the others from being worked on.
 */
import { EndlessEpisode, playEpisode } from '../engine/evals/play.ts';
import { type RecordedReply, recordReply } from '../engine/evals/recorded-reply.ts';
import { type EpisodeRow, episodeRow, groupsOf } from '../engine/evals/summarize.ts';
import { forEachInstance, type Job, type TaskResult, type Visit } from './batches.ts';

/** Attempts at generating, and why they were rejected: one attempt can have several reasons. */
export interface Rejections {
  readonly attempts: number;
  readonly rejected: number;
  readonly reasons: Readonly<Record<string, number>>;
}

export interface GenerateResult extends TaskResult {
  /** The instances as lines of JSON, UTF-8, each ended by a line feed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rejections: Rejections;
  /** For the population audit; empty unless asked for. */
  readonly auditRows: readonly unknown[];
}

export interface GenerateJob extends Job {
  /** Whether to collect rows for the population audit. */
  readonly audit: boolean;
  /**
   * Memory to write the lines into, if it is large enough. Handing it from thread to thread and back keeps a long
   * generation from leaving buffers behind faster than they are collected.
   */
  readonly buffer?: ArrayBuffer;
}

/** Generates instances and writes them as lines of JSON. */
export function generate(job: GenerateJob): GenerateResult {
  const lines: string[] = [];
  const auditRows: unknown[] = [];
  let attempts = 0;
  const reasons = new Map<string, number>();
  const result = forEachInstance(job, ({ environment, instance, generated }) => {
    lines.push(JSON.stringify(instance), '\n');
    attempts += generated?.attempts ?? 0;
    for (const [code, count] of Object.entries(generated?.reasons ?? {})) {
      reasons.set(code, (reasons.get(code) ?? 0) + count);
    }
    if (job.audit) auditRows.push(...(environment.audit?.rows(instance) ?? []));
  });
  return {
    ...result,
    bytes: encode(lines.join(''), job.buffer),
    rejections: { attempts, rejected: attempts - result.instances, reasons: Object.fromEntries(reasons) },
    auditRows,
  };
}

/** `text` as UTF-8, in `buffer` when it fits. The memory belongs to nobody else, so it can move between threads. */
function encode(text: string, buffer: ArrayBuffer | undefined): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (buffer !== undefined && buffer.byteLength >= text.length) {
    const { read, written } = encoder.encodeInto(text, new Uint8Array(buffer));
    if (read === text.length) return new Uint8Array(buffer, 0, written);
  }
  return encoder.encode(text);
}

export interface AuditResult extends TaskResult {
  /** Instance by instance. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Collects what the population audit keeps of each instance. */
export function audit(job: Job): AuditResult {
  const rows: (readonly unknown[])[] = [];
  const result = forEachInstance(job, ({ environment, instance }) => {
    rows.push(environment.audit?.rows(instance) ?? []);
  });
  return { ...result, rows };
}

/** One instance scored by every baseline of its environment. */
export interface BaselineRow {
  readonly groups: Readonly<Record<string, string | number>>;
  readonly scores: Readonly<Record<string, number>>;
}

export interface BaselinesResult extends TaskResult {
  /** Instance by instance. */
  readonly rows: readonly BaselineRow[];
}

/** Scores instances by every baseline. */
export function baselines(job: Job & { readonly seed: string }): BaselinesResult {
  const rows: BaselineRow[] = [];
  const result = forEachInstance(job, ({ environment, instance }) => {
    const scores = (environment.baselines ?? []).map((it) => [it.id, it.score(instance, job.seed)] as const);
    rows.push({ groups: groupsOf(environment, instance), scores: Object.fromEntries(scores) });
  });
  return { ...result, rows };
}

/** One played episode. `replies` are left out unless asked for. */
export interface PlayedRow extends EpisodeRow {
  readonly policy: string;
  readonly replies?: readonly RecordedReply[];
}

export interface PlayResult extends TaskResult {
  /** Instance by instance, for each the episodes with the policies in the order asked for. */
  readonly episodes: readonly (readonly PlayedRow[])[];
  /** What is to be known of them, each once. */
  readonly remarks: readonly string[];
}

export interface PlayJob extends Job {
  readonly policies: readonly string[];
  readonly seed: string;
  /** Whether to give the replies back. */
  readonly replies: boolean;
}

/** Plays every instance with every policy. An episode that does not end is a problem of its own. */
export function play(job: PlayJob): PlayResult {
  const episodes: (readonly PlayedRow[])[] = [];
  const remarks = new Set<string>();
  const endless: string[] = [];
  const result = forEachInstance(job, (visit) => {
    const { environment, instance, options } = visit;
    const rows = job.policies.flatMap((id): PlayedRow[] => {
      try {
        return [playWith(id, visit, job)];
      } catch (error) {
        if (!(error instanceof EndlessEpisode)) throw error;
        endless.push(`No score: ${error.message}.`);
        return [];
      }
    });
    episodes.push(rows);
    const remark = environment.remark?.(instance, options) ?? null;
    if (remark !== null) remarks.add(remark);
  });
  return { ...result, problems: [...result.problems, ...endless], episodes, remarks: [...remarks] };
}

function playWith(id: string, { environment, instance, options }: Visit, job: PlayJob): PlayedRow {
  const policy = environment.policies.find((it) => it.id === id);
  if (policy === undefined) throw new Error(`no policy ${id}`);
  const { events, outcome } = playEpisode(environment, instance, options, policy, job.seed);
  const row = { policy: id, ...episodeRow(environment, instance, outcome) };
  if (!job.replies) return row;
  return { ...row, replies: events.flatMap((event) => (event.kind === 'reply' ? [recordReply(event)] : [])) };
}
