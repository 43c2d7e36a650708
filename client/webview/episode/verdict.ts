/** Judging in the place of a model: what is judged, and a question for everything that the judge decides. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PanelQuestion, PanelVerdict } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { answerKey } from './answers.ts';
import { card } from './card.ts';
import type { Model } from './model.ts';

/** The part of the page in which a person judges. */
export function judging(form: PanelVerdict, model: Model, actions: Actions): TemplateResult {
  const answer = (question: PanelQuestion, value: string) => actions.answer(answerKey(question), value);
  return card('you', 'Your Verdict', '', model, actions, [
    html`<p class="quiet">
      The episode waits for a judge. Judge it yourself, or choose a model as the driver and have it judge by Step.
    </p>`,
    html`<pre tabindex="0" role="region" aria-label="What is judged">${form.text}</pre>`,
    html`<div class="questions">
      ${form.questions.map((question, at) => questionView(question, at, model, answer))}
    </div>`,
    html`<div class="row">
      <vscode-button
        ?disabled=${model.busy !== null}
        title="End the step with this verdict; it is marked as a person's"
        @click=${() => actions.judge()}
        >Give Verdict</vscode-button
      >
    </div>`,
  ]);
}

function questionView(
  question: PanelQuestion,
  at: number,
  { answers }: Model,
  answer: (question: PanelQuestion, value: string) => void,
): TemplateResult {
  const { label, detail } = question;
  const given = answers[answerKey(question)];
  const said = detail === '' ? nothing : html` <span class="size">${detail}</span>`;
  if (question.kind === 'texts') {
    return html`<label class="question"
      ><span><strong>${label}</strong>${said}</span
      ><textarea
        rows="2"
        .value=${live(given ?? '')}
        @input=${({ target }: Event) => target instanceof HTMLTextAreaElement && answer(question, target.value)}
      ></textarea
    ></label>`;
  }
  const chosen = given ?? question.options[0]?.value;
  return html`<fieldset class="question">
    <legend><strong>${label}</strong>${said}</legend>
    ${question.options.map(
      (option) =>
        html`<label class="option"
          ><input
            type="radio"
            name="question-${at}"
            value=${option.value}
            .checked=${live(option.value === chosen)}
            @change=${() => answer(question, option.value)}
          />${option.label}</label
        >`,
    )}
  </fieldset>`;
}
