/** What a cause says to a person, with the names and numbers of the episode it was found in. */
import type { Finding } from './causes.ts';
import { capturedBy } from './facts.ts';
import type { Evidence } from './instance.ts';
import type { State } from './state.ts';

/** One sentence for a finding; `last` is the state in which the episode stands. */
export function causeSentence({ cause, step, hop }: Finding, last: State): string {
  const { instance, settings, answer } = last;
  const link = hop === null ? undefined : instance.evidence[hop];
  const quoted = shorten(answer ?? '');
  switch (cause) {
    case 'unfinished':
      return 'The episode goes on.';
    case 'no-room-read':
    case 'no-room-compress': {
      const error = last.last?.error;
      if (error?.code !== 'ceiling-exceeded') return 'More was asked for than the ceiling allows.';
      const { used, freed, added, ceiling } = error;
      const what = cause === 'no-room-read' ? 'The chunk' : 'The summary';
      return `${what} would have brought the working context to ${used - freed + added} tokens, above the ceiling of ${ceiling}.`;
    }
    case 'abstained':
      return 'The agent abstained.';
    case 'gave-up':
      return `The agent answered ${quoted}, which counts as a wrong answer here.`;
    case 'guessed':
      return `The answer ${quoted} was given without reading a chunk.`;
    case 'answer-form':
      return `The right value ${instance.answer} stands in the answer, but not in a form that counts.`;
    case 'stopped-at-bridge':
      return `${quoted} is only the ${describe(link)}: the chain goes on from there.`;
    case 'superseded':
    case 'twin':
    case 'near-miss-value':
      return distractorSentence(last, answer ?? '');
    case 'wrong-field':
      return `${quoted} stands in the right entry, but the question asks for the ${instance.answer_type.toLowerCase()}.`;
    case 'other-value':
      return `${quoted} is not what the chain leads to: ${instance.answer}.`;
    case 'interface':
      return `At least half of the steps held no action, the first of them step ${step}.`;
    case 'lost-bridge':
      return `Step ${step} threw away the ${describe(link)}, ${link?.value}, before it was used.`;
    case 're-reading':
      return `At least half of the reads loaded a chunk that had been read before, the first of them in step ${step}.`;
    case 'no-read':
      return 'No chunk was ever read.';
    case 'wandering':
      return `Reads went to chunks that were not needed, the first of them in step ${step}.`;
    case 'too-slow':
      return `The step budget of ${settings.stepBudget} was spent before the answer was given.`;
  }
}

/** Which distractor a wrong answer repeats, in one sentence; `answer` must be one. */
export function distractorSentence({ instance }: State, answer: string): string {
  const distractor = capturedBy(instance, answer);
  const quoted = shorten(answer);
  if (distractor === null) return `${quoted} is not the right answer.`;
  const { kind, hop, entity, value } = distractor;
  const link = instance.evidence[hop];
  const field = link?.field.toLowerCase() ?? 'value';
  switch (kind) {
    case 'superseded_value':
      return `${quoted} is the superseded ${field} of ${entity}.`;
    case 'superseded_link':
      return `${quoted} comes from the superseded ${field} of ${entity}, ${value}.`;
    case 'near_miss_entity':
      return `${quoted} comes from ${entity}, a twin of ${link?.entity}.`;
    default:
      return `${quoted} is the ${field} of ${entity}, which stands beside ${link?.entity}.`;
  }
}

/** What a hop finds, e.g. `lead of Coral Gull`. */
function describe(link: Evidence | undefined): string {
  return link === undefined ? 'link' : `${link.field.toLowerCase()} of ${link.entity}`;
}

/** A text of an agent as it stands in a sentence; long ones are cut. */
function shorten(text: string): string {
  return text.length > 60 ? `"${text.slice(0, 60)}…"` : `"${text}"`;
}
