/** A model as the judge of pitches: what it is asked, and what it must answer. */
import pitch from '../../../../../../prompts/serving/pitch.json' with { type: 'json' };
import type { Checked } from '../../../problem.ts';
import { accept, refuse } from '../../../problem.ts';
import type { ChatMessage } from '../../chat.ts';
import { fill } from '../fill.ts';
import type { Judgement } from './lexicon.ts';
import type { Mark } from './rubric.ts';
import type { Sheet } from './tastes.ts';

const labels: Readonly<Record<string, string>> = pitch.labels;

/** What a model is asked. It is to be asked at temperature 0. */
export function judgeMessages({ facts }: Sheet, text: string): ChatMessage[] {
  const lines = facts.map(({ attribute, line }) =>
    fill(pitch.judge.fact, { id: attribute, label: labels[attribute] ?? attribute, line }),
  );
  return [
    { role: 'system', content: pitch.judge.system },
    { role: 'user', content: fill(pitch.judge.user, { facts: lines.join('\n'), pitch: text }) },
  ];
}

/**
 * Reads a verdict: the model's text, or an object of the same shape. One that leaves out a fact or the list is an error
 * and never a score of 0.
 */
export function readVerdict({ facts }: Sheet, value: unknown): Checked<Judgement> {
  const raw = typeof value === 'string' ? parse(value) : value;
  if (!isRecord(raw)) return refuse('the judge gave no JSON object');
  const { verdicts, invented } = raw;
  if (!isRecord(verdicts)) return refuse('the judge gave no verdicts');
  if (!Array.isArray(invented) || !invented.every((it) => typeof it === 'string')) {
    return refuse('the judge gave no list of invented claims');
  }
  const marks: Mark[] = [];
  for (const { attribute } of facts) {
    const mark = Object.hasOwn(verdicts, attribute) ? verdicts[attribute] : undefined;
    if (mark !== 'M' && mark !== 'C' && mark !== 'N')
      return refuse(`the judge gave no verdict on ${attribute}`);
    marks.push(mark);
  }
  return accept({ marks, invented });
}

/** The first JSON object in a text: models like to put words or a fence around it. */
function parse(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return null;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
