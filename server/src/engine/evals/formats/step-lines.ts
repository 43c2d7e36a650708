/**
 * The lines of `steps.jsonl`, from which everything else about a run follows:
 *
 *     {"type":"attempt","attempt":1,"time":…,"version":"0.1.0","endpoint":"http://127.0.0.1:8000/v1"}
 *     {"type":"begin","task":0,"attempt":1,"rollout":0,"instance":{"id":"hs1-id_test-0","hash":"sha256:…",…}}
 *     {"type":"event","task":0,"attempt":1,"step":1,"event":{"kind":"reply","text":"…","usage":{…}},"requests":1,…}
 *     {"type":"error","task":0,"attempt":1,"step":2,"failure":{"code":"server",…},"time":…}
 *     {"type":"end","task":0,"attempt":2,"steps":6,"outcome":{…},"cause":null,…}
 *
 * An attempt is one process at work on the run; `requests` are those it took to get the event, failed ones included. Lines
 * of different tasks stand in the order in which things happened. Lines are only ever added.
 */
import type { Event } from '../../environments/chat.ts';
import type { Outcome } from '../../environments/environment.ts';
import type { ModelFailure } from '../model.ts';

/** A process begins to work on the run. */
export interface AttemptLine {
  readonly type: 'attempt';
  readonly attempt: number;
  /** Times are in ms since 1970. */
  readonly time: number;
  readonly version: string;
  readonly endpoint: string | null;
}

/** What results need to know of an instance without having it. */
export interface InstanceNote {
  readonly id: string;
  readonly hash: string;
  readonly split: string;
  /** Null for instances of files. */
  readonly index: number | null;
  readonly groups: Readonly<Record<string, string | number>>;
  readonly minSteps: number;
}

/** What lines about an episode have in common. */
export interface TaskLine {
  readonly task: number;
  readonly attempt: number;
}

/** An episode begins. */
export interface BeginLine extends TaskLine {
  readonly type: 'begin';
  readonly rollout: number;
  readonly instance: InstanceNote;
}

/** Something was said. */
export interface EventLine extends TaskLine {
  readonly type: 'event';
  /** Number of the event in its episode, from 1. */
  readonly step: number;
  readonly event: Event;
  readonly requests: number;
  readonly cached: boolean;
  /** When it was asked for. */
  readonly time: number;
  /** From then on until it was there, without the waiting for a turn and between requests. */
  readonly ms: number;
}

/** The provider gave no reply; the episode can be gone on with. */
export interface ErrorLine extends TaskLine {
  readonly type: 'error';
  /** Of the event that did not come. */
  readonly step: number;
  readonly failure: ModelFailure;
  readonly time: number;
}

/** The episode is over and scored. */
export interface EndLine extends TaskLine {
  readonly type: 'end';
  /** Events in all. */
  readonly steps: number;
  readonly outcome: Outcome;
  readonly cause: string | null;
  readonly causeStep: number | null;
  readonly causeHop: number | null;
}

export type StepLine = AttemptLine | BeginLine | EventLine | ErrorLine | EndLine;

/** The line as JSON, with its line feed. */
export function printStepLine(line: StepLine): string {
  return `${JSON.stringify(line)}\n`;
}
