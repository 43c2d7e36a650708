/** The bar above a preview: where one looks, how large the prompt is there, and what one can copy. */
import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { PreviewRendering } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import type { Move } from './messages.ts';
import type { Model } from './model.ts';
import { sizeText, sizeTitle } from './sizes.ts';

export function controls(shown: PreviewRendering, model: Model, actions: Actions): TemplateResult {
  const { place, instance, steps } = shown;
  const move = (to: Move) => actions.send({ kind: 'move', place: to });
  return html`<header class="controls">
    <div class="row" role="group" aria-label="Place of the preview">
      ${choice(
        'Split',
        place.split,
        shown.splits.map(({ id, test }) => ({ value: id, label: test ? `${id} (test)` : id })),
        (split) => move({ split, index: 0, step: 1 }),
      )}
      ${stepper('Instance', place.index, 0, Number.POSITIVE_INFINITY, (index) => move({ index, step: 1 }), '')}
      ${choice(
        'Policy',
        place.policy,
        shown.policies.map(({ id }) => ({ value: id, label: id })),
        (policy) => move({ policy, step: 1 }),
      )}
      ${stepper('Step', place.step, 1, steps, (step) => move({ step }), ` of ${steps}`)}
    </div>
    <div class="row facts">
      <button type="button" class="link" title="Open the instance" @click=${() => actions.send({ kind: 'openInstance' })}>
        ${instance.id}
      </button>
      <span role="status" class=${model.isStale ? 'stale-note' : 'size'}>${summary(model)}</span>
      <span class="space"></span>
      <vscode-checkbox
        label="Changes"
        title="Mark what changed since the last save"
        .checked=${live(model.marksChanges)}
        @change=${(event: Event) => actions.markChanges(isChecked(event.target))}
      ></vscode-checkbox>
      <span class="field" role="group" aria-label="Copy the request">
        <span>Copy as</span>
        ${copyButton('JSON', 'json', actions)} ${copyButton('curl', 'curl', actions)}
      </span>
    </div>
  </header>`;
}

function copyButton(name: string, what: 'json' | 'curl', { send }: Actions): TemplateResult {
  return html`<vscode-button
    secondary
    aria-label="Copy as ${name}"
    title="Copy the request as ${name}, without any key"
    @click=${() => send({ kind: 'copy', what })}
    >${name}</vscode-button
  >`;
}

/** How large the prompt is; while it has errors, that what is shown is older. */
function summary({ tokens, isStale }: Model): TemplateResult | string {
  if (isStale) return 'The prompt has errors. This is what it gave before.';
  if (!tokens) return '';
  const { step } = tokens.total;
  return html`<span title=${sizeTitle(tokens.total, tokens.tokenizer)}>${sizeText(step, tokens.tokenizer)}</span>`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function choice(
  name: string,
  value: string,
  choices: readonly Choice[],
  choose: (value: string) => void,
): TemplateResult {
  return html`<label class="field">
    <span>${name}</span>
    <vscode-single-select
      label=${name}
      .options=${guard([JSON.stringify(choices)], () => choices)}
      .value=${live(value)}
      @change=${(event: Event) => choose(textOf(event.target))}
    ></vscode-single-select>
  </label>`;
}

/** A number between two buttons that change it by one. */
function stepper(
  name: string,
  value: number,
  from: number,
  to: number,
  go: (value: number) => void,
  after: string,
): TemplateResult {
  const lower = name.toLowerCase();
  const typed = (event: Event) => {
    const number = Number(textOf(event.target));
    if (Number.isInteger(number) && number >= from && number <= to) go(number);
  };
  return html`<div class="field" role="group" aria-label=${name}>
    <span>${name}</span>
    <vscode-toolbar-button
      icon="chevron-left"
      label="Previous ${lower}"
      title="Previous ${lower}"
      ?inert=${value <= from}
      @click=${() => value > from && go(value - 1)}
    ></vscode-toolbar-button>
    <vscode-textfield
      type="number"
      label=${name}
      min=${from}
      .value=${live(String(value))}
      @change=${typed}
    ></vscode-textfield>
    <span>${after}</span>
    <vscode-toolbar-button
      icon="chevron-right"
      label="Next ${lower}"
      title="Next ${lower}"
      ?inert=${value >= to}
      @click=${() => value < to && go(value + 1)}
    ></vscode-toolbar-button>
  </div>`;
}

function textOf(target: EventTarget | null): string {
  return target && 'value' in target ? String(target.value) : '';
}

function isChecked(target: EventTarget | null): boolean {
  return target !== null && 'checked' in target && target.checked === true;
}
