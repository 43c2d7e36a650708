/** The columns of the table of episodes. */
import { html, type TemplateResult } from 'lit';
import type { EpisodeRow, RunFacts } from '../../../server/src/protocol.ts';
import { causeName, fixed, grouped, outcomeIcons, outcomeNames } from './format.ts';
import type { Model } from './model.ts';

export interface Column {
  /** As the query sorts. */
  readonly sort: string;
  readonly name: string;
  /** As in `grid-template-columns`. */
  readonly width: string;
  readonly isNumber: boolean;
  cell(row: EpisodeRow): TemplateResult | string;
}

/** The columns that the run has something for. */
export function columnsOf(model: Pick<Model, 'facts' | 'rows' | 'figures'>): readonly Column[] {
  const { facts, rows } = model;
  if (facts === null) return [];
  const hasTokens = some(rows, ({ tokens }) => tokens !== null);
  const hasNotes = some(rows, ({ note }) => note !== '');
  return [
    {
      sort: 'instance',
      name: 'Instance',
      width: 'minmax(112px, 2fr)',
      isNumber: false,
      cell: (row) => nameOf(row, facts.rollouts),
    },
    ...tellingGroupings(model).map(
      ({ id, label }): Column => ({
        sort: `group:${id}`,
        name: capital(label),
        width: 'minmax(44px, 1fr)',
        isNumber: true,
        cell: ({ groups }) => groupText(groups[id]),
      }),
    ),
    {
      sort: 'outcome',
      name: 'Outcome',
      width: 'minmax(92px, 1fr)',
      isNumber: false,
      cell: ({ outcome }) => outcomeView(outcome),
    },
    {
      sort: 'reward',
      name: 'Reward',
      width: '66px',
      isNumber: true,
      cell: ({ reward }) => fixed(reward),
    },
    {
      sort: 'steps',
      name: 'Steps / min',
      width: '84px',
      isNumber: true,
      cell: ({ steps, minSteps }) => (minSteps === null ? String(steps) : `${steps} / ${minSteps}`),
    },
    {
      sort: 'cause',
      name: 'Cause',
      width: 'minmax(110px, 2fr)',
      isNumber: false,
      cell: causeText,
    },
    ...(hasTokens ? [tokenColumn] : []),
    ...(hasNotes ? [noteColumn] : []),
  ];
}

/** Groupings by which episodes of the run can be told apart. */
export function tellingGroupings({
  facts,
  figures,
}: Pick<Model, 'facts' | 'figures'>): RunFacts['groupings'] {
  if (figures === null) return facts?.groupings ?? [];
  return figures.groups.filter(({ values }) => values.length > 1);
}

const tokenColumn: Column = {
  sort: 'tokens',
  name: 'Tokens',
  width: '80px',
  isNumber: true,
  cell: ({ tokens }) => (tokens === null ? '–' : grouped(tokens)),
};

const noteColumn: Column = {
  sort: 'note',
  name: 'Note',
  width: 'minmax(100px, 2fr)',
  isNumber: false,
  cell: ({ note }) => note,
};

function some(rows: Model['rows'], is: (row: EpisodeRow) => boolean): boolean {
  for (const row of rows.values()) if (is(row)) return true;
  return false;
}

/** The instance, and which rollout on it where there are several. */
export function nameOf({ instance, rollout }: EpisodeRow, rollouts: number): string {
  return rollouts > 1 ? `${instance} #${rollout + 1}` : instance;
}

/** How it came out, by a shape and a word. */
export function outcomeView(outcome: EpisodeRow['outcome']): TemplateResult {
  return html`<span class="outcome ${outcome}"
    ><i class="codicon codicon-${outcomeIcons[outcome]}" aria-hidden="true"></i> ${outcomeNames[outcome]}</span
  >`;
}

/** Why it failed and at which step; what the provider said where there was no score. */
export function causeText({ outcome, cause, causeStep, error }: EpisodeRow): string {
  if (outcome === 'correct') return '';
  if (outcome === 'errored' && error !== null) return error;
  const name = causeName(cause ?? '');
  return causeStep === null ? name : `${name}, step ${causeStep}`;
}

function groupText(value: string | number | undefined): string {
  if (value === undefined) return '–';
  return typeof value === 'number' ? grouped(value) : value;
}

/** The text with a capital at its beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
