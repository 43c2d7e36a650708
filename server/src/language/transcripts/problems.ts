/** What is wrong with a transcript: its structure, and the replies of its steps. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { Problem } from '../../engine/problem.ts';
import { fileOffsets } from '../../engine/transcripts/file-offsets.ts';
import { type ParsedTranscript, parseTranscript } from '../../engine/transcripts/parse-transcript.ts';

/** Malformed replies of a text, as an environment finds them. */
type ReplyCheck = (text: string, start?: number, end?: number) => readonly Problem[];

/** About a whole file; a fragment in another document need not have what they ask for. */
const WHOLE_FILE_ONLY: ReadonlySet<string> = new Set([
  'front-matter.missing-block',
  'transcript.text-before-step',
  'transcript.step-number',
]);

/** Problems of the transcript `text` that can be found without its instance, in text order. */
export function transcriptProblems(text: string, environments: readonly Environment[]): Problem[] {
  const parsed = parseTranscript(text);
  const isDraft = parsed.layout.blocks.length === 0 && parsed.layout.frontMatter === null;
  const structure = isDraft ? draftNote(text) : parsed.problems;
  return inTextOrder([...structure, ...replyProblems(text, parsed, environments, draftProblems)]);
}

/** Instead of complaints about all that is missing. */
function draftNote(text: string): Problem[] {
  const line = /\S[^\r\n]*/.exec(text);
  if (!line) return [];
  const message =
    'A draft. To be replayed it needs front matter (format, environment, instance) and a line "=== step 1" before the first reply.';
  const end = line.index + line[0].length;
  return [{ code: 'transcript.draft', severity: 'info', message, start: line.index, end }];
}

/** Problems of the transcript, or the part of one, that stands at `start` to `end` of another document's text. */
export function fragmentProblems(
  text: string,
  start: number,
  end: number,
  environments: readonly Environment[],
): Problem[] {
  const fragment = text.slice(start, end);
  const parsed = parseTranscript(fragment);
  const structure = parsed.problems.filter(({ code }) => !WHOLE_FILE_ONLY.has(code));
  const found = inTextOrder([
    ...structure,
    ...replyProblems(fragment, parsed, environments, exampleProblems),
  ]);
  return found.map((problem) => ({ ...problem, start: problem.start + start, end: problem.end + start }));
}

function replyProblems(
  text: string,
  parsed: ParsedTranscript,
  environments: readonly Environment[],
  withoutSteps: (text: string, start: number, check: ReplyCheck) => Problem[],
): Problem[] {
  const { transcript, layout } = parsed;
  // Without the name of an environment it is most likely one whose replies we can check.
  const environment =
    environments.find(({ id }) => id === transcript.environment) ??
    environments.find((candidate) => candidate.replyProblems);
  const check = environment?.replyProblems?.bind(environment);
  if (!check) return [];
  if (layout.blocks.length === 0) return withoutSteps(text, layout.frontMatter?.end ?? 0, check);
  return layout.blocks.flatMap((block, position) => {
    const event = transcript.events[position];
    if (event?.kind !== 'reply') return [];
    const offsetOf = fileOffsets(text, block.text);
    return check(event.text).map((problem) => {
      const start = offsetOf(problem.start);
      const end = offsetOf(problem.end);
      // There is nothing to underline of an empty reply but the line that announces it.
      return start < end ? { ...problem, start, end } : { ...problem, ...block.text.marker };
    });
  });
}

/**
 * A text without any step: somebody's draft. Nobody knows yet which of its lines will be one reply, so it is checked as
 * one, and every line that would then be ignored also by itself.
 */
function draftProblems(text: string, start: number, check: ReplyCheck): Problem[] {
  if (text.slice(start).trim() === '') return [];
  return check(text, start, text.length).flatMap((problem) => {
    if (problem.code !== 'action.ignored-line') return [problem];
    return [problem, ...check(text, problem.start, problem.end)];
  });
}

/** A line that begins an action or a thought. */
const OPENING = /^[ \t]*(ACTION|THOUGHT):/gim;

/** A text without any step in a page: examples, of which every action is a reply of its own. */
function exampleProblems(text: string, start: number, check: ReplyCheck): Problem[] {
  const openings = [...text.matchAll(OPENING)].filter(({ index }) => index >= start);
  const actions = openings.filter(([, word]) => word?.toUpperCase() === 'ACTION');
  if (actions.length === 0) return draftProblems(text, start, check);
  return actions.flatMap((action) => {
    const next = openings[openings.indexOf(action) + 1];
    return check(text, action.index, next?.index ?? text.length);
  });
}

function inTextOrder(problems: Problem[]): Problem[] {
  return problems.sort((a, b) => a.start - b.start);
}
