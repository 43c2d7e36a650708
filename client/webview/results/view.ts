/** The page of results, from its model. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Actions } from './actions.ts';
import { details } from './details.ts';
import { filters } from './filters.ts';
import { headline } from './headline.ts';
import type { Tab } from './messages.ts';
import type { Model } from './model.ts';
import { plots } from './plots.ts';
import { streamPage } from './stream.ts';
import { type Sight, table } from './table.ts';

export function view(model: Model, sight: Sight, actions: Actions): TemplateResult {
  const { gone, facts, tab, task, refusal } = model;
  if (gone !== null) return html`<main><p class="notice" role="alert">${gone}</p></main>`;
  return html`
    ${headline(model, actions)}
    ${
      facts === null || tab === null
        ? nothing
        : html`${tabs(tab, facts.format === 'stream' ? streamTabs : runTabs, actions)}
            ${refusal === null ? nothing : html`<p class="notice" role="alert">${refusal}</p>`}
            <main
              id="panel"
              role="tabpanel"
              aria-labelledby="tab-${tab}"
              class=${tab !== 'episodes' ? 'figures' : task === null ? 'episodes' : 'episodes with-details'}
            >
              ${
                tab === 'stream'
                  ? streamPage(model, actions)
                  : tab === 'figures'
                    ? plots(model, actions)
                    : html`<div class="list">
                        ${filters(model, actions, sight.isNarrow)} ${table(model, sight, actions)}
                      </div>
                      ${details(model, actions)}`
              }
            </main>`
    }
  `;
}

const names: Readonly<Record<Tab, string>> = { stream: 'Stream', episodes: 'Episodes', figures: 'Figures' };
const runTabs: readonly Tab[] = ['episodes', 'figures'];
const streamTabs: readonly Tab[] = ['stream', ...runTabs];

function tabs(shown: Tab, all: readonly Tab[], actions: Actions): TemplateResult {
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const by = event.key === 'ArrowLeft' ? all.length - 1 : 1;
    const other = all[(all.indexOf(shown) + by) % all.length] ?? shown;
    actions.show(other);
    document.querySelector<HTMLElement>(`#tab-${other}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Parts of the results" @keydown=${keys}>
    ${all.map(
      (tab) =>
        html`<button
          type="button"
          role="tab"
          id="tab-${tab}"
          aria-controls="panel"
          aria-selected=${tab === shown}
          tabindex=${tab === shown ? 0 : -1}
          @click=${() => actions.show(tab)}
        >
          ${names[tab]}
        </button>`,
    )}
  </div>`;
}
