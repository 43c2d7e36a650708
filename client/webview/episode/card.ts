/** A part of the page under a title that folds it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Actions } from './actions.ts';
import { isUnfolded, type Model } from './model.ts';

/**
 * @param part names it for folding
 * @param detail said beside the title; may be empty
 */
export function card(
  part: string,
  title: string,
  detail: string,
  model: Model,
  { turn }: Pick<Actions, 'turn'>,
  content: TemplateResult | TemplateResult[],
): TemplateResult {
  const open = isUnfolded(model, part);
  return html`<section class="card ${part}" aria-label=${title}>
    <h2>
      <button type="button" class="fold" aria-expanded=${open ? 'true' : 'false'} @click=${() => turn(part)}>
        <i class="codicon codicon-chevron-${open ? 'down' : 'right'}" aria-hidden="true"></i>
        <span>${title}</span>
        <span class="size">${detail}</span>
      </button>
    </h2>
    ${open ? html`<div class="body">${content}</div>` : nothing}
  </section>`;
}
