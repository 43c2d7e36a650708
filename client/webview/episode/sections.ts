/** What has no place of its own: the ledger, what an environment adds, and how the episode was scored. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelMark, PanelSection } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import type { Model } from './model.ts';
import { counted, ending, grouped, legible } from './words.ts';

export function ledger(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const notes = model.view?.panel?.ledger ?? [];
  if (notes.length === 0) return nothing;
  return card(
    'ledger',
    'Ledger',
    counted(notes.length, 'notes'),
    model,
    actions,
    html`<dl class="ledger-list">
      ${notes.map(
        ({ id, detail, text }) =>
          html`<dt>${id} <span class="size">${detail}</span></dt>
            <dd>${text}</dd>`,
      )}
    </dl>`,
  );
}

/** What the environment adds. */
export function sections(model: Model, actions: Actions): TemplateResult[] {
  return (model.view?.panel?.sections ?? []).map((section, at) =>
    card(`section-${at}`, section.title, '', model, actions, content(section)),
  );
}

const signs: Readonly<Record<PanelMark, string | null>> = { good: 'pass', bad: 'error', plain: null };
const words: Readonly<Record<PanelMark, string>> = { good: 'right', bad: 'wrong', plain: '' };

/** Never by colour alone. */
function sign(mark: PanelMark): TemplateResult | typeof nothing {
  const icon = signs[mark];
  if (icon === null) return nothing;
  return html`<i class="codicon codicon-${icon}" aria-hidden="true"></i><span class="unseen">${words[mark]}:</span> `;
}

function content(section: PanelSection): TemplateResult {
  switch (section.kind) {
    case 'text':
      return html`<pre tabindex="0" role="region" aria-label=${section.title}>${section.text === '' ? html`<em>(empty)</em>` : legible(section.text)}</pre>`;
    case 'lines':
      if (section.lines.length === 0) return html`<p class="quiet">None.</p>`;
      return html`<ul class="lines scroll" tabindex="0" role="list" aria-label=${section.title}>
        ${section.lines.map(
          ({ text, mark, detail }) =>
            html`<li class=${mark}>${sign(mark)}<code>${legible(text)}</code> <span class="size">${detail}</span></li>`,
        )}
      </ul>`;
    case 'table':
      if (section.rows.length === 0) return html`<p class="quiet">None.</p>`;
      return html`<div class="scroll" tabindex="0" role="region" aria-label=${section.title}>
        <table>
          <thead>
            <tr>${section.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr>
          </thead>
          <tbody>
            ${section.rows.map(
              ({ cells, mark }) =>
                html`<tr class=${mark}>
                  ${cells.map((cell, at) => html`<td>${at === 0 ? sign(mark) : nothing}${legible(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case 'calls':
      if (section.calls.length === 0) return html`<p class="quiet">None.</p>`;
      return html`<ol class="calls scroll" tabindex="0" role="list" aria-label=${section.title}>
        ${section.calls.map(
          ({ name, arguments: given, observation, mark }) =>
            html`<li class=${mark}>
              ${sign(mark)}<strong>${name}</strong> <code>${legible(given)}</code>
              ${observation === null ? nothing : html`<pre tabindex="0" role="region" aria-label=${`What ${name} gave`}>${legible(observation)}</pre>`}
            </li>`,
        )}
      </ol>`;
  }
}

/** How the episode was scored, once it is over. */
export function score(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { view, opened } = model;
  if (!view?.outcome.done || !opened) return nothing;
  const { outcome, metrics } = view;
  return card('score', 'Score', `reward ${grouped(outcome.reward)}`, model, actions, [
    html`<p>
      ${ending(outcome)[0]?.toUpperCase()}${ending(outcome).slice(1)}. At least
      ${counted(opened.minSteps, 'steps')} ${opened.minSteps === 1 ? 'is' : 'are'} needed.
    </p>`,
    metrics.length === 0
      ? html``
      : html`<details>
          <summary>${counted(metrics.length, 'metrics')}</summary>
          <table>
            <tbody>
              ${metrics.map(
                ({ label, value, description }) =>
                  html`<tr title=${description}><th scope="row">${label}</th><td class="size">${grouped(value)}</td></tr>`,
              )}
            </tbody>
          </table>
        </details>`,
  ]);
}
