/** Instances on which the runs come out differently, and where their episodes part. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FlipRow, FlipSide, Parting, PartingSide } from '../../../../server/src/protocol.ts';
import { counted, fixed, grouped } from '../format.ts';
import type { ComparisonActions } from './actions.ts';
import type { FlipKind } from './messages.ts';
import { type ComparisonModel, flipKey, type PairModel } from './model.ts';

const titles: Readonly<Record<FlipKind, string>> = { fixed: 'Fixed', broken: 'Broken' };
const meanings: Readonly<Record<FlipKind, string>> = {
  fixed: 'B solves them more often.',
  broken: 'A solves them more often.',
};

export function flipList(
  kind: FlipKind,
  pair: PairModel,
  model: ComparisonModel,
  actions: ComparisonActions,
): TemplateResult {
  const count = pair.comparison?.[kind] ?? 0;
  const { flips, next } = pair.lists[kind];
  const { round, shown } = model;
  return html`<section class="plot" tabindex="0" aria-label=${titles[kind]}>
    <h2>${titles[kind]}: ${grouped(count)}</h2>
    <p class="sub">${count === 0 ? 'None.' : meanings[kind]}</p>
    <ul class="flips">
      ${flips.map((flip, at) => flipView(kind, flip, at, pair, model, actions))}
    </ul>
    ${
      next === null || count === 0
        ? nothing
        : html`<p>
            <button
              type="button"
              class="link"
              @click=${() => actions.send({ kind: 'flips', round, at: shown, flips: kind, from: next })}
            >
              Show more (${grouped(flips.length)} of ${grouped(count)} shown)
            </button>
          </p>`
    }
  </section>`;
}

function flipView(
  kind: FlipKind,
  flip: FlipRow,
  at: number,
  pair: PairModel,
  { round, shown }: ComparisonModel,
  { send }: ComparisonActions,
): TemplateResult {
  const parting = pair.partings.get(flipKey(kind, at));
  const toggled = (event: Event) => {
    const isOpen = event.target instanceof HTMLDetailsElement && event.target.open;
    if (isOpen && parting === undefined) send({ kind: 'parting', round, at: shown, flips: kind, flip: at });
  };
  const tasks = { a: flip.a.task, b: flip.b.task };
  const groups = Object.entries(flip.groups).map(([id, value]) => {
    const label = pair.comparison?.a.groupings.find((it) => it.id === id)?.label ?? id;
    return `${value} ${label}`;
  });
  return html`<li>
    <details @toggle=${toggled}>
      <summary>
        <span class="name">${flip.instance}</span>
        <span class="sub">${groups.join(' · ')}</span>
        <span class="sides">${sideText(flip.a)} → ${sideText(flip.b)}</span>
      </summary>
      ${parting === undefined ? html`<p class="quiet" role="status">Playing both again…</p>` : partingView(parting)}
      <p>
        <button
          type="button"
          class="link"
          @click=${() =>
            send({
              kind: 'sideBySide',
              at: shown,
              instance: flip.instance,
              tasks,
              step: parting?.step ?? null,
            })}
        >
          Open side by side
        </button>
      </p>
    </details>
  </li>`;
}

function sideText({ cause, reward, solved, rollouts, steps }: FlipSide): string {
  const how = rollouts === 1 ? '' : `${Math.round(solved * rollouts)} of ${rollouts}, `;
  return `${how}${cause ?? (solved > 0 ? 'correct' : 'wrong')} ${fixed(reward)} in ${counted(steps, 'step')}`;
}

function partingView({ step, a, b, isWordingOnly }: Parting): TemplateResult {
  if (step === null) return html`<p>Both do the same in every step; only their words differ.</p>`;
  return html`<p>
      They part at step ${step}${isWordingOnly ? ', as far as the wording tells' : ''}.
    </p>
    <div class="beside">${sideView('A', a)} ${sideView('B', b)}</div>`;
}

function sideView(name: string, side: PartingSide | null): TemplateResult {
  if (side === null) return html`<div><p class="sub">${name}: the episode is over</p></div>`;
  const { label, text, isCut } = side;
  return html`<div>
    <p class="sub">${name}${label === null ? nothing : html`: <code>${label}</code>`}</p>
    <pre tabindex="0" role="region" aria-label="Reply of ${name}">${text}</pre>
    ${isCut ? html`<p class="sub">The reply goes on.</p>` : nothing}
  </div>`;
}
