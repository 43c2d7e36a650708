/** The bar above the table: which episodes are wanted, and how many these are. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { OutcomeKind } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { capital, columnsOf } from './columns.ts';
import { causeName, counted, fixed, grouped, outcomeNames } from './format.ts';
import { isFiltered, type Model, plainQuery } from './model.ts';

/** A value of a list that stands for no choice. */
const all = '*';

interface Choice {
  readonly value: string;
  readonly label: string;
}

export function filters(model: Model, actions: Actions, isNarrow: boolean): TemplateResult {
  const { query, figures, facts } = model;
  const causes = figures?.causes ?? [];
  return html`<div class="filters" role="search" aria-label="Filter the episodes">
    <input
      type="search"
      class="input"
      aria-label="Instance, cause, note or error"
      placeholder="Instance, cause, note…"
      .value=${live(query.text)}
      @input=${(event: Event) => actions.ask({ text: textIn(event.target) })}
    />
    ${choice(
      'Outcome',
      query.outcomes[0] ?? all,
      (Object.keys(outcomeNames) as OutcomeKind[]).map((value) => ({ value, label: outcomeNames[value] })),
      (value) => actions.ask({ outcomes: value === null ? [] : [value as OutcomeKind] }),
    )}
    ${choice(
      'Cause',
      query.causes[0] ?? all,
      causes.map(({ cause, count }) => ({ value: cause, label: `${causeName(cause)} (${grouped(count)})` })),
      (value) => actions.ask({ causes: value === null ? [] : [value] }),
    )}
    ${(figures?.groups ?? []).map(({ id, label, values }) =>
      values.length < 2
        ? nothing
        : choice(
            capital(label),
            query.groups[id]?.[0] ?? all,
            values.map(({ value, counts }) => ({
              value: String(value),
              label: `${value} (${grouped(counts.requested)})`,
            })),
            (value) => actions.ask({ groups: { ...query.groups, [id]: value === null ? [] : [value] } }),
          ),
    )}
    ${
      isNarrow && facts !== null
        ? choice(
            'Sort',
            query.sort,
            columnsOf(model).map(({ sort, name }) => ({ value: sort, label: name })),
            (value) => actions.sort(value ?? plainQuery.sort),
            'In order of the plan',
          )
        : nothing
    }
    ${
      isFiltered(query)
        ? html`<button type="button" class="link" @click=${() => actions.ask({ ...plainQuery, sort: query.sort, descending: query.descending })}>
            Clear filters
          </button>`
        : nothing
    }
    <span class="space"></span>
    <span class="sub" role="status">${summary(model)}</span>
  </div>`;
}

function summary({ found, query }: Model): string {
  if (found === null) return '';
  const { total, scored, reward } = found;
  const what = counted(total, 'episode');
  if (!isFiltered(query)) return what;
  return scored === 0 ? what : `${what}, ${grouped(scored)} scored, reward ${fixed(reward)}`;
}

function choice(
  name: string,
  value: string,
  choices: readonly Choice[],
  choose: (value: string | null) => void,
  any = `${name}: all`,
): TemplateResult {
  const chosen = choices.some((it) => it.value === value) ? value : all;
  return html`<select
    class=${chosen === all ? 'input' : 'input chosen'}
    aria-label=${name}
    .value=${live(chosen)}
    @change=${(event: Event) => {
      const picked = textIn(event.target);
      choose(picked === all ? null : picked);
    }}
  >
    <option value=${all} ?selected=${chosen === all}>${any}</option>
    ${choices.map((it) => html`<option value=${it.value} ?selected=${chosen === it.value}>${it.label}</option>`)}
  </select>`;
}

function textIn(target: EventTarget | null): string {
  return target !== null && 'value' in target ? String(target.value) : '';
}
