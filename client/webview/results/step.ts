/** One step of an episode: what was asked, what was said, what it did and what came of it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelStep, StepPart } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { counted, grouped } from './format.ts';
import { type Model, textKey } from './model.ts';

const became = {
  refusal: 'The model refused.',
  truncated: 'The reply was cut off at the limit of its length.',
  empty: 'The reply is empty.',
} as const;

export function stepView(
  step: PanelStep,
  at: number,
  isDecisive: boolean,
  model: Model,
  actions: Actions,
): TemplateResult {
  const title = step.kind === 'verdict' ? 'Verdict' : `Step ${step.step}`;
  const what = step.kind === 'reply' ? step.label : null;
  return html`<section class=${isDecisive ? 'step decisive' : 'step'}>
    <h3 id=${step.kind === 'reply' ? `step-${step.step}` : nothing} tabindex="-1">
      ${title}${what === null ? nothing : html` · <code>${what}</code>`}
      ${isDecisive ? html`<span class="badge">Cause seen here</span>` : nothing}
    </h3>
    ${asked(step, at, model, actions)}
    ${
      step.reasoning === 0
        ? nothing
        : folded(
            `Reasoning, ${counted(step.reasoning, 'character')}`,
            'Reasoning',
            at,
            { kind: 'reasoning' },
            model,
            actions,
          )
    }
    ${
      step.text.length === 0
        ? nothing
        : started(
            step.kind === 'reply' ? 'Reply' : 'Verdict',
            step.text,
            at,
            { kind: 'text' },
            model,
            actions,
          )
    }
    ${step.became === 'reply' ? nothing : html`<p class="note warning">${became[step.became]}</p>`}
    ${step.calls.map(
      ({ name, arguments: given }, call) =>
        html`<p class="sub">Calls <code>${name}</code></p>
          ${started(`Arguments of ${name}`, given, at, { kind: 'call', at: call }, model, actions)}`,
    )}
    ${result(step)}
  </section>`;
}

/** What was asked is fetched when somebody wants to see it. */
function asked(
  { asked: messages }: PanelStep,
  at: number,
  model: Model,
  actions: Actions,
): TemplateResult | typeof nothing {
  if (messages.length === 0) return nothing;
  const length = messages.reduce((sum, message) => sum + message.length, 0);
  const title = `Prompt, ${counted(messages.length, 'message')}, ${counted(length, 'character')}`;
  const fetchAll = (event: Event) => {
    if (!isOpen(event.target)) return;
    for (const [i] of messages.entries()) fetchOnce(at, { kind: 'asked', at: i }, model, actions);
  };
  return html`<details @toggle=${fetchAll}>
    <summary>${title}</summary>
    ${messages.map(({ role }, i) => {
      const part: StepPart = { kind: 'asked', at: i };
      return html`<p class="sub">${role}</p>
        ${wholeText(`Message of the ${role} role`, at, part, model, actions)}`;
    })}
  </details>`;
}

function folded(
  title: string,
  name: string,
  at: number,
  part: StepPart,
  model: Model,
  actions: Actions,
): TemplateResult {
  return html`<details @toggle=${(event: Event) => isOpen(event.target) && fetchOnce(at, part, model, actions)}>
    <summary>${title}</summary>
    ${wholeText(name, at, part, model, actions)}
  </details>`;
}

function isOpen(target: EventTarget | null): boolean {
  return target instanceof HTMLDetailsElement && target.open;
}

function fetchOnce(at: number, part: StepPart, { texts }: Model, actions: Actions): void {
  if (!texts.has(textKey(at, part))) actions.fetch(at, part, 0);
}

/** A text as far as it is fetched. */
function wholeText(name: string, at: number, part: StepPart, model: Model, actions: Actions): TemplateResult {
  const fetched = model.texts.get(textKey(at, part));
  if (fetched === undefined) return html`<p class="quiet" role="status">Fetching…</p>`;
  const { text, next } = fetched;
  return html`${textView(name, text)}${next === null ? nothing : more(at, part, next, 'Show more', actions)}`;
}

/** A text of which the beginning is there. */
function started(
  name: string,
  { text, length }: PanelStep['text'],
  at: number,
  part: StepPart,
  model: Model,
  actions: Actions,
): TemplateResult {
  if (text.length >= length) return textView(name, text);
  if (model.texts.has(textKey(at, part))) return wholeText(name, at, part, model, actions);
  return html`${textView(name, `${text}…`)}${more(at, part, 0, `Show all ${counted(length, 'character')}`, actions)}`;
}

function textView(name: string, text: string): TemplateResult {
  return html`<pre tabindex="0" role="region" aria-label=${name}>${text}</pre>`;
}

function more(at: number, part: StepPart, from: number, title: string, actions: Actions): TemplateResult {
  return html`<p>
    <button type="button" class="link" @click=${() => actions.fetch(at, part, from)}>${title}</button>
  </p>`;
}

/** What came of it. */
function result({ notes, gauge, record, cost, usage }: PanelStep): TemplateResult {
  const facts = [
    ...(gauge === null ? [] : [`${grouped(gauge.used)} of ${grouped(gauge.limit)} ${gauge.unit} in use`]),
    ...(usage === null ? [] : [`${grouped(usage.input)} tokens in, ${grouped(usage.output)} out`]),
    ...(cost === null
      ? []
      : [
          `${(cost.ms / 1000).toFixed(1)} s`,
          ...(cost.requests > 1 ? [counted(cost.requests, 'request')] : []),
          ...(cost.cached ? ['from the cache'] : []),
        ]),
  ];
  const icons = { error: 'error', warning: 'warning', info: 'info' } as const;
  return html`
    ${notes.map(
      ({ severity, message }) =>
        html`<p class="note ${severity}">
          <i class="codicon codicon-${icons[severity]}" aria-hidden="true"></i> ${message}
        </p>`,
    )}
    ${
      record.length === 0
        ? nothing
        : html`<dl class="record" aria-label="Result">
            ${record.map(([key, value]) => html`<div><dt>${key.replaceAll('_', ' ')}</dt><dd>${value}</dd></div>`)}
          </dl>`
    }
    ${facts.length === 0 ? nothing : html`<p class="sub">${facts.join(' · ')}</p>`}
  `;
}
