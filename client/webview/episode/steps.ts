/** The steps of the branch that is followed, and all branches beside it. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type {
  SessionEnd,
  SessionOutcome,
  SessionPair,
  SessionPoint,
  SessionSide,
  SessionTwig,
  SessionView,
} from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { card } from './card.ts';
import { chart } from './chart.ts';
import { link } from './controls.ts';
import { listbox } from './listbox.ts';
import { type Model, placeOf } from './model.ts';
import { counted, ending, grouped, legible, severityOf } from './words.ts';

export function steps(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { view } = model;
  if (!view) return nothing;
  const replies = view.branch.at(-1)?.depth ?? 0;
  return card('steps', 'Steps', counted(replies, 'steps'), model, actions, [
    html`${chart(view, actions)}`,
    listbox({
      id: 'steps',
      label: 'Steps of this branch',
      style: 'steps-list',
      active: placeOf(model),
      now: () => placeOf(actions.now()),
      options: view.branch.map((point) => ({
        key: point.node,
        content: pointView(point),
        style: point.worst ?? '',
      })),
      move: actions.go,
      choose: actions.go,
    }),
  ]);
}

function pointView({ depth, label, used, worst }: SessionPoint): TemplateResult {
  return html`<span class="number">${depth}</span><span class="grow label">${legible(label)}</span>${
    worst === null
      ? nothing
      : html`<i class="codicon codicon-${severityOf(worst).icon}" aria-hidden="true"></i
          ><span class="unseen">${severityOf(worst).name}</span>`
  }<span class="size">${used === null ? '' : grouped(used)}<span class="unseen"> held</span></span>`;
}

/** All branches, when there is more than one. */
export function branches(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { view } = model;
  if (!view || view.ends.length < 2) return nothing;
  const current = view.branch.at(-1)?.node ?? view.node;
  return card('branches', 'Branches', String(view.ends.length), model, actions, [
    html`${guard([view.tree, view.ends, view.node], () => tree(view.tree, view, actions))}`,
    html`<ul class="ends" aria-label="Ends of branches">
      ${view.ends.map((end) => endView(end, current, actions))}
    </ul>`,
    comparison(model, actions),
  ]);
}

const gap = 16;

function tree(twigs: readonly SessionTwig[], { node, ends }: SessionView, { go }: Actions): TemplateResult {
  const place = ({ depth, lane }: SessionTwig) => ({ x: 10 + depth * gap, y: 10 + lane * gap });
  const width = 20 + gap * twigs.reduce((most, { depth }) => Math.max(most, depth), 0);
  const height = 20 + gap * twigs.reduce((most, { lane }) => Math.max(most, lane), 0);
  return html`<div class="tree" tabindex="0" role="region" aria-label="Tree of branches">
    <svg width=${width} height=${height} role="img" aria-label="${twigs.length} states in all">
      ${twigs.map((twig) => {
        const { x, y } = place(twig);
        const parent = twig.parent === null ? undefined : twigs[twig.parent];
        if (!parent) return nothing;
        const from = place(parent);
        return svg`<path class="edge" d="M${from.x},${from.y} C${x - gap / 2},${from.y} ${from.x + gap / 2},${y} ${x},${y}"></path>`;
      })}
      ${twigs.map((twig, id) => {
        const { x, y } = place(twig);
        const end = twig.isEnd ? ends.find((it) => it.node === id) : undefined;
        const reward = end?.reward ?? null;
        const look = `twig ${id === node ? 'now' : ''} ${reward === null ? '' : reward > 0 ? 'end' : 'end lost'}`;
        const size = id === node ? 5.5 : 4;
        const said = svg`<title>${twig.depth}${end ? `: ${legible(end.label)}` : ''}${reward === null ? '' : `, reward ${grouped(reward)}`}</title>`;
        // A colour alone would not tell an end without reward from another.
        return reward !== null && reward <= 0
          ? svg`<rect class=${look} x=${x - size} y=${y - size} width=${2 * size} height=${2 * size}
              @click=${() => go(id)}>${said}</rect>`
          : svg`<circle class=${look} cx=${x} cy=${y} r=${size} @click=${() => go(id)}>${said}</circle>`;
      })}
    </svg>
  </div>`;
}

function endView(
  { node, depth, label, by, reward }: SessionEnd,
  current: number,
  actions: Actions,
): TemplateResult {
  const isCurrent = node === current;
  const said = `${depth}: ${legible(label)}`;
  return html`<li class=${isCurrent ? 'current' : ''}>
    ${link(said, 'Go to the end of this branch', true, () => actions.go(node))}
    <span class="size">${by}${reward === null ? '' : `, reward ${grouped(reward)}`}</span>
    <span class="space"></span>
    ${
      isCurrent
        ? html`<span class="size">shown</span>`
        : html`<button
            type="button"
            class="link"
            aria-label="Compare with ${said}"
            @click=${() => actions.send({ kind: 'compare', left: current, right: node })}
          >Compare</button>`
    }
  </li>`;
}

function comparison({ comparing, opened }: Model, actions: Actions): TemplateResult {
  const found = comparing?.comparison;
  if (!found || !opened) return html``;
  const { together, left, right, pairs } = found;
  return html`<div class="compared">
    <p class="quiet">
      The same for ${counted(together, 'steps')}.
      ${link('Close', 'Close the comparison', true, () => actions.change({ comparing: null }))}
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Comparison of two branches">
      <table>
        <thead>
          <tr><th scope="col">Step</th><th scope="col">This branch</th><th scope="col">The other</th></tr>
        </thead>
        <tbody>
          ${pairs.map((pair) => pairView(pair))}
          <tr><th scope="row">End</th><td>${outcomeText(left)}</td><td>${outcomeText(right)}</td></tr>
        </tbody>
      </table>
    </div>
  </div>`;
}

function outcomeText(outcome: SessionOutcome): string {
  return outcome.done ? ending(outcome) : 'not over';
}

function pairView({ depth, left, right }: SessionPair): TemplateResult {
  return html`<tr><th scope="row">${depth}</th><td>${sideView(left)}</td><td>${sideView(right)}</td></tr>`;
}

function sideView(side: SessionSide | null): TemplateResult | string {
  if (side === null) return '–';
  const { label, by, used, worst } = side;
  return html`${worst === null ? nothing : html`<i class="codicon codicon-${severityOf(worst).icon}" aria-hidden="true"></i> <span class="unseen">${severityOf(worst).name}:</span>`}
    ${legible(label)} <span class="size">${by}${used === null ? '' : `, ${grouped(used)} held`}</span>`;
}
