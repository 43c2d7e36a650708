/** The bar above an episode: who takes the next step, how far to go, and where one stands. */
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { Actions } from './actions.ts';
import { driverOf, givenBy, type Model, neighbour } from './model.ts';
import { standing } from './words.ts';

export function controls(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { opened, view, busy } = model;
  if (!opened || !view) return nothing;
  const isBusy = busy !== null;
  const isOver = view.need === 'nothing';
  const isYou = model.driver === 'you';
  return html`<header class="controls" aria-label="Controls">
    <div class="row" role="group" aria-label="Stepping">
      <label class="field">
        <span>Driver</span>
        <vscode-single-select
          label="Driver"
          .options=${guard([JSON.stringify(drivers(model))], () => drivers(model))}
          .value=${live(model.driver)}
          @change=${(event: Event) => actions.change({ driver: textOf(event.target) })}
        ></vscode-single-select>
      </label>
      ${
        isBusy
          ? html`<vscode-button @click=${() => actions.order('cancel')}>Cancel</vscode-button>`
          : html`<vscode-button
              ?disabled=${isOver || (isYou && givenBy(model).trim() === '')}
              title=${isYou ? 'Play the reply that you have typed (Ctrl+Enter in it)' : 'Take one step'}
              @click=${() => actions.play('step')}
              >Step</vscode-button
            >`
      }
      <vscode-button secondary ?disabled=${isBusy || isOver || isYou} @click=${() => actions.play('end')}
        >Run to End</vscode-button
      >
      <vscode-button
        secondary
        title="Stop after the first step of which something bad is to be said"
        ?disabled=${isBusy || isOver || isYou}
        @click=${() => actions.play('problem')}
        >Run to Problem</vscode-button
      >
      ${tool('arrow-left', 'Back', isBusy || neighbour(model, 'before') === null, () =>
        actions.go(neighbour(actions.now(), 'before')),
      )}
      ${tool('arrow-right', 'Forward', isBusy || neighbour(model, 'after') === null, () =>
        actions.go(neighbour(actions.now(), 'after')),
      )}
      ${tool('debug-restart', 'Restart', isBusy || neighbour(model, 'before') === null, () => actions.go(0))}
      <vscode-button
        secondary
        title="Have the next step open a new branch, even if it is like the one that is there"
        ?disabled=${isBusy || isOver || view.forks}
        @click=${() => actions.order('fork')}
        >Fork from Here</vscode-button
      >
      <vscode-button
        secondary
        title=${
          view.prompt?.uri
            ? 'Take the step prompt as it is written now and go on from this state to the end'
            : 'Choose a step prompt, or a copy to change, and go on from this state to the end'
        }
        ?disabled=${isBusy || isOver || isYou}
        @click=${() => actions.send({ kind: 'rerun', driver: driverOf(actions.now()) })}
        >Re-run from Here</vscode-button
      >
      <span class="space"></span>
      ${files(model, actions)}
    </div>
    <div class="row facts">
      ${link(opened.instance.id, 'Open the instance', opened.instance.uri !== null, () =>
        actions.order('openInstance'),
      )}
      <span class="quiet">Prompt</span>
      ${link(
        view.prompt?.name ?? 'none',
        view.prompt?.uri ? 'Open the step prompt' : 'Open a copy of the step prompt to change',
        view.prompt !== null && !isBusy,
        () => actions.order('openPrompt'),
      )}
      ${link('Change…', 'Choose another step prompt', !isBusy, () => actions.order('choosePrompt'))}
      <span role="status" class="standing">${busy ?? (model.done === '' ? standing(view) : model.done)}</span>
    </div>
    ${notices(model, actions)}
  </header>`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

function drivers(model: Model): readonly Choice[] {
  const { opened, setup } = model;
  const policies = (opened?.policies ?? []).map(({ id, description }) => ({
    value: `policy:${id}`,
    label: id,
    description,
  }));
  const named = setup?.model ?? null;
  return [
    { value: 'you', label: 'You', description: 'Type replies, or point at what is to be done.' },
    {
      value: 'model',
      label: named === null ? 'Model…' : `Model: ${named}`,
      description: named === null ? 'Choose an endpoint first.' : 'At the endpoint of the settings.',
    },
    ...editorModels(model),
    ...policies,
  ];
}

/** One that was chosen stays there to be seen when the editor does not offer it any more. */
function editorModels({ driver, setup }: Model): readonly Choice[] {
  const offered = (setup?.editorModels ?? []).map(({ id, name }) => ({
    value: `editor:${id}`,
    label: `Editor: ${name}`,
    description: 'A model that the editor itself offers.',
  }));
  if (!driver.startsWith('editor:') || offered.some(({ value }) => value === driver)) return offered;
  const label = `Editor: ${driver.slice('editor:'.length)}`;
  return [...offered, { value: driver, label, description: 'Not there now.' }];
}

function files({ setup, busy, view }: Model, { order }: Actions): TemplateResult {
  const isEmpty = view?.tree.length === 1;
  const spoilers = setup?.spoilers ?? true;
  return html`
    ${tool(spoilers ? 'eye' : 'eye-closed', spoilers ? 'Hide Spoilers' : 'Show Spoilers', false, () =>
      order('toggleSpoilers'),
    )}
    ${tool('split-horizontal', 'Open Transcript Beside', busy !== null, () => order('openTranscript'))}
    ${tool('save', 'Save as Transcript', busy !== null, () => order('save'))}
    ${tool('markdown', 'Copy as Markdown', false, () => order('copy'))}
    ${tool('list-tree', 'Add to Runs', busy !== null || isEmpty || !setup?.isTrusted, () => order('saveRun'))}
  `;
}

function notices(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { failure, apart, opened, driver, setup } = model;
  const lines: TemplateResult[] = [];
  if (opened?.testSplit) {
    lines.push(html`<p class="quiet">
      <strong>${opened.testSplit}</strong> is a test split. What you tune while looking at it, it can no longer
      measure.
    </p>`);
  }
  if (driver === 'model' && setup?.isTrusted && setup.model === null) {
    lines.push(html`<p class="notice">
      No endpoint is set, so no model can be asked.
      ${link('Choose a model', 'Choose an endpoint and a model', true, () => actions.order('selectModel'))}
    </p>`);
  }
  if (driver === 'model' && setup?.isTrusted === false) {
    lines.push(html`<p class="notice">
      This folder is not trusted, so nothing is sent to a model, whatever the settings say.
      ${link('Manage trust', 'Say whether you trust this folder', true, () => actions.order('trust'))}
    </p>`);
  }
  return html`${lines}<div role="alert">
      ${apart === null ? nothing : html`<p class="notice failure">${apart}</p>`}
      ${
        failure === null
          ? nothing
          : html`<p class="notice failure">
              ${failure}
              ${link('Dismiss', 'Dismiss this message', true, () => actions.change({ failure: null }))}
            </p>`
      }
    </div>`;
}

function tool(icon: string, label: string, disabled: boolean, run: () => void): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    title=${label}
    aria-label=${label}
    ?disabled=${disabled}
    @click=${run}
  ><i class="codicon codicon-${icon}" aria-hidden="true"></i></button>`;
}

/** A button that looks like a link; plain text while it leads nowhere. */
export function link(text: string, title: string, leads: boolean, run: () => void): TemplateResult {
  if (!leads) return html`<span>${text}</span>`;
  return html`<button type="button" class="link" title=${title} @click=${run}>${text}</button>`;
}

function textOf(target: EventTarget | null): string {
  return target && 'value' in target ? String(target.value) : '';
}
