/**
 * What is known of an open transcript: its parts, the instance it was played on, and the episode replayed. Made once
 * for each version of a document, and from what the version before it already knew: only events from the first changed
 * one on are played again.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Event } from '../../engine/environments/chat.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { Problem } from '../../engine/problem.ts';
import { type ParsedTranscript, parseTranscript } from '../../engine/transcripts/parse-transcript.ts';
import { type Replay, replay } from '../../engine/transcripts/replay.ts';
import type { Instances } from '../instances/instances.ts';
import { findTranscriptInstance, type Places, type TranscriptInstance } from './instance.ts';

export interface Analysis {
  readonly text: string;
  readonly parsed: ParsedTranscript;
  /** Every environment there is. */
  readonly environments: readonly Environment[];
  /** The environment by its name; undefined when there is none of that name. */
  readonly environment: Environment | undefined;
  /** What was played; undefined when it cannot be found, and `problems` say why. */
  readonly played: TranscriptInstance | undefined;
  /** The address of its instance, as long as that has not been read from its file or made. */
  readonly wanted: string | undefined;
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
  /** Reads the file that holds a transcript's instance, if there is one and it has not been read. */
  prepare(document: TextDocument): Promise<void>;
}

interface Kept {
  readonly version: number;
  /** Of the instances it was made with. */
  readonly generation: number;
  readonly analysis: Analysis;
}

/** How often the instance is looked for anew because of edits that came meanwhile. */
const rounds = 20;

/** Analyses of open documents; forgotten together with their documents. */
export function createAnalyses(environments: readonly Environment[], instances: Instances): Analyses {
  const kept = new WeakMap<TextDocument, Kept>();

  function look(
    document: TextDocument,
    failed?: { readonly address: string; readonly error: string },
  ): Analysis {
    const { uri, version } = document;
    const failure = (address: string) => (address === failed?.address ? failed.error : undefined);
    const places = { environments, instances, uri, failure };
    const analysis = analyse(document.getText(), places, kept.get(document)?.analysis);
    kept.set(document, { version, generation: instances.generation, analysis });
    return analysis;
  }

  function of(document: TextDocument): Analysis {
    const known = kept.get(document);
    const isFresh = known?.version === document.version && known.generation === instances.generation;
    return isFresh ? known.analysis : look(document);
  }

  return {
    of,
    async prepare(document) {
      let { wanted } = of(document);
      for (let round = 0; wanted !== undefined && round < rounds; round++) {
        const loaded = await instances.load(wanted, document.uri);
        // Edits may have come meanwhile; then this is what they look for, too, or something else is.
        const failed =
          loaded.ok || !instances.isReady(wanted) ? undefined : { address: wanted, error: loaded.error };
        ({ wanted } = look(document, failed));
      }
    },
  };
}

function analyse(text: string, places: Places, previous: Analysis | undefined): Analysis {
  const parsed = parseTranscript(text, previous);
  const { transcript } = parsed;
  const { environment, played, wanted, problems } = findTranscriptInstance(parsed, places, previous?.played);
  const isOpen = hasOpenStep(parsed);
  const again = played !== undefined && played === previous?.played ? previous.replay : undefined;
  return {
    text,
    parsed,
    environments: places.environments,
    environment,
    played,
    wanted,
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
