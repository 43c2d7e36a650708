/** Acting oneself: a reply is typed with the completion and the checks of a transcript; and what would be best. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import { link } from './controls.ts';
import { listbox } from './listbox.ts';
import type { Model } from './model.ts';
import { judging } from './verdict.ts';
import { counted, severityOf } from './words.ts';

export function you(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { view, typed, help, proposal, opened } = model;
  if (!view || !opened || view.need === 'nothing') return nothing;
  if (view.verdict) return judging(view.verdict, model, actions);
  const isVerdict = view.need === 'verdict';
  const title = isVerdict ? 'Your Verdict' : 'Your Action';
  const proposals = isVerdict ? [] : (help?.proposals ?? []);
  const problems = isVerdict || typed.trim() === '' ? [] : (help?.problems ?? []);
  return card('you', title, '', model, actions, [
    html`<textarea
      rows="3"
      spellcheck="false"
      aria-label=${isVerdict ? 'Verdict, as JSON' : 'Reply'}
      aria-autocomplete="list"
      aria-controls=${proposals.length > 0 ? 'proposals' : nothing}
      aria-activedescendant=${proposal >= 0 ? `proposals-${proposal}` : nothing}
      aria-invalid=${problems.some(({ severity }) => severity === 'error') ? 'true' : 'false'}
      placeholder=${isVerdict ? 'What the judge decides, as JSON' : 'A reply, as the agent would give it'}
      .value=${live(typed)}
      @input=${(event: Event) => typedIn(event, actions)}
      @click=${(event: Event) => typedIn(event, actions)}
      @keydown=${(event: KeyboardEvent) => press(event, actions)}
    ></textarea>`,
    view.tools.length === 0
      ? html``
      : html`<p class="quiet">
          A tool is called by a line <code>=== call NAME id=1</code> with the arguments as JSON below it:
          ${view.tools.join(', ')}.
        </p>`,
    html`<div role="status">
      ${problems.map(({ severity, message }) => {
        const { icon, name } = severityOf(severity);
        return html`<p class="problem ${severity}">
          <i class="codicon codicon-${icon}" aria-hidden="true"></i> <span>${name}: ${message}</span>
        </p>`;
      })}
    </div>`,
    proposals.length === 0
      ? html``
      : listbox({
          id: 'proposals',
          label: 'Proposals',
          style: 'proposals',
          active: proposal < 0 ? null : proposal,
          now: () => actions.now().proposal,
          options: proposals.map(({ label, detail }, key) => ({
            key,
            content: html`<strong>${label}</strong> <span class="size">${detail}</span>`,
          })),
          move: (key) => actions.change({ proposal: key }),
          choose: (key) => take(key, actions),
        }),
    html`<div class="row">
      <vscode-button
        ?disabled=${model.busy !== null || typed.trim() === ''}
        title="Play this reply (Ctrl+Enter)"
        @click=${() => actions.act(actions.now().typed)}
        >Act</vscode-button
      >
      ${advice(model, actions)}
    </div>`,
  ]);
}

function typedIn({ target }: Event, actions: Actions): void {
  if (target instanceof HTMLTextAreaElement) actions.type(target.value, target.selectionStart);
}

function press(event: KeyboardEvent, actions: Actions): void {
  const { help, proposal, busy, typed } = actions.now();
  const length = help?.proposals.length ?? 0;
  const { key } = event;
  if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    if (busy === null && typed.trim() !== '') actions.act(typed);
  } else if (key === 'Escape' && length > 0) {
    actions.change({ help: { proposals: [], problems: help?.problems ?? [] }, proposal: -1 });
  } else if ((key === 'ArrowDown' || key === 'ArrowUp') && length > 0 && !event.shiftKey) {
    const step = key === 'ArrowDown' ? 1 : -1;
    const next = Math.min(Math.max(proposal + step, -1), length - 1);
    actions.change({ proposal: next });
    document.getElementById(`proposals-${next}`)?.scrollIntoView({ block: 'nearest' });
  } else if (key === 'Enter' && proposal >= 0) {
    take(proposal, actions);
  } else return;
  event.preventDefault();
}

/** Puts a proposal in its place; what belongs behind it is proposed next. */
function take(position: number, actions: Actions): void {
  const { help, typed } = actions.now();
  const taken = help?.proposals[position];
  if (!taken) return;
  const inserted = taken.kind === 'verb' ? `${taken.insert} ` : taken.insert;
  const text = typed.slice(0, taken.start) + inserted + typed.slice(taken.end);
  actions.type(text, taken.start + inserted.length);
}

/** The best next action, on demand. */
function advice(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { opened, advice: shown, view } = model;
  if (!opened?.canAdvise || view?.need !== 'reply') return nothing;
  if (!shown || shown.node !== view.node) {
    return link('What would be best?', 'Tells the best next action, which is a spoiler', true, () =>
      actions.order('advice'),
    );
  }
  const { reply, needed } = shown.advice;
  if (reply === null || needed === null) {
    return html`<p class="advice" role="status">
      From here there is no way to a correct end within the budget.
    </p>`;
  }
  const action = reply.split('\n').findLast((line) => line.trim() !== '') ?? reply;
  return html`<p class="advice" role="status">
    Best: <code>${action}</code>, ${counted(needed, 'steps')} needed at least.
    ${link('Use', 'Put it into the reply', true, () => actions.type(reply, reply.length))}
  </p>`;
}
