/**
 * What is known of an open transcript: its parts, the instance it was played on, and the episode replayed. Made once
 * for each version of a document, and from what the version before it already knew: only events from the first changed
 * one on are played again.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Event } from '../engine/environments/chat.ts';
import type { Environment } from '../engine/environments/environment.ts';
import type { Problem } from '../engine/problem.ts';
import { type ParsedTranscript, parseTranscript } from '../engine/transcripts/parse-transcript.ts';
import { type Replay, replay } from '../engine/transcripts/replay.ts';
import type { Instances } from './instances.ts';
import { findTranscriptInstance, type TranscriptInstance } from './transcript-instance.ts';

export interface Analysis {
  readonly text: string;
  readonly parsed: ParsedTranscript;
  /** Every environment there is. */
  readonly environments: readonly Environment[];
  /** The environment by its name; undefined when there is none of that name. */
  readonly environment: Environment | undefined;
  /** What was played; undefined when it cannot be found, and `problems` say why. */
  readonly played: TranscriptInstance | undefined;
  /** One step for each event but an open last one; undefined without an instance. */
  readonly replay: Replay | undefined;
  /**
   * True when the last step has no text yet and nothing says how the episode ended: it waits to be written and is not
   * played as an empty reply.
   */
  readonly isOpen: boolean;
  /** Why the transcript cannot be replayed. */
  readonly problems: readonly Problem[];
}

export interface Analyses {
  of(document: TextDocument): Analysis;
}

/** Analyses of open documents; forgotten together with their documents. */
export function createAnalyses(environments: readonly Environment[], instances: Instances): Analyses {
  const kept = new WeakMap<TextDocument, { readonly version: number; readonly analysis: Analysis }>();
  return {
    of(document) {
      const known = kept.get(document);
      if (known?.version === document.version) return known.analysis;
      const analysis = analyse(document.getText(), environments, instances, known?.analysis);
      kept.set(document, { version: document.version, analysis });
      return analysis;
    },
  };
}

function analyse(
  text: string,
  environments: readonly Environment[],
  instances: Instances,
  previous: Analysis | undefined,
): Analysis {
  const parsed = parseTranscript(text);
  const { transcript } = parsed;
  const found = findTranscriptInstance(parsed, environments, instances, previous?.played);
  const isOpen = hasOpenStep(parsed);
  const { environment, played, problems } = found;
  const again = played !== undefined && played === previous?.played ? previous.replay : undefined;
  return {
    text,
    parsed,
    environments,
    environment,
    played,
    replay: played && replayed(played, isOpen ? transcript.events.slice(0, -1) : transcript.events, again),
    isOpen,
    problems,
  };
}

function replayed(
  { environment, instance, options }: TranscriptInstance,
  events: readonly Event[],
  previous: Replay | undefined,
): Replay {
  return replay(environment, instance, options, events, previous);
}

function hasOpenStep({ transcript, layout }: ParsedTranscript): boolean {
  const last = transcript.events.at(-1);
  if (transcript.outcome !== null || last?.kind !== 'reply' || layout.blocks.at(-1)?.text.escaped)
    return false;
  return last.text === '' && last.reasoning === undefined && last.toolCalls === undefined;
}
