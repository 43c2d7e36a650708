/** A session as text, so that it survives a reload of the window or the end of the server. */
import type { Event } from '../../environments/chat.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import { asCount, asFields, asList, asText } from '../formats/json-fields.ts';
import { readEvent } from '../formats/read-step-line.ts';
import type { SessionPromptText } from './view.ts';

/** Where the instance of a session comes from. */
export type SessionOrigin =
  | { readonly kind: 'instance'; readonly uri: string }
  | { readonly kind: 'run'; readonly folder: string; readonly task: number };

/** An edge of the tree; nodes are numbered from 1 in this order, and 0 is the start. */
export interface KeptStep {
  readonly parent: number;
  readonly event: Event;
  readonly by: string;
  /** Position in {@link KeptSession.prompts}. */
  readonly prompt: number;
}

export interface KeptSession {
  readonly origin: SessionOrigin;
  /** As they were given; what the origin says when null. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** Every version of the step prompt, the one in force last; null for none. */
  readonly prompts: readonly (SessionPromptText | null)[];
  readonly steps: readonly KeptStep[];
  readonly at: number;
}

export function printKeptSession(session: KeptSession): string {
  return JSON.stringify({ version: 1, ...session });
}

/** Reads what {@link printKeptSession} wrote; the error is a sentence. */
export function parseKeptSession(text: string): Checked<KeptSession> {
  const wrong = refuse('What was kept of this episode cannot be read any more; open it anew.');
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return wrong;
  }
  const fields = asFields(raw);
  const origin = readOrigin(fields['origin']);
  const steps = asList(fields['steps']).map(readStep);
  const known = steps.filter((step) => step !== null);
  const at = asCount(fields['at']);
  const prompts = asList(fields['prompts']).map(readPrompt);
  const isSound =
    known.length === steps.length &&
    known.every(({ parent, prompt }, index) => parent <= index && prompt < Math.max(1, prompts.length));
  if (origin === null || at === null || at > steps.length || !isSound) return wrong;
  const options = fields['options'] === null ? null : asFields(fields['options']);
  return accept({ origin, options, prompts: prompts.length > 0 ? prompts : [null], steps: known, at });
}

function readOrigin(value: unknown): SessionOrigin | null {
  const { kind, uri, folder, task } = asFields(value);
  if (kind === 'instance') return typeof uri === 'string' ? { kind, uri } : null;
  const number = asCount(task);
  return kind === 'run' && typeof folder === 'string' && number !== null
    ? { kind, folder, task: number }
    : null;
}

function readPrompt(value: unknown): SessionPromptText | null {
  const { uri, name, text } = asFields(value);
  if (typeof name !== 'string' || typeof text !== 'string') return null;
  return { uri: asText(uri), name, text };
}

function readStep(value: unknown): KeptStep | null {
  const fields = asFields(value);
  const event = readEvent(asFields(fields['event']));
  const parent = asCount(fields['parent']);
  if (event === null || parent === null) return null;
  return { parent, event, by: asText(fields['by']) ?? '', prompt: asCount(fields['prompt']) ?? 0 };
}
