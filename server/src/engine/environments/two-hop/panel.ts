/** A two-hop episode as the episode panel shows it: the question, the two hops, and how the reply is scored. */
import type { Panel, PanelMark, PanelSection } from '../panel.ts';
import { priorLine, scoring } from './describe.ts';
import { otherAnswers } from './grade.ts';
import { hazardsOf } from './hazards.ts';
import type { Instance } from './instance.ts';
import type { State } from './state.ts';

export const panel: Panel<Instance, State> = {
  layout: ({ question }) => ({
    task: question,
    sections: [],
    chunks: [],
    gestures: [{ on: 'episode', label: 'Answer', reply: '{text}', asks: 'Answer' }],
    evidence: [],
    distractors: [],
  }),
  view: (state) => ({
    gauge: null,
    budget: { used: state.answered === null ? 0 : 1, limit: 1, unit: 'replies' },
    map: null,
    ledger: [],
    sections: [instruction(state), ...score(state), hops(state), hazards(state)],
  }),
  text: () => null,
};

function instruction({ instance }: State): PanelSection {
  return { title: 'Instruction of the data', kind: 'text', text: instance.system };
}

/** Beside every score what one gets without knowing anything. */
function score(state: State): readonly PanelSection[] {
  const { answered, instance } = state;
  if (answered === null) return [];
  const rows = scoring(state).map(({ label, value }) => ({ cells: [label, value], mark: 'plain' as const }));
  const others = otherAnswers(instance, answered.reply);
  const section: PanelSection = { title: 'Score', kind: 'table', columns: ['figure', 'value'], rows };
  if (others.length === 0) return [section];
  const lines = others.map((text) => ({ text, mark: 'bad' as const, detail: '' }));
  return [section, { title: 'Other answers that are named', privileged: true, kind: 'lines', lines }];
}

function hops({ instance, answered }: State): PanelSection {
  const { person, bridge, answer, split } = instance;
  // Nobody asks for the bridge entity where the answer is to come at once.
  const named = answered?.grade.first_hop_mentioned;
  const first = split !== 'cot' && named === 0 ? undefined : named;
  const markOf = (figure: number | undefined): PanelMark =>
    figure === 1 ? 'good' : figure === 0 ? 'bad' : 'plain';
  return {
    title: 'Hops',
    privileged: true,
    kind: 'table',
    columns: ['from', 'to'],
    rows: [
      { cells: [person ?? '?', bridge ?? 'unknown'], mark: markOf(first) },
      { cells: [bridge ?? 'unknown', answer], mark: markOf(answered?.grade.correct) },
    ],
  };
}

function hazards({ instance }: State): PanelSection {
  const lines = hazardsOf(instance).map(({ code, description }) => ({
    text: description,
    mark: 'plain' as const,
    detail: code,
  }));
  const prior = { text: `The ${priorLine(instance)}.`, mark: 'plain' as const, detail: 'prior' };
  return { title: 'What the score is worth', privileged: true, kind: 'lines', lines: [prior, ...lines] };
}
