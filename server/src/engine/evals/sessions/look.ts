/** What there is to see where a session stands. */
import type { Reply, ToolCall } from '../../environments/chat.ts';
import type { Note } from '../../environments/commentary.ts';
import type { Environment, Outcome } from '../../environments/environment.ts';
import type { PanelLayout, PanelView } from '../../environments/panel.ts';
import { replyNotes } from '../reply-notes.ts';
import { promptOf, type Session } from './session.ts';
import { branchOf, lanesOf, leavesOf, nodeOf, partBranches, type SessionNode } from './tree.ts';
import type {
  SessionComparison,
  SessionEnd,
  SessionNote,
  SessionOpened,
  SessionOutcome,
  SessionPoint,
  SessionSide,
  SessionStep,
  SessionView,
  TextPortion,
} from './view.ts';

/** UTF-16 code units of one portion of a long text: however they are written as JSON, it stays below 256 kB. */
const portionLength = 40_000;

/** Of texts that come with every view. */
const firstLength = 8_000;
const mostNotes = 20;
const shownEnds = 100;
/** Bytes of JSON that an environment's own part of a view may have. */
const panelRoom = 120_000;

/** A portion of `text` from `from` on; it never ends within a surrogate pair. */
export function portionOf(text: string, from: number, length = portionLength): TextPortion {
  let end = Math.min(text.length, from + length);
  if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
  return { text: text.slice(from, end), next: end < text.length ? end : null };
}

/** The session as a person sees it when it has been opened. @param spoilers whether what is privileged is shown */
export function lookFirst(session: Session, spoilers: boolean): SessionOpened {
  const { environment, instance, uri } = session;
  const split = environment.splits.find(({ id, test }) => test && id === instance.split);
  const layout = environment.panel?.layout(instance) ?? null;
  return {
    environment: { id: environment.id, title: environment.title },
    instance: { id: instance.id, uri },
    testSplit: split?.id ?? null,
    minSteps: environment.minSteps(instance),
    layout: layout && shownLayout(layout, spoilers),
    policies: environment.policies.map(({ id, description, privileged }) => ({
      id,
      description,
      privileged,
    })),
    canAdvise: environment.commentary?.bestReplies !== undefined,
    view: look(session, spoilers),
  };
}

function shownLayout(layout: PanelLayout, spoilers: boolean): PanelLayout {
  return spoilers ? layout : { ...layout, evidence: [], distractors: [] };
}

/** Where the session stands. @param spoilers whether what is privileged is shown */
export function look(session: Session, spoilers: boolean): SessionView {
  const { environment, tree, forks } = session;
  const here = nodeOf(tree, tree.at);
  const outcome = environment.outcome(here.state);
  const need = environment.next(here.state);
  const prompt = promptOf(session);
  const lanes = lanesOf(tree);
  return {
    node: here.id,
    depth: here.depth,
    parent: here.parent,
    next: here.next,
    need: need.kind,
    tools: need.kind === 'reply' ? (need.tools ?? []).map(({ name }) => name) : [],
    verdict: need.kind === 'verdict' ? (environment.panel?.verdict?.(here.state) ?? null) : null,
    forks,
    outcome: shownOutcome(outcome),
    metrics: outcome.done ? shownMetrics(environment, outcome) : [],
    panel: panelOf(session, here, spoilers),
    step: stepOf(session, here, spoilers),
    branch: branchOf(tree).map((node) => pointOf(session, node, spoilers)),
    tree: tree.nodes.map(({ parent, depth, state }, id) => ({
      parent,
      depth,
      lane: lanes[id] ?? 0,
      isEnd: environment.next(state).kind === 'nothing',
    })),
    ends: leavesOf(tree)
      .slice(-shownEnds)
      .map((node) => endOf(session, node)),
    prompt: prompt && {
      name: prompt.source.name,
      uri: prompt.source.uri,
      model: prompt.prompt.model,
    },
  };
}

function endOf(session: Session, node: SessionNode): SessionEnd {
  const { done, reward } = session.environment.outcome(node.state);
  const { id, depth, by } = node;
  return { node: id, depth, by, label: labelOf(session, node), reward: done ? reward : null };
}

function shownOutcome({ done, reward, correct, stop, steps }: Outcome): SessionOutcome {
  return { done, reward, correct, stop, steps };
}

function shownMetrics({ metrics: known }: Environment, { metrics }: Outcome): SessionView['metrics'] {
  return known.flatMap(({ id, label, description }) => {
    const value = metrics[id];
    return typeof value === 'number' && Number.isFinite(value) ? [{ label, value, description }] : [];
  });
}

function panelOf({ environment }: Session, { state }: SessionNode, spoilers: boolean): PanelView | null {
  const view = environment.panel?.view(state);
  if (view === undefined) return null;
  const shown: PanelView = {
    ...view,
    map: view.map && { ...view.map, wanted: spoilers ? view.map.wanted : null },
    sections: view.sections.filter(({ privileged }) => spoilers || privileged !== true),
  };
  if (JSON.stringify(shown).length <= panelRoom) return shown;
  const title = 'Too much to show';
  const text =
    'What there is to see of this state is too large for the panel; look at the transcript instead.';
  return { ...shown, ledger: [], sections: [{ title, kind: 'text', text }] };
}

