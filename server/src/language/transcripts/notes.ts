/** What is to be said about a transcript, from its structure to why its episode failed. */
import type { Event, Reply } from '../../engine/environments/chat.ts';
import type { Note } from '../../engine/environments/commentary.ts';
import type { Environment, Outcome } from '../../engine/environments/environment.ts';
import { replyNotes } from '../../engine/evals/reply-notes.ts';
import type { Problem } from '../../engine/problem.ts';
import type { Range } from '../../engine/prompts/template.ts';
import type { ParsedTranscript } from '../../engine/transcripts/parse-transcript.ts';
import type { Replay, ReplayStep } from '../../engine/transcripts/replay.ts';
import type { EventBlock } from '../../engine/transcripts/transcript.ts';
import type { Analysis } from './analysis.ts';
import { outcomeProblems } from './outcome.ts';
import { ReplyPlace } from './places.ts';
import { transcriptProblems } from './problems.ts';

/** A note with its place in the file. */
export interface PlacedNote extends Note {
  /** The block it is about; undefined for the front matter and what belongs to no step. */
  readonly block?: number;
  /** Text elsewhere that has no effect because of what the note says. */
  readonly faded?: Range;
}

/**
 * Everything about a transcript in text order, privileged notes included. Codes: those of parsing and of finding the
 * instance, those of the environment, and
 *
 * - `transcript.after-end`: a step that is not played because the episode was over
 * - `transcript.unexpected-event`: a reply where a verdict is due, or the reverse
 * - `transcript.outcome`: the recorded outcome is not the replayed one
 * - `transcript.failed`: why the episode failed (privileged)
 */
export function transcriptNotes(analysis: Analysis): PlacedNote[] {
  const { text, parsed, replay, played, problems, environments } = analysis;
  const isDraft = parsed.layout.blocks.length === 0;
  const structure = isDraft ? transcriptProblems(text, environments) : parsed.problems;
  const notes: PlacedNote[] = [...structure, ...problems];
  for (const [index, block] of parsed.layout.blocks.entries())
    for (const note of blockNotes(analysis, block, index)) notes.push(note);
  if (replay && played) {
    notes.push(...outcomeProblems(parsed, outcomeOf(played.environment, replay)));
    notes.push(...failureNotes(analysis, played.environment, replay));
  }
  return notes.sort((a, b) => a.start - b.start || a.end - b.end);
}

function blockNotes(analysis: Analysis, block: EventBlock, index: number): readonly PlacedNote[] {
  const { parsed, environment, replay, text, isOpen } = analysis;
  const event = parsed.transcript.events[index];
  const step = replay?.steps[index];
  if (step !== undefined && step.fault !== null) return [faultNote(analysis, step, block, index)];
  if (event?.kind !== 'reply' || (isOpen && index === parsed.layout.blocks.length - 1)) return [];
  const found = step === undefined ? malformed(environment, event) : stepNotes(environment, step);
  if (found.length === 0) return [];
  const known = placed.get(block);
  if (known?.found === found) return known.notes;
  const place = new ReplyPlace(text, block, event.text);
  const notes = found.map((note) => ({ ...note, ...place.toFile(note), block: index }));
  placed.set(block, { found, notes });
  return notes;
}

/** Notes where they stand: blocks in front of an edit stay the same objects, in the same places. */
const placed = new WeakMap<
  EventBlock,
  { readonly found: readonly Note[]; readonly notes: readonly PlacedNote[] }
>();

function malformed(environment: Environment | undefined, { text }: Reply): readonly Problem[] {
  return environment?.replyProblems?.(text) ?? [];
}

/** Notes of steps, kept as long as their steps: most of a transcript stays as it is while one step is edited. */
const kept = new WeakMap<ReplayStep, readonly Note[]>();

/** What is to be said about a played reply, whatever its place in a file. */
function stepNotes(environment: Environment | undefined, step: ReplayStep): readonly Note[] {
  const known = kept.get(step);
  if (known !== undefined) return known;
  const { event, before, after } = step;
  if (event.kind !== 'reply') return [];
  const notes = environment ? replyNotes(environment, before, event, after) : [];
  kept.set(step, notes);
  return notes;
}

function faultNote(
  { replay, played, parsed }: Analysis,
  step: ReplayStep,
  block: EventBlock,
  index: number,
): PlacedNote {
  const { marker, content } = block.text;
  const where = { start: marker.start, end: marker.end, block: index, severity: 'error' } as const;
  if (step.fault !== 'over' || !replay || !played) {
    const [due, is] = step.fault === 'needs-reply' ? ['a reply', 'verdict'] : ['a verdict', 'reply'];
    const message = `The episode needs ${due} here: this ${is} is not played.`;
    return { code: 'transcript.unexpected-event', message, ...where };
  }
  const message = `${ending(parsed, replay, played.environment)}: this is not played.`;
  return { code: 'transcript.after-end', message, ...where, faded: content };
}

/** What many steps behind the end say alike. */
const endings = new WeakMap<Replay, string>();

function ending({ transcript }: ParsedTranscript, replay: Replay, environment: Environment): string {
  const known = endings.get(replay);
  if (known !== undefined) return known;
  const last = replay.steps.findLastIndex(({ fault }) => fault === null);
  const { stop } = outcomeOf(environment, replay);
  const sentence = `The episode ended in step ${stepNumber(transcript.events, last)} (${stop})`;
  endings.set(replay, sentence);
  return sentence;
}

/** The number of the step that event `index` is or belongs to: verdicts are not counted. */
export function stepNumber(events: readonly Event[], index: number): number {
  let number = 0;
  for (let i = 0; i <= index; i++) if (events[i]?.kind === 'reply') number++;
  return number;
}

/** The index of the event that is step `number`, or −1. */
function eventOfStep(events: readonly Event[], number: number): number {
  let seen = 0;
  return events.findIndex(({ kind }) => kind === 'reply' && ++seen === number);
}

/** Outcomes of replays, which several features ask for. */
const outcomes = new WeakMap<Replay, Outcome>();

export function outcomeOf(environment: Environment, replay: Replay): Outcome {
  const known = outcomes.get(replay);
  if (known !== undefined) return known;
  const outcome = environment.outcome(replay.last);
  outcomes.set(replay, outcome);
  return outcome;
}

/** Why the episode failed, at the step at which it went wrong. */
function failureNotes({ parsed }: Analysis, environment: Environment, replay: Replay): PlacedNote[] {
  const outcome = outcomeOf(environment, replay);
  if (!outcome.done || outcome.correct || !environment.explain) return [];
  const played = replay.steps.filter(({ fault }) => fault === null);
  const explanation = environment.explain([replay.first, ...played.map(({ after }) => after)]);
  if (!explanation?.cause) return [];
  const index = eventOfStep(parsed.transcript.events, explanation.step ?? outcome.steps);
  const block = parsed.layout.blocks[index];
  if (block === undefined) return [];
  const message = `Why it failed (${explanation.cause}): ${explanation.sentence ?? ''}`;
  const { start, end } = block.text.marker;
  return [
    { code: 'transcript.failed', severity: 'info', message, start, end, block: index, privileged: true },
  ];
}
