/** The working context: item by item against its ceiling, with what reading the chunk pointed at would add. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PanelGauge, PanelGesture, PanelItem } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import { prospect } from './document-map.ts';
import { gestureReply, isUnfolded, type Model } from './model.ts';
import { longText } from './texts.ts';
import { counted, grouped, legible } from './words.ts';

export function workingContext(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const gauge = model.view?.panel?.gauge;
  if (!gauge) return nothing;
  const { title, used, limit, unit, items } = gauge;
  return card(
    'gauge',
    title ?? 'Working Context',
    `${grouped(used)} of ${grouped(limit)} ${unit}`,
    model,
    actions,
    html`${bar(gauge, prospect(model)?.cost ?? 0)}
      ${items.length === 0 ? html`<p class="quiet">${title === undefined ? 'Nothing is held.' : 'Nothing yet.'}</p>` : itemList(items, unit, model, actions)}
      ${gestureRow(model, actions, items)}`,
  );
}

function bar({ used, limit, unit, items }: PanelGauge, cost: number): TemplateResult {
  // A little beyond the ceiling can be seen, so that one sees by how much something does not fit.
  const most = Math.max(limit, used + cost) * 1.04 || 1;
  const percent = (value: number) => `${((value / most) * 100).toFixed(3)}%`;
  let at = 0;
  const said = items.map(({ id, size }) => `${id}: ${size}`).join(', ');
  const adds = cost > 0 ? `, reading would add ${grouped(cost)}` : '';
  const label = `${grouped(used)} of ${grouped(limit)} ${unit} used${said === '' ? '' : ` (${said})`}${adds}`;
  return html`<svg class="bar" role="img" aria-label=${label}>
    <rect class="track" x="0.5" y="3.5" width=${percent(limit)} height="25"></rect>
    ${items.map(({ id, size, kind }, index) => {
      const start = at;
      at += size;
      return svg`<g class="segment ${kind} ${index % 2 === 0 ? 'even' : 'odd'}">
        <title>${id}: ${counted(size, unit)}</title>
        <rect x=${percent(start)} y="4" width=${percent(size)} height="24"></rect>
        ${
          size / most > 0.06
            ? svg`<text x=${percent(start + size / 2)} y="20" text-anchor="middle">${id}</text>`
            : nothing
        }
      </g>`;
    })}
    ${
      cost > 0
        ? svg`<rect class="prospect ${used + cost > limit ? 'over' : ''}" x=${percent(used)} y="4"
            width=${percent(cost)} height="24"></rect>`
        : nothing
    }
    <line class="ceiling" x1=${percent(limit)} x2=${percent(limit)} y1="0" y2="32"></line>
  </svg>`;
}

function itemList(items: readonly PanelItem[], unit: string, model: Model, actions: Actions): TemplateResult {
  const canChoose = model.opened?.layout?.gestures.some(({ on }) => on === 'held') ?? false;
  return html`<ul class="items" aria-label="Held items">
    ${items.map(({ id, size, detail: line }) => {
      const part = `item ${id}`;
      const held = counted(size, unit);
      // The line may begin with the id, and tell the size: both stand beside it.
      const rest = line.startsWith(`[${id}] `) ? line.slice(id.length + 3) : line;
      const detail = rest
        .split(' · ')
        .filter((part) => part !== held)
        .join(' · ');
      const isOpen = isUnfolded(model, part);
      return html`<li>
        <div class="item">
          ${
            canChoose
              ? html`<vscode-checkbox
                label=${id}
                title="Choose for what is to be done with held items"
                .checked=${live(model.chosen.includes(id))}
                @change=${() => actions.change({ chosen: toggled(actions.now().chosen, id) })}
              ></vscode-checkbox>`
              : html`<strong>${id}</strong>`
          }
          <span class="grow detail" title=${detail}>${legible(detail)}</span>
          <span class="size">${held}</span>
          <button
            type="button"
            class="link"
            aria-expanded=${isOpen ? 'true' : 'false'}
            aria-label="Text of ${id}"
            @click=${() => actions.turn(part)}
          >${isOpen ? 'Hide' : 'Text'}</button>
        </div>
        ${isOpen ? longText({ kind: 'item', id }, `Text of ${id}`, null, model, actions) : nothing}
      </li>`;
    })}
  </ul>`;
}

function toggled(list: readonly string[], id: string): readonly string[] {
  return list.includes(id) ? list.filter((other) => other !== id) : [...list, id];
}

/** What can be done with the items that are chosen, and with nothing in particular. */
function gestureRow(
  model: Model,
  actions: Actions,
  items: readonly PanelItem[],
): TemplateResult | typeof nothing {
  const { opened, view, busy, asking, chosen } = model;
  const gestures = opened?.layout?.gestures ?? [];
  if (view?.need !== 'reply') return nothing;
  const among = (list: readonly string[]) => items.filter(({ id }) => list.includes(id)).map(({ id }) => id);
  const ids = among(chosen);
  const run = (gesture: PanelGesture, position: number) => {
    if (gesture.asks === null) actions.act(gestureReply(gesture.reply, among(actions.now().chosen), ''));
    else actions.change({ asking: actions.now().asking === position ? null : position });
  };
  const asked = asking === null ? undefined : gestures[asking];
  return html`<div class="row gestures">
      ${gestures.map((gesture, position) =>
        gesture.on === 'chunk'
          ? nothing
          : html`<vscode-button
              secondary
              ?disabled=${busy !== null || (gesture.on === 'held' && ids.length === 0)}
              title=${gesture.on === 'held' ? `${gesture.label} what is chosen` : gesture.label}
              @click=${() => run(gesture, position)}
              >${gesture.label}${gesture.asks === null ? '' : '…'}</vscode-button
            >`,
      )}
    </div>
    ${
      asked?.asks
        ? html`<form
            class="row asked"
            @submit=${(event: SubmitEvent) => {
              event.preventDefault();
              const field =
                event.target instanceof HTMLFormElement ? event.target.elements.namedItem('text') : null;
              const text = field instanceof HTMLInputElement ? field.value : '';
              if (text.trim() !== '')
                actions.act(gestureReply(asked.reply, among(actions.now().chosen), text));
            }}
          >
            <label class="field grow"
              ><span>${asked.asks}</span><input name="text" type="text" autocomplete="off" spellcheck="false"
            /></label>
            <button type="submit" class="submit">${asked.label}${asked.on === 'held' ? ` ${ids.join(', ')}` : ''}</button>
          </form>`
        : nothing
    }`;
}
