/** The messages about transcripts. Part of `protocol.ts`, which has them all. */
import type { ComparedTexts } from '../engine/environments/compared-texts.ts';
import type { Checked } from '../engine/problem.ts';
import type { InstanceSelector, Place } from './instances.ts';

/** What the agent of a transcript holds after one of its steps. */
export interface HeldChunks {
  /** Address of the instance that was played. */
  readonly instance: string;
  /** Counted from 1; 0 before the first. */
  readonly step: number;
  /** Where they stand in the document of the instance. */
  readonly chunks: readonly { readonly number: number; readonly range: Place }[];
}

/** What a reply was made from, and what it is. */
export interface TextsBeside extends ComparedTexts {
  /** Id of the instance that was played. */
  readonly instance: string;
}

/** Requests about transcripts. */
export interface TranscriptRequests {
  /** The text of a transcript of that instance whose first step is still to be written. */
  'hopscope/newTranscript': {
    readonly params: InstanceSelector | { readonly uri: string };
    readonly result: Checked<string>;
  };
  /** What is held after the step at a position of the open transcript at `uri`. */
  'hopscope/heldChunks': {
    readonly params: { readonly uri: string; readonly position: Place['start'] };
    readonly result: Checked<HeldChunks>;
  };
  /** What the reply of the step at a position of the open transcript at `uri` was made from, and what it is. */
  'hopscope/comparedTexts': {
    readonly params: { readonly uri: string; readonly position: Place['start'] };
    readonly result: Checked<TextsBeside>;
  };
}