/** What was said in the step that led to a node; null at the start. */
function stepOf(session: Session, node: SessionNode, spoilers: boolean): SessionStep | null {
  const { event, by } = node;
  if (event === null) return null;
  const label = labelOf(session, node);
  const notes = notesOf(session, node, spoilers);
  if (event.kind === 'verdict') {
    const text = portionOf(JSON.stringify(event.value, null, 2) ?? '', 0, firstLength);
    const nothing = { reasoning: null, calls: [], finish: null, usage: null };
    return { label, by, kind: 'verdict', text, ...nothing, notes };
  }
  const { text, reasoning, toolCalls = [], finish = null, usage = null } = event;
  return {
    label,
    by,
    kind: 'reply',
    text: portionOf(text, 0, firstLength),
    reasoning: reasoning === undefined ? null : portionOf(reasoning, 0, firstLength),
    calls: shownCalls(toolCalls),
    finish,
    usage,
    notes,
  };
}

/** Calls of tools with the beginnings of their arguments. */
export function shownCalls(calls: readonly ToolCall[] = []): ToolCall[] {
  return calls.slice(0, 20).map((call) => ({ ...call, arguments: call.arguments.slice(0, 2000) }));
}

/** The step that led to a node in a few words. */
export function labelOf({ environment }: Session, { event, state }: SessionNode): string {
  if (event === null) return 'Start';
  if (event.kind === 'verdict') return `verdict of ${event.judge}`;
  const label = environment.commentary?.label(state) ?? firstLineOf(event);
  return label.length > 80 ? `${label.slice(0, 80)}…` : label;
}

function firstLineOf({ text, toolCalls = [] }: Reply): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '');
  return line?.trim() ?? (toolCalls.length > 0 ? toolCalls.map(({ name }) => name).join(', ') : '(empty)');
}

/**
 * What is to be said of steps, by the states they led to: the same whenever it is asked for, and asked for after every
 * step of their branch. Events will not do, since a policy may say the same object twice.
 */
const noted = new WeakMap<object, Map<boolean, readonly SessionNote[]>>();

/** What is wrong with a step, whether it was malformed or unwise. */
export function notesOf(session: Session, node: SessionNode, spoilers: boolean): readonly SessionNote[] {
  const { event, parent, state } = node;
  if (event?.kind !== 'reply' || parent === null) return [];
  const key = typeof state === 'object' && state !== null ? state : null;
  const known = key && noted.get(key)?.get(spoilers);
  if (known) return known;
  const before = nodeOf(session.tree, parent).state;
  const notes = shownNotes(replyNotes(session.environment, before, event, state), spoilers);
  if (key !== null) noted.set(key, (noted.get(key) ?? new Map()).set(spoilers, notes));
  return notes;
}

/** As the page shows them. */
export function shownNotes(notes: readonly Note[], spoilers: boolean): readonly SessionNote[] {
  return notes
    .filter(({ privileged }) => spoilers || privileged !== true)
    .slice(0, mostNotes)
    .map(({ severity, message }) => ({ severity, message: message.slice(0, 1000) }));
}

const severities = ['error', 'warning', 'info'] as const;

function worstOf(notes: readonly SessionNote[]): SessionNote['severity'] | null {
  return severities.find((severity) => notes.some((note) => note.severity === severity)) ?? null;
}

function pointOf(session: Session, node: SessionNode, spoilers: boolean): SessionPoint {
  return {
    node: node.id,
    depth: node.depth,
    label: labelOf(session, node),
    used: usedAt(session, node),
    worst: worstOf(notesOf(session, node, spoilers)),
  };
}

const used = new WeakMap<object, { readonly value: number | null }>();

/** What fills the gauge of the panel; what an environment counts without showing it there is of no interest. */
function usedAt({ environment }: Session, { state }: SessionNode): number | null {
  const { panel, commentary } = environment;
  if (panel === undefined) return commentary?.gauge?.(state).used ?? null;
  const key = typeof state === 'object' && state !== null ? state : null;
  const known = key && used.get(key);
  if (known) return known.value;
  const value = panel.view(state).gauge?.used ?? null;
  if (key !== null) used.set(key, { value });
  return value;
}

/** Two branches side by side, each given by one of its nodes. @throws RangeError when there is no such node */
export function compareBranches(
  session: Session,
  a: number,
  b: number,
  spoilers: boolean,
): SessionComparison {
  const { environment, tree } = session;
  const { together, left, right } = partBranches(tree, a, b);
  const side = (node: SessionNode | undefined): SessionSide | null =>
    node === undefined ? null : { ...pointOf(session, node, spoilers), by: node.by };
  const shared = together.at(-1)?.depth ?? 0;
  const pairs = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    depth: left[at]?.depth ?? right[at]?.depth ?? 0,
    left: side(left[at]),
    right: side(right[at]),
  }));
  const outcome = (id: number) => shownOutcome(environment.outcome(nodeOf(tree, id).state));
  return { together: shared, left: outcome(a), right: outcome(b), pairs: pairs.slice(0, 500) };
}
