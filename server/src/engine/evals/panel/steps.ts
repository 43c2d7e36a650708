/** An episode step by step, as a pane shows it: beginnings of texts, and how long they are. */
import type { ChatMessage, Event, FinishReason, Usage } from '../../environments/chat.ts';
import type { Gauge } from '../../environments/commentary.ts';
import type { AnyInstance, Environment } from '../../environments/environment.ts';
import { beginning, clip } from '../../text/clip.ts';
import { type ReplyKind, replyKind } from '../model.ts';
import type { Asker } from '../responder.ts';
import type { AskedMessage, AskedReply } from './conversation.ts';

/** The beginning of a text; all of it when it is as long as `length`, in UTF-16 code units. */
export interface TextStart {
  readonly text: string;
  readonly length: number;
}

/** How a reply was had, where the run tells. */
export interface StepCost {
  readonly requests: number;
  readonly cached: boolean;
  /** From asking to having it. */
  readonly ms: number;
}

export interface PanelStep {
  /** From 1; a verdict has that of the reply before it. */
  readonly step: number;
  readonly kind: 'reply' | 'verdict';
  /** What the step did in a few words, e.g. `READ 12`; null where that is not known. */
  readonly label: string | null;
  /** What was asked: all of it for a stateless agent, otherwise what came since the last reply. */
  readonly asked: readonly { readonly role: string; readonly length: number }[];
  /** Of a verdict its value. */
  readonly text: TextStart;
  readonly reasoning: number;
  readonly calls: readonly { readonly name: string; readonly arguments: TextStart }[];
  readonly became: ReplyKind;
  readonly finish: FinishReason | null;
  readonly usage: Usage | null;
  /** What is to be said about it. */
  readonly notes: readonly { readonly severity: 'error' | 'warning' | 'info'; readonly message: string }[];
  /** After the step. */
  readonly gauge: Gauge | null;
  /** The environment's own row of what the step did; values as JSON. */
  readonly record: readonly (readonly [key: string, value: string])[];
  readonly cost: StepCost | null;
}

/** A step with its whole texts, from which {@link PanelStep} and {@link textOfPart} are made. */
export interface FullStep {
  readonly event: Event;
  readonly asked: readonly AskedMessage[];
  readonly label: string | null;
  readonly notes: PanelStep['notes'];
  readonly gauge: Gauge | null;
  readonly record: PanelStep['record'];
  readonly cost: StepCost | null;
}

/** Which text of a step is meant: a number is the place of a message or a call. */
export type StepPart =
  | { readonly kind: 'text' | 'reasoning' }
  | { readonly kind: 'asked' | 'call'; readonly at: number };

const firstPortion = 3000;
const mostNotes = 12;
const longestNote = 500;

/** The steps of an episode that can be played again. */
export function playedSteps<I extends AnyInstance, O, S>(
  environment: Environment<I, O, S>,
  states: readonly S[],
  events: readonly Event[],
  ask: Asker<S> | null,
  costs: readonly (StepCost | null)[],
): readonly FullStep[] {
  const { commentary, records } = environment;
  return events.flatMap((event, at): FullStep[] => {
    const [before, after] = [states[at], states[at + 1]];
    if (before === undefined || after === undefined) return [];
    const isReply = event.kind === 'reply';
    const question = isReply && ask !== null ? ask(before) : null;
    return [
      {
        event,
        asked: (question?.messages ?? []).map(toAsked),
        label: isReply ? (commentary?.label(after) ?? null) : null,
        notes: event.kind === 'reply' ? (commentary?.notes(before, event, after) ?? []) : [],
        gauge: commentary?.gauge?.(after) ?? null,
        record: Object.entries(records?.step(after) ?? {}).map(([key, value]) => [
          key,
          clip(JSON.stringify(value) ?? 'null', longestNote),
        ]),
        cost: costs[at] ?? null,
      },
    ];
  });
}

function toAsked(message: ChatMessage): AskedMessage {
  return { role: message.role, content: message.content };
}

/** The steps of an episode that can only be read. */
export function readSteps(steps: readonly AskedReply[]): readonly FullStep[] {
  return steps.map(({ asked, reply }) => ({ event: reply, asked, ...nothingMore }));
}

/** The same from events alone. */
export function saidSteps(
  events: readonly Event[],
  costs: readonly (StepCost | null)[],
): readonly FullStep[] {
  return events.map((event, at) => ({ event, asked: [], ...nothingMore, cost: costs[at] ?? null }));
}

const nothingMore = { label: null, notes: [], gauge: null, record: [], cost: null };

/** Every step as a pane shows it. */
export function panelSteps(steps: readonly FullStep[]): readonly PanelStep[] {
  let number = 0;
  return steps.map((full) => {
    const { event, asked, label, notes, gauge, record, cost } = full;
    if (event.kind === 'reply') number++;
    const reply = event.kind === 'reply' ? event : null;
    return {
      step: Math.max(1, number),
      kind: event.kind,
      label: label === null ? null : clip(label, 160),
      asked: asked
        .slice(0, 200)
        .map(({ role, content }) => ({ role: clip(role, 20), length: content.length })),
      text: startOf(textOfPart(full, { kind: 'text' }) ?? ''),
      reasoning: reply?.reasoning?.length ?? 0,
      calls: (reply?.toolCalls ?? []).slice(0, 20).map(({ name, arguments: given }) => ({
        name: clip(name, 80),
        arguments: startOf(given, 500),
      })),
      became: reply === null ? 'reply' : replyKind(reply),
      finish: reply?.finish ?? null,
      usage: reply?.usage ?? null,
      notes: notes
        .slice(0, mostNotes)
        .map(({ severity, message }) => ({ severity, message: clip(message, longestNote) })),
      gauge,
      record,
      cost,
    };
  });
}

function startOf(text: string, most: number = firstPortion): TextStart {
  return { text: beginning(text, 0, most), length: text.length };
}

/** The whole of a text; null when the step has none such. */
export function textOfPart({ event, asked }: FullStep, part: StepPart): string | null {
  if (part.kind === 'asked') return asked[part.at]?.content ?? null;
  if (event.kind === 'verdict') {
    return part.kind === 'text' ? `${event.judge}: ${JSON.stringify(event.value) ?? 'null'}` : null;
  }
  if (part.kind === 'reasoning') return event.reasoning ?? null;
  if (part.kind === 'call') return event.toolCalls?.[part.at]?.arguments ?? null;
  return event.text;
}
