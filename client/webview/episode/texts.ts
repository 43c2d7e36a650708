/** Long texts: their beginning, and the rest when it is asked for. */
import { html, nothing, type TemplateResult } from 'lit';
import type { SessionText, TextPortion } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { keyOf, type Model } from './model.ts';
import { legible } from './words.ts';

/** @param first what came with the view; null when nothing did, and all has to be fetched */
export function longText(
  what: SessionText,
  label: string,
  first: TextPortion | null,
  { texts, view }: Model,
  { send }: Actions,
): TemplateResult {
  const { text, next } = texts.get(keyOf(what)) ?? first ?? { text: '', next: 0 };
  const fetch = () => {
    if (view && next !== null) send({ kind: 'text', node: view.node, what, from: next });
  };
  return html`<pre tabindex="0" role="region" aria-label=${label}>${text === '' && next === null ? html`<em>(empty)</em>` : legible(text)}</pre>
    ${
      next === null
        ? nothing
        : html`<p class="rest">
            <button type="button" class="link" @click=${fetch}>${text === '' ? 'Fetch the text' : 'Show more'}</button>
          </p>`
    }`;
}
