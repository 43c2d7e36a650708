/** The table of episodes: only the rows in sight are on the page. */
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { EpisodeRow } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { type Column, causeText, columnsOf, nameOf, outcomeView, tellingGroupings } from './columns.ts';
import { counted, fixed } from './format.ts';
import { isFiltered, type Model } from './model.ts';

/** A row in sight. */
export interface ShownRow {
  readonly at: number;
  /** From the top of all rows, in CSS pixels. */
  readonly top: number;
}

export interface Sight {
  readonly rows: readonly ShownRow[];
  /** Of all rows, in CSS pixels. */
  readonly height: number;
  readonly rowHeight: number;
  readonly isNarrow: boolean;
  /** Told of the element that scrolls. */
  readonly scroller: (element: Element | undefined) => void;
}

export function table(model: Model, sight: Sight, actions: Actions): TemplateResult {
  const { found, progress } = model;
  if (found?.total === 0 && progress !== null) {
    const none = isFiltered(model.query)
      ? 'No episode is like that. Clear a filter to see more.'
      : progress.isRunning || !progress.isComplete
        ? 'No episode has begun yet.'
        : 'No episode of the run has begun.';
    return html`<p class="quiet empty" role="status">${none}</p>`;
  }
  const columns = sight.isNarrow ? [] : columnsOf(model);
  const widths = columns.map(({ width }) => width).join(' ');
  return html`<div
    class=${sight.isNarrow ? 'table narrow' : 'table'}
    role="grid"
    aria-label="Episodes"
    aria-rowcount=${(found?.total ?? 0) + 1}
    aria-activedescendant=${isInSight(model, sight) ? `row-${model.at}` : nothing}
    tabindex="0"
    .style=${`--columns: ${widths}`}
    @keydown=${actions.key}
    ${ref(sight.scroller)}
  >
    <div role="rowgroup" class="head">
      <div role="row" aria-rowindex="1">
        ${sight.isNarrow ? html`<span role="columnheader">Episode</span>` : columns.map((column) => header(column, model, actions))}
      </div>
    </div>
    <div role="rowgroup" class="rows" .style=${`height: ${sight.height}px`}>
      ${repeat(
        sight.rows,
        ({ at }) => at,
        (shown) => rowView(shown, model, sight, columns, actions),
      )}
    </div>
  </div>`;
}

function isInSight({ at }: Model, { rows }: Sight): boolean {
  return at !== null && rows.some((row) => row.at === at);
}

function header({ sort, name, isNumber }: Column, { query }: Model, actions: Actions): TemplateResult {
  const isSorted = query.sort === sort;
  const order = isSorted ? (query.descending ? 'descending' : 'ascending') : 'none';
  const arrow = query.descending ? 'arrow-down' : 'arrow-up';
  return html`<div role="columnheader" aria-sort=${order} class=${isNumber ? 'number' : ''}>
    <button type="button" @click=${() => actions.sort(sort)}>
      ${name}${isSorted ? html` <i class="codicon codicon-${arrow}" aria-hidden="true"></i>` : nothing}
    </button>
  </div>`;
}

function rowView(
  { at, top }: ShownRow,
  model: Model,
  { rowHeight, isNarrow }: Sight,
  columns: readonly Column[],
  actions: Actions,
): TemplateResult {
  const row = model.rows.get(at);
  const isChosen = at === model.at;
  return html`<div
    role="row"
    id="row-${at}"
    class=${isChosen ? 'row chosen' : 'row'}
    aria-rowindex=${at + 2}
    aria-selected=${isChosen}
    .style=${`transform: translateY(${top}px); height: ${rowHeight}px`}
    @click=${() => actions.choose(at)}
    @dblclick=${() => actions.enterDetails()}
  >
    ${
      row === undefined
        ? html`<span role="gridcell" class="sub">…</span>`
        : isNarrow
          ? narrowCell(row, model)
          : columns.map(
              (column) =>
                html`<div role="gridcell" class=${column.isNumber ? 'number' : ''} title=${titleOf(column, row)}>
                  ${column.cell(row)}
                </div>`,
            )
    }
  </div>`;
}

/** What may be cut off is whole in the hint. */
function titleOf({ cell }: Column, row: EpisodeRow): string | typeof nothing {
  const content = cell(row);
  return typeof content === 'string' && content.length > 12 ? content : nothing;
}

/** All of a row in two lines. */
function narrowCell(row: EpisodeRow, model: Model): TemplateResult {
  const { facts } = model;
  const { outcome, reward, steps, minSteps } = row;
  const groups = tellingGroupings(model).map(({ id, label }) => `${row.groups[id] ?? '–'} ${label}`);
  const taken = minSteps === null ? counted(steps, 'step') : `${steps} / ${minSteps} steps`;
  const more = [causeText(row), taken, ...groups].filter((it) => it !== '');
  return html`<div role="gridcell">
    <div class="first">
      <span class="name">${nameOf(row, facts?.rollouts ?? 1)}</span> ${outcomeView(outcome)}
      <span class="number">${fixed(reward)}</span>
    </div>
    <div class="second sub">${more.join(' · ')}</div>
  </div>`;
}
