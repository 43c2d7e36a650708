/** The document as a strip of chunks by section, and what is known of the chunk that is pointed at. */
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { PanelChunk, PanelLayout, PanelMap, SessionView } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import { listbox, type Option } from './listbox.ts';
import { gestureReply, type Model } from './model.ts';
import { counted, grouped } from './words.ts';

export function documentMap(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { opened, view } = model;
  const layout = opened?.layout;
  const map = view?.panel?.map;
  if (!view || !layout || !map || layout.chunks.length === 0) return nothing;
  return card(
    'map',
    'Document',
    `${counted(layout.chunks.length, 'chunks')}, ${grouped(map.held.length)} held`,
    model,
    actions,
    html`${guard([layout, map, model.chunk], () => strips(layout, map, model.chunk, actions))}
      ${chunkLine(model, view, layout, map, actions)} ${legend(layout, map)}`,
  );
}

function strips(
  layout: PanelLayout,
  map: PanelMap,
  active: number | null,
  { now, change }: Actions,
): TemplateResult {
  const stands = standsOf(layout, map);
  const names = layout.sections;
  return html`<div class="strips">
    ${names.map((name, section) => {
      const chunks = layout.chunks.filter((chunk) => chunk.section === section);
      if (chunks.length === 0) return nothing;
      const marked = chunks.flatMap(({ number }) => [number, ...(stands.get(number) ?? [])]).join(' ');
      const own = chunks.some(({ number }) => number === active) ? active : null;
      // Most parts of a large document are as they were before the step.
      return html`<div class="group">
        <div class="strip-name" aria-hidden="true">${name}</div>
        ${guard([layout, marked, own], () =>
          listbox({
            id: `map-${section}`,
            label: `Chunks of ${name}`,
            style: 'strip',
            active: own,
            now: () => now().chunk,
            options: chunks.map((chunk) => optionOf(chunk, name, stands.get(chunk.number) ?? [])),
            move: (chunk) => change({ chunk }),
            choose: (chunk) => change({ chunk }),
          }),
        )}
      </div>`;
    })}
  </div>`;
}

function optionOf({ number, name, cost }: PanelChunk, section: string, stands: readonly string[]): Option {
  const said = stands.length === 0 ? '' : `, ${stands.join(', ')}`;
  const label = `${number}: ${name}, ${section}, ${cost}${said}`;
  return { key: number, content: '', label, title: label, style: `cell ${stands.join(' ')}` };
}

/** By chunk number, in words that are names of styles, too. */
function standsOf(layout: PanelLayout, { held, dropped, wanted }: PanelMap): Map<number, string[]> {
  const stands = new Map<number, string[]>();
  const add = (numbers: readonly number[], word: string) => {
    for (const number of numbers) stands.set(number, [...(stands.get(number) ?? []), word]);
  };
  add(held, 'held');
  add(dropped, 'dropped');
  add(layout.evidence, 'evidence');
  add(layout.distractors, 'distractor');
  if (wanted !== null) add([wanted], 'wanted');
  return stands;
}

/** What reading the chunk that is pointed at would cost; null when it is held already or there is none. */
export function prospect({ chunk, opened, view }: Model): PanelChunk | null {
  if (chunk === null || view?.need !== 'reply' || view.panel?.map?.held.includes(chunk)) return null;
  return opened?.layout?.chunks.find(({ number }) => number === chunk) ?? null;
}

function chunkLine(
  model: Model,
  view: SessionView,
  layout: PanelLayout,
  map: PanelMap,
  actions: Actions,
): TemplateResult {
  const chunk = layout.chunks.find(({ number }) => number === model.chunk);
  if (!chunk) {
    return html`<p class="quiet chunk-line">Point at a chunk to see what reading it would cost.</p>`;
  }
  const gauge = view.panel?.gauge;
  const isHeld = map.held.includes(chunk.number);
  const sum = gauge ? gauge.used + chunk.cost : 0;
  const cost =
    gauge && !isHeld
      ? `${grouped(gauge.used)} + ${grouped(chunk.cost)} = ${grouped(sum)} of ${grouped(gauge.limit)} ${gauge.unit}${sum > gauge.limit ? ': does not fit' : ''}`
      : counted(chunk.cost, gauge?.unit ?? '');
  const gestures = layout.gestures.filter(({ on }) => on === 'chunk');
  return html`<div class="chunk-line">
    <span class="grow"
      ><strong>${chunk.number}</strong> ${chunk.name}
      <span class=${gauge && !isHeld && sum > gauge.limit ? 'bad size' : 'size'}>${cost}</span>
      ${isHeld ? html`<span class="size">held</span>` : nothing}</span
    >
    ${gestures.map(
      ({ label, reply }) => html`<vscode-button
        secondary
        ?disabled=${model.busy !== null || view.need !== 'reply' || isHeld}
        @click=${() => actions.act(gestureReply(reply, [String(chunk.number)], ''))}
        >${label} ${chunk.number}</vscode-button
      >`,
    )}
  </div>`;
}

function legend(layout: PanelLayout, map: PanelMap): TemplateResult {
  const words = [
    'held',
    'dropped',
    ...(map.wanted === null ? [] : ['wanted']),
    ...(layout.evidence.length === 0 ? [] : ['evidence']),
    ...(layout.distractors.length === 0 ? [] : ['distractor']),
  ];
  return html`<p class="legend" aria-hidden="true">
    ${words.map((word) => html`<span><span class="cell ${word}"></span> ${word}</span>`)}
  </p>`;
}
