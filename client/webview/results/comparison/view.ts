/** The comparison page, from its model. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ComparisonView, RunFacts } from '../../../../server/src/protocol.ts';
import { counted, countsText, grouped } from '../format.ts';
import type { ComparisonActions } from './actions.ts';
import { differenceTables } from './differences.ts';
import { flipList } from './flips.ts';
import type { ComparisonModel, PairModel } from './model.ts';

export function comparisonPage(model: ComparisonModel, actions: ComparisonActions): TemplateResult {
  const pair = model.pairs[model.shown];
  return html`<main>
    ${model.pairs.length > 1 ? pairTabs(model, actions) : nothing}
    ${pair === undefined ? waiting : pairView(pair, model, actions)}
  </main>`;
}

const waiting = html`<p class="quiet" role="status">Reading and comparing the runs…</p>`;

function pairTabs({ pairs, shown }: ComparisonModel, actions: ComparisonActions): TemplateResult {
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = shown + by;
    if (by === 0 || to < 0 || to >= pairs.length) return;
    actions.show(to);
    document.querySelector<HTMLElement>(`#tab-${to}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Compared with the first run" @keydown=${keys}>
      ${pairs.map(
        ({ comparison }, at) =>
          html`<button
            type="button"
            role="tab"
            id="tab-${at}"
            aria-controls="pair"
            aria-selected=${at === shown}
            tabindex=${at === shown ? 0 : -1}
            @click=${() => actions.show(at)}
          >
            ${comparison === null ? `Run ${at + 2}` : comparison.b.title}
          </button>`,
      )}
    </div>
    <p class="quiet">
      Of ${counted(pairs.length, 'comparison')}, one with a p below ${(0.05 / pairs.length).toFixed(3)} is what one
      alone with 0.05 is.
    </p>`;
}

function pairView(pair: PairModel, model: ComparisonModel, actions: ComparisonActions): TemplateResult {
  const { comparison, refusal } = pair;
  if (comparison === null) {
    if (refusal === null) return waiting;
    return html`<p class="notice" role="alert">${refusal}</p>
      <p class="quiet">
        <button type="button" class="link" @click=${() => actions.send({ kind: 'again' })}>Compare again</button>
      </p>`;
  }
  return html`<div id="pair" role=${model.pairs.length > 1 ? 'tabpanel' : nothing}>
    ${head(comparison, model, actions)}
    ${refusal === null ? nothing : html`<p class="notice" role="alert">${refusal}</p>`}
    ${warnings(comparison)}
    <div class="plots">
      ${differenceTables(comparison)} ${flipList('fixed', pair, model, actions)}
      ${flipList('broken', pair, model, actions)} ${causes(comparison)} ${changes(comparison, model, actions)}
    </div>
  </div>`;
}

function head(
  { a, b, counts, instances, episodes }: ComparisonView,
  { shown }: ComparisonModel,
  { send }: ComparisonActions,
): TemplateResult {
  const run = (side: 'a' | 'b', name: string, { title, label, id }: RunFacts) =>
    html`<p class="run">
      <span class="badge">${name}</span>
      <button
        type="button"
        class="link"
        title="Open its results"
        @click=${() => send({ kind: 'results', at: shown, side })}
      >
        ${title}
      </button>
      <span class="sub">${label} · ${id} · ${countsText(counts[side])}</span>
    </p>`;
  return html`<header class="headline">
    <h1>${counted(instances, 'instance')} compared</h1>
    ${run('a', 'A', a)} ${run('b', 'B', b)}
    <p class="sub">
      ${grouped(episodes.a)} and ${grouped(episodes.b)} scored episodes on them. Differences are B − A: above 0, B is
      better. <button type="button" class="link" @click=${() => send({ kind: 'again' })}>Compare again</button>
    </p>
  </header>`;
}

function warnings({ warnings: all }: ComparisonView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section class="notice" aria-label="Warnings">
    ${all.map(
      ({ message }) => html`<p><i class="codicon codicon-warning" aria-hidden="true"></i> ${message}</p>`,
    )}
  </section>`;
}

function causes({ causes: all }: ComparisonView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section class="plot" tabindex="0" aria-label="By cause">
    <h2>Why episodes failed</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Cause</th>
          ${['A', 'B', 'B − A', 'fixed', 'broken'].map((name) => html`<th scope="col" class="number">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${all.map(
          ({ cause, a, b, fixed, broken }) => html`<tr>
            <th scope="row">${cause}</th>
            <td class="number">${grouped(a)}</td>
            <td class="number">${grouped(b)}</td>
            <td class="number">${b - a > 0 ? '+' : b < a ? '−' : ''}${grouped(Math.abs(b - a))}</td>
            <td class="number">${grouped(fixed)}</td>
            <td class="number">${grouped(broken)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="sub">Scored episodes on the compared instances. Fixed: had this cause in A. Broken: have it in B.</p>
  </section>`;
}

function changes(
  { changes: all, promptsDiffer }: ComparisonView,
  { shown }: ComparisonModel,
  { send }: ComparisonActions,
): TemplateResult {
  return html`<section class="plot" tabindex="0" aria-label="Asked differently">
    <h2>Asked differently</h2>
    ${
      all.length === 0
        ? html`<p class="quiet">Both runs ask the same.</p>`
        : html`<table class="settings">
            <thead>
              <tr><th scope="col">What</th><th scope="col">A</th><th scope="col">B</th></tr>
            </thead>
            <tbody>
              ${all.map(({ what, a, b }) => html`<tr><th scope="row">${what}</th><td>${a}</td><td>${b}</td></tr>`)}
            </tbody>
          </table>`
    }
    ${
      promptsDiffer
        ? html`<p class="buttons">
            <button type="button" class="button" @click=${() => send({ kind: 'prompts', at: shown })}>
              Compare the prompts
            </button>
          </p>`
        : nothing
    }
  </section>`;
}
