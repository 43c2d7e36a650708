/** The page of an episode, from its model. All text of prompts, instances and models is put in as text. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Actions } from './actions.ts';
import { controls } from './controls.ts';
import { documentMap } from './document-map.ts';
import { workingContext } from './gauge.ts';
import type { Model } from './model.ts';
import { prompt, reply } from './said.ts';
import { ledger, score, sections } from './sections.ts';
import { branches, steps } from './steps.ts';
import { you } from './you.ts';

export function view(model: Model, actions: Actions): TemplateResult {
  const { opened, view: shown, gone, failure } = model;
  if (gone !== null) {
    return html`<main>
      <p class="notice" role="status">${gone}</p>
      <vscode-button @click=${() => actions.order('retry')}>Try Again</vscode-button>
    </main>`;
  }
  if (!opened || !shown) {
    return html`<main>
      <p class="quiet" role="status">Opening the episode…</p>
      ${failure === null ? nothing : html`<p class="notice" role="alert">${failure}</p>`}
    </main>`;
  }
  const task = opened.layout?.task;
  return html`
    ${controls(model, actions)}
    <main aria-label="Episode" aria-busy=${model.busy === null ? 'false' : 'true'}>
      <h1 class="unseen">${opened.environment.title}: ${opened.instance.id}</h1>
      ${task ? html`<p class="task">${task}</p>` : nothing}
      <div class="columns">
        <div class="column">
          ${workingContext(model, actions)} ${documentMap(model, actions)} ${you(model, actions)}
          ${ledger(model, actions)} ${sections(model, actions)}
        </div>
        <div class="column">${reply(model, actions)} ${score(model, actions)} ${prompt(model, actions)}</div>
        <div class="column">
          ${steps(model, actions)} ${branches(model, actions)}
        </div>
      </div>
    </main>
  `;
}
