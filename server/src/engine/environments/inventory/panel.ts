/** What the episode panel shows: what is carried, and turn by turn what is true. */
import type { Panel, PanelRow, PanelSection } from '../panel.ts';
import { setText } from './describe.ts';
import { type Instance, operationsOf, printOperation, truthsOf } from './instance.ts';
import type { State } from './state.ts';
import { firstWrongTurn, gradeTurn } from './turns.ts';

/** Rows and characters that are shown of an episode: a view is to stay small. */
const most = { rows: 60, text: 160, chunk: 2_000 };

export const panel: Panel<Instance, State> = {
  layout: ({ chunks }) => ({
    task: `Keep an inventory through ${chunks.length} chunks of noise, knowing nothing but what was reported last.`,
    sections: [],
    chunks: [],
    gestures: [
      { on: 'episode', label: 'Report', reply: '<answer>{text}</answer>', asks: 'Items, with commas' },
    ],
    evidence: [],
    distractors: [],
  }),
  view: (state) => ({
    gauge: null,
    budget: { used: state.turns.length, limit: state.instance.chunks.length, unit: 'chunks' },
    map: null,
    ledger: [],
    sections: sectionsOf(state),
  }),
  text: () => null,
};

function sectionsOf(state: State): PanelSection[] {
  const { instance, carried, turns } = state;
  const chunk = instance.chunks[turns.length];
  const wrong = firstWrongTurn(state);
  const columns = ['turn', 'operations', 'reported', 'true'];
  return [
    {
      kind: 'lines',
      title: 'Carried',
      lines: carried.slice(0, most.rows).map((text) => ({ text: cut(text), mark: 'plain', detail: '' })),
    },
    ...(chunk === undefined
      ? []
      : [
          {
            kind: 'text',
            title: `Chunk ${turns.length + 1} of ${instance.chunks.length}`,
            text: chunk.length > most.chunk ? `${chunk.slice(0, most.chunk)}…` : chunk,
          } as const,
        ]),
    {
      kind: 'table',
      title: wrong === null ? 'Reported and true' : `Reported and true: off since turn ${wrong}`,
      privileged: true,
      columns,
      rows: rowsOf(state).slice(-most.rows),
    },
  ];
}

function rowsOf(state: State): PanelRow[] {
  const { instance, turns } = state;
  const truths = truthsOf(instance);
  return turns.map(({ reported, tooLong }, at) => {
    const graded = gradeTurn(state, at);
    const isRight = graded !== null && graded.missing.length + graded.extra.length === 0;
    const operations = operationsOf(instance, at).map(printOperation).join(' ');
    const nothing = tooLong ? 'answer block too long' : 'no answer block';
    const said = reported === null ? nothing : setText(reported);
    return {
      cells: [String(at + 1), cut(operations), cut(said), cut(setText(truths[at] ?? []))],
      mark: isRight ? 'good' : 'bad',
    };
  });
}

function cut(text: string): string {
  return text.length > most.text ? `${text.slice(0, most.text)}…` : text;
}
