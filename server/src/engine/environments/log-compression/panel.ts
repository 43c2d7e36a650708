/** What the episode panel shows: the output against the reference's size, and line by line what was kept, lost and invented. */
import type { Panel, PanelLine, PanelMark, PanelSection } from '../panel.ts';
import { lossPhrase, shortened } from './causes.ts';
import { referenceTokens } from './commentary.ts';
import type { Instance } from './instance.ts';
import { type Review, type ReviewedLine, reviewOf } from './review.ts';
import { scoreOf } from './scored.ts';
import { estimateTokens, type Score } from './scoring.ts';
import type { State } from './state.ts';

/** Keeps a view below some ten kilobytes. */
const mostLines = 50;
const longestLine = 120;

const OUTPUT = 'output';

export const panel: Panel<Instance, State> = {
  layout: ({ raw }) => ({
    task: `Compress a log of ${estimateTokens(raw)} tokens and keep every critical line.`,
    sections: [],
    chunks: [],
    gestures: [{ on: 'episode', label: 'Compress', reply: '{text}', asks: 'Compressed log' }],
    evidence: [],
    distractors: [],
  }),
  view(state) {
    const { instance, candidate } = state;
    const score = scoreOf(state);
    const review = reviewOf(state);
    const used = score?.candidateTokens ?? 0;
    const detail = `ratio ${score?.ratio.toFixed(3) ?? ''}`;
    return {
      gauge: {
        title: 'Size against the Reference',
        used,
        limit: referenceTokens(instance),
        unit: 'tokens',
        items: score === null ? [] : [{ id: OUTPUT, kind: 'summary', size: used, detail }],
      },
      budget: { used: candidate === null ? 0 : 1, limit: 1, unit: 'steps' },
      map: null,
      ledger: [],
      sections:
        score === null || review === null || candidate === null
          ? [{ title: 'Log', kind: 'text', text: shortened(instance.raw, 6000) }]
          : [scoreSection(instance, score), criticalSection(review), outputSection(review, candidate)],
    };
  },
  text: ({ candidate }, id) => (id === OUTPUT ? candidate : null),
};

function scoreSection({ reference_ratio, ideal_ratio }: Instance, score: Score): PanelSection {
  const row = (cells: readonly string[], mark: PanelMark = 'plain') => ({ cells, mark });
  const holds = score.missing.length === 0;
  return {
    title: 'Gates',
    kind: 'table',
    columns: ['', 'value'],
    rows: [
      row(['fidelity gate', holds ? 'holds' : `fails: ${score.missing.length} lost`], holds ? 'good' : 'bad'),
      row(['ratio', score.ratio.toFixed(4)]),
      row(['reference ratio', reference_ratio.toFixed(4)]),
      row(['ideal ratio', ideal_ratio.toFixed(4)]),
      row(['scale', score.branch === 'headroom' ? 'reference less ideal' : 'reference alone']),
      row(['score of the length', score.score.toFixed(4)]),
      row(['reward', score.reward.toFixed(4)], score.reward > 0 ? 'good' : 'bad'),
    ],
  };
}

function criticalSection({ contents }: Review): PanelSection {
  const lines = contents.slice(0, mostLines).map(({ content, line, times, loss, at }): PanelLine => {
    const where = `line ${line}${times > 1 ? `, ${times} times` : ''}`;
    const fate = loss === null ? '' : `; ${lossPhrase(loss, at === null ? null : at + 1)}`;
    return {
      text: shortened(content, longestLine),
      mark: loss === null ? 'good' : 'bad',
      detail: `${loss === null ? 'kept' : 'lost'}, ${where}${fate}`,
    };
  });
  return {
    title: 'Critical lines',
    privileged: true,
    kind: 'lines',
    lines: withRest(lines, contents.length),
  };
}

/** What a line of the output is, and whether that is as it should be. */
const kinds: Readonly<Record<ReviewedLine['kind'], readonly [mark: PanelMark, detail: string]>> = {
  critical: ['good', 'critical'],
  repeat: ['bad', 'said before'],
  other: ['bad', 'not critical'],
  damaged: ['bad', 'what is left of a critical line'],
  invented: ['bad', 'not in the log'],
  blank: ['plain', 'blank'],
};

function outputSection({ lines }: Review, candidate: string): PanelSection {
  const shown = lines.slice(0, mostLines).map(({ start, end, kind }): PanelLine => {
    const [mark, detail] = kinds[kind];
    return { text: shortened(candidate.slice(start, end), longestLine), mark, detail };
  });
  return { title: 'Output', privileged: true, kind: 'lines', lines: withRest(shown, lines.length) };
}

function withRest(lines: readonly PanelLine[], all: number): readonly PanelLine[] {
  const left = all - lines.length;
  return left === 0 ? lines : [...lines, { text: `… ${left} more`, mark: 'plain', detail: '' }];
}
