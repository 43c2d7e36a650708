/**
 * The files of the data: lines of JSON with a question and its answer as the three messages of a chat. The assistant's
 * message is the answer. It is read for scoring and is never part of what a model is sent.
 */
import { accept, type Checked, refuse } from '../../problem.ts';

export interface Row {
  readonly system: string;
  readonly question: string;
  readonly answer: string;
}

/** Reads one file; the error names the line, e.g. `line 3 is not valid JSON`. */
export function parseRows(text: string): Checked<readonly Row[]> {
  const rows: Row[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '') continue;
    let raw: unknown;
    try {
      raw = JSON.parse(line);
    } catch {
      return refuse(`line ${at + 1} is not valid JSON`);
    }
    const row = rowOf(raw);
    if (row === null) {
      return refuse(`line ${at + 1} is no question with the messages of system, user and assistant`);
    }
    rows.push(row);
  }
  return accept(rows);
}

function rowOf(raw: unknown): Row | null {
  if (!isRecord(raw)) return null;
  const { messages, question, answer } = raw;
  if (!Array.isArray(messages) || messages.length !== 3) return null;
  const system = contentOf(messages[0], 'system');
  const user = contentOf(messages[1], 'user');
  const assistant = contentOf(messages[2], 'assistant');
  if (system === null || user === null || assistant === null) return null;
  // Both are said twice; where they differ nobody knows what is meant.
  if (question !== user || answer !== assistant) return null;
  return { system, question: user, answer: assistant };
}

function contentOf(message: unknown, role: string): string | null {
  if (!isRecord(message) || message['role'] !== role) return null;
  const { content } = message;
  return typeof content === 'string' ? content : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const askedPerson = /^Consider (?:the .+? (?:where (.+?) works|that (.+?) owns)|(.+?)'s favorite .+?)\. /;
const toldPerson = /^(?:What is (.+?)'s favorite .+|(?:What|Which) .+? does (.+?) (?:work at|own))\?$/;

/** Whom a question of two hops is about; null when it has another shape. */
export function personAsked(question: string): string | null {
  return firstGroup(askedPerson.exec(question));
}

/** Whom a question of the first hop alone is about; null when it has another shape. */
export function personTold(question: string): string | null {
  return firstGroup(toldPerson.exec(question));
}

function firstGroup(match: RegExpExecArray | null): string | null {
  return match?.slice(1).find((group) => group !== undefined) ?? null;
}
