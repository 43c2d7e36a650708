/** The page of a preview, from its model. All text of prompts and instances is put in as text. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  PreviewMessage,
  PreviewPiece,
  PreviewProblem,
  PreviewRendering,
} from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { controls } from './controls.ts';

import { type Model, piecesOf } from './model.ts';
import { sizeText, sizeTitle } from './sizes.ts';

export function view(model: Model, actions: Actions): TemplateResult {
  const { shown, gone } = model;
  return html`
    ${shown ? controls(shown, model, actions) : nothing}
    ${notices(model, actions)}
    ${
      shown && gone === null
        ? html`<main class=${model.isStale ? 'stale' : ''} aria-label="Messages">
          ${repeat(
            shown.messages,
            (_, at) => at,
            (message, at) => messageView(message, at, shown, model, actions),
          )}
        </main>`
        : nothing
    }
  `;
}

/** What is to be said above the messages: errors that are in none of them, and what is shown in spite of errors. */
function notices(
  { gone, reason, missingData, problems, shown, round }: Model,
  actions: Actions,
): TemplateResult {
  if (gone !== null) return html`<p class="notice" role="status">${gone}</p>`;
  if (round === 0) return html`<p class="quiet" role="status">Rendering…</p>`;
  const shownBlocks = new Set(shown?.messages.map(({ block }) => block));
  const outside = problems.filter(({ block }) => block === null || !shownBlocks.has(block));
  const split = shown?.splits.find(({ id }) => id === shown.place.split);
  return html`
    <div role="status">
      ${reason === null ? nothing : html`<p class="notice">${reason}</p>`}
      ${
        missingData === null
          ? nothing
          : html`<p class="offer">
            <vscode-button @click=${() => actions.send({ kind: 'getData', set: missingData })}
              >Get Data…</vscode-button
            >
          </p>`
      }
      ${
        split?.test
          ? html`<p class="quiet">
            <strong>${split.id}</strong> is a test split. What you tune while looking at it, it can no longer measure.
          </p>`
          : nothing
      }
    </div>
    ${problemList(outside, actions)}
  `;
}

function problemList(
  problems: readonly PreviewProblem[],
  { send }: Actions,
): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  const names = { error: 'Error', warning: 'Warning', info: 'Note' } as const;
  return html`<ul class="problems" aria-label="Problems">
    ${problems.map(
      ({ severity, message, line, character }) => html`<li class=${severity}>
        <button type="button" class="link" @click=${() => send({ kind: 'reveal', line, character })}>
          Line ${line + 1}</button
        >: ${names[severity]}: ${message}
      </li>`,
    )}
  </ul>`;
}

function messageView(
  message: PreviewMessage,
  at: number,
  shown: PreviewRendering,
  model: Model,
  actions: Actions,
): TemplateResult {
  const { role, block, next } = message;
  const problems = block === null ? [] : model.problems.filter((problem) => problem.block === block);
  const pieces = piecesOf(message, model.marksChanges);
  const isRemoved = message.pieces.length > 0 && message.pieces.every(({ kind }) => kind === 'removed');
  if (isRemoved && !model.marksChanges) return html``;
  const label = isRemoved ? `${role} message, removed` : `${role} message`;
  return html`<section class="message ${role}" aria-label=${label}>
    <header>
      <h2>${role}</h2>
      ${isRemoved ? html`<span class="size">removed since the last save</span>` : sizeView(block, model)}
    </header>
    ${problemList(problems, actions)}
    <pre tabindex="0" aria-label="Text of the ${role} message">${pieces.map(pieceView)}</pre>
    ${
      next === null
        ? nothing
        : model.whole.has(at)
          ? html`<p class="quiet" role="status">Fetching the rest…</p>`
          : html`<p class="rest">
            <button type="button" class="link" @click=${() => actions.showWhole(at)}>
              Show all of this message
            </button>
          </p>`
    }
    ${
      block === null && !isRemoved
        ? html`<p class="quiet">From ${shown.environment}, not from the prompt.</p>`
        : nothing
    }
  </section>`;
}

function pieceView({ kind, text }: PreviewPiece): TemplateResult {
  if (kind === 'added') return html`<ins>${text}</ins>`;
  return kind === 'removed' ? html`<del>${text}</del>` : html`${text}`;
}

function sizeView(block: number | null, { tokens, isStale }: Model): TemplateResult | typeof nothing {
  const size = block === null ? undefined : tokens?.blocks[block];
  if (!size || !tokens || isStale) return nothing;
  return html`<span class="size" title=${sizeTitle(size, tokens.tokenizer)}>
    ${sizeText(size.step, tokens.tokenizer)}
  </span>`;
}
