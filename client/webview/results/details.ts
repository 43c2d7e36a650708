/** An episode step by step. All that models, prompts and people wrote is put in as text. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Actions } from './actions.ts';
import { causeText, nameOf, outcomeView } from './columns.ts';
import { counted, fixed } from './format.ts';
import type { Details, Model } from './model.ts';
import { noteView } from './note.ts';
import { stepView } from './step.ts';

export function details(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { task, at } = model;
  if (task === null) return nothing;
  const shown = model.details?.task === task ? model.details : null;
  return html`<section
    class="details"
    aria-label="Episode"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') actions.leaveDetails(false);
    }}
  >
    <div class="toolbar">
      <button type="button" class="link back" @click=${() => actions.leaveDetails(true)}>
        <i class="codicon codicon-arrow-left" aria-hidden="true"></i> Back to the table
      </button>
      <span class="space"></span>
      <button
        type="button"
        class="icon"
        aria-label="Previous episode"
        title="Previous episode"
        ?disabled=${at === null || at === 0}
        @click=${() => at !== null && actions.choose(at - 1)}
      >
        <i class="codicon codicon-arrow-up" aria-hidden="true"></i>
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Next episode"
        title="Next episode"
        ?disabled=${at === null || at + 1 >= (model.found?.total ?? 0)}
        @click=${() => at !== null && actions.choose(at + 1)}
      >
        <i class="codicon codicon-arrow-down" aria-hidden="true"></i>
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Close the episode"
        title="Close (Escape goes back to the table)"
        @click=${() => actions.leaveDetails(true)}
      >
        <i class="codicon codicon-close" aria-hidden="true"></i>
      </button>
    </div>
    ${
      shown === null
        ? html`<p class="quiet" role="status">${model.refusal ?? 'Fetching the episode…'}</p>`
        : episode(shown, model, actions)
    }
  </section>`;
}

function episode(shown: Details, model: Model, actions: Actions): TemplateResult {
  const { row, sentence, unwinnableAt, unplayed, advice, task, steps, next, total } = shown;
  const cause = causeText(row);
  const taken = row.minSteps === null ? '' : ` of at least ${row.minSteps}`;
  const decisive = row.outcome === 'correct' ? null : row.causeStep;
  return html`
    <h2 tabindex="-1" id="episode">${nameOf(row, model.facts?.rollouts ?? 1)}</h2>
    <p class="facts">
      ${outcomeView(row.outcome)}
      ${row.reward === null ? nothing : html`<span>reward ${fixed(row.reward)}</span>`}
      ${row.stop === null ? nothing : html`<span>${row.stop}</span>`}
      <span>${counted(row.steps, 'step')}${taken}</span>
    </p>
    ${cause === '' ? nothing : html`<p class="cause"><strong>${cause}</strong> ${sentence ?? ''} ${advice ?? ''}</p>`}
    ${
      unwinnableAt === null || row.outcome === 'correct'
        ? nothing
        : html`<p class="sub">From step ${unwinnableAt} on a correct end was out of reach.</p>`
    }
    <p class="buttons">
      <button type="button" class="button" @click=${() => actions.send({ kind: 'transcript', task, step: null })}>
        Open as transcript
      </button>
      ${
        unplayed === null
          ? html`<button
              type="button"
              class="button secondary"
              title="Go through it step by step, and try other replies"
              @click=${() => actions.send({ kind: 'episode', task })}
            >
              Step through
            </button>`
          : nothing
      }
      ${
        decisive === null
          ? nothing
          : html`<button type="button" class="link" @click=${() => scrollToStep(decisive)}>
              Go to step ${decisive}
            </button>`
      }
    </p>
    ${model.facts?.format === 'stream' ? nothing : noteView(model, actions)}
    ${unplayed === null ? nothing : html`<p class="notice">${unplayed}</p>`}
    ${steps.length === 0 ? html`<p class="quiet">Nothing has been said in it.</p>` : nothing}
    ${repeat(
      steps,
      (_, at) => `${task} ${at}`,
      (step, at) => stepView(step, at, step.kind === 'reply' && step.step === decisive, model, actions),
    )}
    ${
      next === null
        ? nothing
        : html`<p>
            <button type="button" class="link" @click=${() => actions.send({ kind: 'steps', task, from: next })}>
              Show more steps (${steps.length} of ${total} shown)
            </button>
          </p>`
    }
  `;
}

/** Brings a step into sight and gives it the focus. */
function scrollToStep(step: number): void {
  const heading = document.querySelector<HTMLElement>(`#step-${step}`);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
