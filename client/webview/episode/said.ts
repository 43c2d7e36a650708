/** What the agent was sent, what it said, and what became of it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { SessionMessage, SessionStep, SessionView } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import { isUnfolded, type Model } from './model.ts';
import { longText } from './texts.ts';
import { counted, grouped, legible, result, severityOf, together, usageOf, withoutNotes } from './words.ts';

/** The step that led here; what is being said while a model speaks. */
export function reply(model: Model, actions: Actions): TemplateResult {
  const { view, said, busy } = model;
  if (said !== null && busy !== null) {
    return card('reply', 'Reply', 'coming in…', model, actions, [
      said.reasoning === ''
        ? html``
        : html`<p class="quiet">${counted(said.reasoning.length, 'characters')} of reasoning so far</p>`,
      html`<pre tabindex="0" role="region" aria-label="Reply so far" aria-busy="true">${legible(said.text.slice(-20_000))}</pre>`,
    ]);
  }
  const step = view?.step;
  if (!step) {
    const text = html`<p class="quiet">This is the start of the episode. Take a step to see what the agent says.</p>`;
    return card('reply', 'Reply', '', model, actions, text);
  }
  return card('reply', `Step ${view.depth}: ${legible(step.label)}`, `by ${step.by}`, model, actions, [
    html`<p class="size">${result(view)}</p>`,
    notes(view, step),
    longText({ kind: 'reply' }, 'Reply', step.text, model, actions),
    reasoning(step, model, actions),
    calls(step),
    html`<p class="quiet">${usageOf(step)}</p>`,
  ]);
}

function notes({ outcome, need }: SessionView, { notes: all }: SessionStep): TemplateResult {
  if (all.length === 0) return html`<p class="quiet">${withoutNotes(outcome, need)}</p>`;
  return html`<ul class="notes" aria-label="Remarks">
    ${together(all).map(({ severity, message, times }) => {
      const { icon, name } = severityOf(severity);
      const often = times === 1 ? nothing : html` <span class="size">(${times} times)</span>`;
      return html`<li class=${severity}>
        <i class="codicon codicon-${icon}" aria-hidden="true"></i> <span>${name}: ${message}${often}</span>
      </li>`;
    })}
  </ul>`;
}

function reasoning(step: SessionStep, model: Model, actions: Actions): TemplateResult {
  if (step.reasoning === null) return html``;
  const open = isUnfolded(model, 'reasoning');
  return html`<div class="reasoning">
    <button
      type="button"
      class="fold"
      aria-expanded=${open ? 'true' : 'false'}
      @click=${() => actions.turn('reasoning')}
    >
      <i class="codicon codicon-chevron-${open ? 'down' : 'right'}" aria-hidden="true"></i> Reasoning
    </button>
    ${open ? longText({ kind: 'reasoning' }, 'Reasoning', step.reasoning, model, actions) : nothing}
  </div>`;
}

function calls({ calls: all }: Pick<SessionStep, 'calls'>): TemplateResult {
  if (all.length === 0) return html``;
  return html`<ul class="calls" aria-label="Tool calls">
    ${all.map(({ name, arguments: given }) => html`<li><strong>${name}</strong> <code>${legible(given)}</code></li>`)}
  </ul>`;
}

/** The prompt exactly as it was sent for this step, or as it would be sent for the next one. */
export function prompt(model: Model, actions: Actions): TemplateResult {
  const { view, which, prompt: shown } = model;
  const total = shown?.prompt?.messages.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0) ?? 0;
  const counts = shown?.counts?.reduce((sum, tokens) => sum + tokens, 0);
  const size = [
    ...(total > 0 ? [counted(total, 'tokens')] : []),
    ...(counts === undefined ? [] : [`${shown?.tokenizer} ${grouped(counts)}`]),
  ].join(' · ');
  return card('prompt', 'Prompt as Sent', size, model, actions, [
    html`<div class="row" role="group" aria-label="Which prompt">
      ${choice('sent', `For step ${view?.depth ?? 0}`, view?.depth === 0, which, actions)}
      ${choice('next', 'For the next step', view?.need === 'nothing', which, actions)}
    </div>`,
    shown?.prompt
      ? html`${shown.prompt.messages.map((message, index) => messageView(message, index, model, actions))}
          ${
            shown.prompt.tools.length === 0
              ? nothing
              : html`<p class="quiet">Tools: ${shown.prompt.tools.join(', ')}</p>`
          }`
      : html`<p class="quiet" role="status">${shown?.reason || 'Rendering…'}</p>`,
  ]);
}

function choice(
  value: 'sent' | 'next',
  label: string,
  disabled: boolean,
  which: string,
  { change }: Actions,
): TemplateResult {
  return html`<button
    type="button"
    class="toggle"
    aria-pressed=${which === value ? 'true' : 'false'}
    ?disabled=${disabled}
    @click=${() => change({ which: value })}
  >${label}</button>`;
}

function messageView(
  { role, text, tokens, calls: called }: SessionMessage,
  index: number,
  model: Model,
  actions: Actions,
): TemplateResult {
  const { prompt: shown, which } = model;
  const count = shown?.counts?.[index];
  const size = [
    ...(tokens === null ? [] : [counted(tokens, 'tokens')]),
    ...(count === undefined ? [] : [`${shown?.tokenizer} ${grouped(count)}`]),
  ].join(' · ');
  return html`<div class="message">
    <h3>${role} <span class="size">${size}</span></h3>
    ${
      called.length > 0 && text.text === ''
        ? nothing
        : longText({ kind: 'message', which, index }, `Text of the ${role} message`, text, model, actions)
    }
    ${calls({ calls: called })}
  </div>`;
}
