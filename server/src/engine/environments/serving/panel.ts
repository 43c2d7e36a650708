/** An episode as the episode panel shows it: the conversation's calls, what they changed, and what should have come of it. */
import type { Panel, PanelCall, PanelRow, PanelSection } from '../panel.ts';
import { bulletin } from './bulletin.ts';
import type { Difference } from './database.ts';
import type { Instance } from './instance.ts';
import { verdictForm } from './pitch/form.ts';
import { actionText } from './record.ts';
import type { State, Turn } from './state.ts';
import { worldDifferences } from './toolbox.ts';
import { expectedWorld } from './verify.ts';
import type { EpisodeWorld } from './world.ts';

/** Longest text that is shown of one observation or value; more is in the transcript. */
const longest = 600;

/** Calls shown, the newest ones. */
const mostCalls = 12;

export const panel: Panel<Instance, State> = {
  layout: ({ instruction }) => ({
    task: instruction,
    sections: [],
    chunks: [],
    gestures: [],
    evidence: [],
    distractors: [],
  }),
  view: (state) => ({
    gauge: null,
    budget: { used: state.replies, limit: state.options.turns, unit: 'replies' },
    map: null,
    ledger: [],
    sections: [
      calls(state),
      ...changes('Changed so far', state.clean, state.world, false),
      ...told(state),
      rules(state),
      ...expected(state),
      ...marks(state),
    ],
  }),
  text: () => null,
  verdict: verdictForm,
};

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function calls({ turns, calls: used, options }: State): PanelSection {
  return {
    title: `Calls (${used} of ${options.tool_calls})`,
    kind: 'calls',
    calls: turns.slice(-mostCalls).map(callOf),
  };
}

function callOf(turn: Turn): PanelCall {
  return {
    name: turn.name ?? actionText(turn),
    arguments: turn.args === null ? '' : cut(JSON.stringify(turn.args)),
    observation: cut(turn.observation),
    mark: turn.kind === 'invalid' || !turn.ok ? 'bad' : 'plain',
  };
}

/** Rows that differ, field by field. */
function changes(
  title: string,
  before: EpisodeWorld,
  after: EpisodeWorld,
  privileged: boolean,
): readonly PanelSection[] {
  const rows = worldDifferences(before, after).flatMap(rowsOf);
  if (rows.length === 0) return [];
  const columns = privileged ? ['row', 'field', 'expected', 'is'] : ['row', 'field', 'before', 'after'];
  return [{ title, kind: 'table', columns, rows, ...(privileged ? { privileged } : {}) }];
}

function rowsOf({ id, before, after }: Difference): PanelRow[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return fields
    .map((field) => [field, JSON.stringify(old[field]) ?? '–', JSON.stringify(now[field]) ?? '–'] as const)
    .filter(([, a, b]) => a !== b)
    .map(([field, a, b]) => ({ cells: [id, field, cut(a), cut(b)], mark: 'plain' }));
}

function fieldsOf(row: unknown): Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}

function told({ options }: State): readonly PanelSection[] {
  if (options.context === '') return [];
  return [{ title: 'Told by the method', kind: 'text', text: cut(options.context) }];
}

function rules({ instance }: State): PanelSection {
  const { category, evaluator, window } = instance;
  const line = `${category.replace('_', ' ')} (${evaluator.slice}, ${evaluator.family}), window ${window}`;
  return { title: 'Hidden policy', privileged: true, kind: 'text', text: `${line}\n${bulletin(instance)}` };
}

/** How the world differs from what it should be; what the finish should say. */
function expected({ instance, world, verified }: State): readonly PanelSection[] {
  const { answer } = instance.evaluator;
  if (answer.kind === 'pitch') return [];
  const finish: PanelSection = {
    title: 'Expected finish',
    privileged: true,
    kind: 'lines',
    lines: [
      {
        text:
          answer.kind === 'refuse'
            ? `refuse: ${answer.reasons.join(' or ')}`
            : answer.kind === 'value'
              ? String(answer.expect)
              : 'done',
        mark: verified === null ? 'plain' : verified.answer ? 'good' : 'bad',
        detail: '',
      },
    ],
  };
  return [...changes('Differs from what it should be', expectedWorld(instance), world, true), finish];
}

function marks({ instance, pitch, badVerdicts }: State): readonly PanelSection[] {
  const { own } = instance;
  if (pitch === null && badVerdicts > 0) {
    const text = `${badVerdicts} so far. A verdict marks every fact and lists what was invented.`;
    return [{ title: 'Verdicts that cannot be read', kind: 'text', text }];
  }
  if (own.domain !== 'pitch' || pitch === null) return [];
  const names: Readonly<Record<string, string>> = { M: 'mentioned', C: 'denied', N: 'not addressed' };
  const rows = own.sheet.facts.map(({ attribute, line }, at): PanelRow => {
    const mark = pitch.marks[at] ?? 'N';
    return { cells: [attribute, line, names[mark] ?? ''], mark: mark === 'C' ? 'bad' : 'plain' };
  });
  const invented = pitch.invented.map((claim): PanelRow => ({ cells: ['', claim, 'invented'], mark: 'bad' }));
  return [
    {
      title: `Judged by ${pitch.judge}: ${pitch.points.score.toFixed(1)} points`,
      kind: 'table',
      columns: ['fact', 'line', 'verdict'],
      rows: [...rows, ...invented],
    },
  ];
}
