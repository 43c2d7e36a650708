/** A navigator episode as the episode panel shows it. */
import type { Panel, PanelItem, PanelLayout, PanelNote } from '../panel.ts';
import type { Instance } from './instance.ts';
import { mapLineOf } from './map.ts';
import { frontierOf } from './progress.ts';
import type { HeldItem, State } from './state.ts';

export const panel: Panel<Instance, State> = {
  layout,
  view(state) {
    const { held, used, settings, steps, reads, notes } = state;
    const heldChunks = held.flatMap(({ kind, id }) => (kind === 'chunk' ? [Number(id)] : []));
    const seen = new Set(heldChunks);
    return {
      gauge: {
        used,
        limit: settings.contextCeiling,
        unit: 'tokens',
        items: held.map((item) => itemOf(state, item)),
      },
      budget: { used: steps, limit: settings.stepBudget, unit: 'steps' },
      map: {
        held: heldChunks,
        dropped: [...new Set(reads)].filter((number) => !seen.has(number)),
        wanted: wantedChunk(state),
      },
      ledger: notes.map(
        ({ id, sources, text, step }): PanelNote => ({
          id,
          detail: `from ${sources.join(', ')}, step ${step}`,
          text,
        }),
      ),
      sections: [],
    };
  },
  text({ held, reads, notes, instance }, id) {
    const item = held.find((candidate) => candidate.id === id);
    if (item !== undefined) return item.text;
    const note = notes.find((made) => made.id === id);
    if (note !== undefined) return note.text;
    const chunk = instance.chunks[Number(id)];
    return chunk !== undefined && reads.includes(chunk.idx) ? chunk.text : null;
  },
};

function layout(instance: Instance): PanelLayout {
  const { question, chunks, evidence, distractors } = instance;
  const sections = [...new Set(chunks.map(({ section }) => section))];
  return {
    task: question,
    sections,
    chunks: chunks.map(({ idx, section, header, tokens }) => ({
      number: idx,
      section: sections.indexOf(section),
      name: header,
      cost: tokens,
    })),
    gestures: [
      { on: 'chunk', label: 'Read', reply: 'ACTION: READ {ids}', asks: null },
      { on: 'held', label: 'Drop', reply: 'ACTION: DROP {ids}', asks: null },
      { on: 'held', label: 'Compress', reply: 'ACTION: COMPRESS {ids} :: {text}', asks: 'Summary' },
      { on: 'episode', label: 'Answer', reply: 'ACTION: ANSWER {text}', asks: 'Answer' },
    ],
    evidence: numbers(evidence),
    distractors: numbers(distractors),
  };
}

function numbers(places: readonly { readonly chunk_idx: number }[]): number[] {
  return [...new Set(places.map(({ chunk_idx }) => chunk_idx))].sort((a, b) => a - b);
}

function itemOf({ instance }: State, { id, kind, tokens, text, sources }: HeldItem): PanelItem {
  const detail =
    kind === 'summary'
      ? `from ${sources.join(', ')}: ${text}`
      : (mapLineOf(instance, Number(id)) ?? text.split('\n', 1)[0] ?? '');
  return { id, kind, size: tokens, detail: detail.length > 300 ? `${detail.slice(0, 300)}…` : detail };
}

/** The chunk with the first hop that is not known yet. */
function wantedChunk(state: State): number | null {
  if (state.ended !== null) return null;
  return state.instance.evidence[frontierOf(state)]?.chunk_idx ?? null;
}
