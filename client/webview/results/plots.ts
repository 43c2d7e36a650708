/** The figures of a run as plots. Bars stand in tables, so that their numbers can be read, heard and compared as well. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Estimate, GroupFigures, OutcomeKind, PanelFigures } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { contextPlot } from './context-plot.ts';
import { causeName, counted, countsText, fixed, grouped, outcomeNames, percent } from './format.ts';
import type { Model } from './model.ts';

export function plots(model: Model, actions: Actions): TemplateResult {
  const { figures } = model;
  if (figures === null) return html`<p class="quiet" role="status">Summing up…</p>`;
  return html`<div class="plots">
    ${figures.groups.map(({ label, values }) => groupPlot(label, values, figures))}
    ${causePlot(figures, actions)} ${stepsPlot(figures)} ${contextPlot(model)} ${metricTable(figures)}
    ${settingsTable(model)}
  </div>`;
}

/** Reward with its interval, and how the episodes came out, for each value of a grouping. */
function groupPlot(
  label: string,
  values: readonly GroupFigures[],
  { counts }: PanelFigures,
): TemplateResult | typeof nothing {
  if (values.length === 0) return nothing;
  const highest = Math.max(1, ...values.map(({ reward }) => reward.interval?.[1] ?? reward.mean ?? 0));
  return html`<section class="plot" tabindex="0" aria-label="By ${label}">
    <h2>By ${label}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">${label}</th>
          <th scope="col">Reward per episode, 95 % interval</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="number">Correct</th>
          <th scope="col" class="number">Episodes</th>
        </tr>
      </thead>
      <tbody>
        ${values.map(
          (group) => html`<tr>
            <th scope="row" class="number">${typeof group.value === 'number' ? grouped(group.value) : group.value}</th>
            <td>${estimateBar(group.reward, highest)} ${estimateText(group.reward)}</td>
            <td>${outcomeBar(group.outcomes)}</td>
            <td class="number">${percent(group.accuracy.mean)}</td>
            <td class="number" title=${countsText(group.counts)}>
              ${grouped(group.counts.scored)} of ${grouped(group.counts.requested)}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${legend(['correct', 'wrong', 'errored', 'unfinished'])}
    <p class="sub">All: ${countsText(counts)}. Episodes: scored, of those begun.</p>
  </section>`;
}

/** Width of the drawing of a bar; it is stretched to its cell. */
const width = 200;

function estimateBar({ mean, interval }: Estimate, highest: number): TemplateResult | typeof nothing {
  if (mean === null) return nothing;
  const place = (value: number) => Math.min(width, Math.max(0, (value / highest) * width));
  return html`<svg class="bar" viewBox="0 0 ${width} 16" preserveAspectRatio="none" aria-hidden="true">
    <rect class="ground" x="0" y="2" width=${width} height="12"></rect>
    <rect class="fill" x="0" y="2" width=${place(mean)} height="12"></rect>
    ${
      interval === null
        ? nothing
        : svg`<line class="whisker" x1=${place(interval[0])} x2=${place(interval[1])} y1="8" y2="8"></line>
            <line class="whisker" x1=${place(interval[0])} x2=${place(interval[0])} y1="4" y2="12"></line>
            <line class="whisker" x1=${place(interval[1])} x2=${place(interval[1])} y1="4" y2="12"></line>`
    }
  </svg>`;
}

function estimateText({ mean, error }: Estimate): string {
  return error === null ? fixed(mean) : `${fixed(mean)} ± ${fixed(error)}`;
}

const kinds: readonly OutcomeKind[] = ['correct', 'wrong', 'errored', 'unfinished'];

function outcomeBar(outcomes: Readonly<Record<OutcomeKind, number>>): TemplateResult {
  const parts = kinds.filter((kind) => outcomes[kind] > 0);
  const text = parts.map((kind) => `${grouped(outcomes[kind])} ${kind}`).join(', ');
  return html`${stack(parts.map((kind) => [kind, outcomes[kind]] as const))}
    <span class="sub">${text}</span>`;
}

/** Parts of a whole beside each other. */
function stack(parts: readonly (readonly [OutcomeKind, number])[], whole?: number): TemplateResult {
  const sum = whole ?? parts.reduce((total, [, value]) => total + value, 0);
  let x = 0;
  return html`<svg class="bar" viewBox="0 0 ${width} 16" preserveAspectRatio="none" aria-hidden="true">
    <rect class="ground" x="0" y="2" width=${width} height="12"></rect>
    ${parts.map(([kind, value]) => {
      const from = x;
      const size = sum === 0 ? 0 : (value / sum) * width;
      x += size;
      return svg`<rect class="part ${kind}" x=${from} y="2" width=${size} height="12"></rect>`;
    })}
  </svg>`;
}

function legend(shown: readonly OutcomeKind[]): TemplateResult {
  return html`<p class="legend sub" aria-hidden="true">
    ${shown.map((kind) => html`<span class="swatch ${kind}"></span> ${outcomeNames[kind]} `)}
  </p>`;
}

function causePlot({ causes, otherCauses, counts }: PanelFigures, actions: Actions): TemplateResult {
  const most = Math.max(1, ...causes.map(({ count }) => count));
  return html`<section class="plot" tabindex="0" aria-label="Causes">
    <h2>Why episodes failed</h2>
    ${
      causes.length === 0
        ? html`<p class="quiet">No episode has failed.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Cause</th>
                <th scope="col" class="number">Episodes</th>
                <th scope="col" class="wide">Share of the most frequent</th>
              </tr>
            </thead>
            <tbody>
              ${causes.map(
                ({ cause, count }) => html`<tr>
                  <th scope="row">
                    <button
                      type="button"
                      class="link"
                      title="Show these episodes"
                      @click=${() => {
                        actions.ask({ causes: [cause], outcomes: [], groups: {}, text: '' });
                        actions.show('episodes');
                      }}
                    >
                      ${causeName(cause)}
                    </button>
                  </th>
                  <td class="number">${grouped(count)}</td>
                  <td>${stack([['wrong', count]], most)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      otherCauses === null
        ? nothing
        : html`<p class="sub">and ${counted(otherCauses.causes, 'more cause')} of ${counted(otherCauses.episodes, 'episode')}</p>`
    }
    <p class="sub">Of ${countsText(counts)}.</p>
  </section>`;
}

function stepsPlot({ stepsOverMin }: PanelFigures): TemplateResult | typeof nothing {
  if (stepsOverMin.length === 0) return nothing;
  const most = Math.max(1, ...stepsOverMin.map(({ correct, wrong }) => correct + wrong));
  const all = stepsOverMin.reduce((sum, { correct, wrong }) => sum + correct + wrong, 0);
  const name = ({ from, to }: { readonly from: number; readonly to: number | null }) => {
    if (from === 0) return 'fewer';
    if (from === 1) return `1 to ${to ?? ''} ×`;
    return to === null ? `${from} × and more` : `${from} to ${to} ×`;
  };
  return html`<section class="plot" tabindex="0" aria-label="Steps over the fewest">
    <h2>Steps over the fewest</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Steps, in multiples of the fewest</th>
          <th scope="col" class="wide">Episodes</th>
          <th scope="col" class="number">Correct</th>
          <th scope="col" class="number">Wrong</th>
        </tr>
      </thead>
      <tbody>
        ${stepsOverMin.map(
          (bucket) => html`<tr>
            <th scope="row">${name(bucket)}</th>
            <td>
              ${stack(
                [
                  ['correct', bucket.correct],
                  ['wrong', bucket.wrong],
                ],
                most,
              )}
            </td>
            <td class="number">${grouped(bucket.correct)}</td>
            <td class="number">${grouped(bucket.wrong)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${legend(['correct', 'wrong'])}
    <p class="sub">${counted(all, 'scored episode')} whose fewest steps are known; upper ends are not included.</p>
  </section>`;
}

function metricTable({ metrics, counts, replies }: PanelFigures): TemplateResult | typeof nothing {
  const odd = [
    ['refused', replies.refusal],
    ['cut off', replies.truncated],
    ['empty', replies.empty],
  ] as const;
  const told = odd.filter(([, count]) => count > 0).map(([name, count]) => `${grouped(count)} ${name}`);
  if (metrics.length === 0 && told.length === 0) return nothing;
  return html`<section class="plot" tabindex="0" aria-label="Metrics">
    <h2>Metrics</h2>
    ${told.length === 0 ? nothing : html`<p>Replies: ${told.join(', ')}.</p>`}
    <table>
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col" class="number">Mean ± error</th>
          <th scope="col" class="number">Episodes</th>
          <th scope="col" class="wide">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${metrics.map(
          ({ label, description, figure }) => html`<tr>
            <th scope="row">${label}</th>
            <td class="number">${fixed(figure.mean)} ± ${fixed(figure.error)}</td>
            <td class="number">${grouped(figure.n)}</td>
            <td class="sub">${description}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="sub">Of ${countsText(counts)}; a metric counts where it applies.</p>
  </section>`;
}

function settingsTable({ facts }: Model): TemplateResult | typeof nothing {
  if (facts === null) return nothing;
  return html`<section class="plot" tabindex="0" aria-label="What was asked">
    <h2>What was asked</h2>
    <table class="settings">
      <tbody>
        ${facts.settings.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
      </tbody>
    </table>
  </section>`;
}
