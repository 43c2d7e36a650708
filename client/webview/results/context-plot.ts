/** How full the working context is over the steps, against its ceiling. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ContextStep, ContextUse } from '../../../server/src/protocol.ts';
import { counted, grouped } from './format.ts';
import type { Model } from './model.ts';

const size = { width: 640, height: 220, left: 56, right: 12, top: 12, bottom: 34 } as const;

export function contextPlot({ context }: Model): TemplateResult | typeof nothing {
  if (context === 'none') return nothing;
  return html`<section class="plot" tabindex="0" aria-label="Context use over steps">
    <h2>Context use over steps</h2>
    ${
      typeof context === 'string'
        ? html`<p class="quiet" role="status">Playing episodes again to see how full their context was…</p>`
        : drawing(context)
    }
  </section>`;
}

function drawing(use: ContextUse): TemplateResult {
  const { steps, limit, unit, episodes, of } = use;
  const last = Math.max(2, steps.length);
  const highest = Math.max(limit, ...steps.map(({ most }) => most)) * 1.05;
  const x = (step: number) => size.left + ((step - 1) / (last - 1)) * (size.width - size.left - size.right);
  const y = (value: number) =>
    size.height - size.bottom - (value / highest) * (size.height - size.top - size.bottom);
  const line = (value: (step: ContextStep) => number) =>
    steps.map((step) => `${x(step.step).toFixed(1)},${y(value(step)).toFixed(1)}`);
  const band = [...line(({ high }) => high), ...line(({ low }) => low).reverse()].join(' ');
  const fullest = Math.max(...steps.map(({ most }) => most));
  const told = `Over ${counted(steps.length, 'step')} the fullest context held ${grouped(fullest)} of ${grouped(limit)} ${unit}.`;
  return html`<svg class="lines" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label=${told}>
      ${[0, 0.5, 1].map((share) => {
        const value = Math.round(limit * share);
        return svg`<line class=${share === 1 ? 'ceiling' : 'grid'} x1=${size.left} x2=${size.width - size.right} y1=${y(value)} y2=${y(value)}></line>
          <text x=${size.left - 6} y=${y(value) + 4} text-anchor="end">${grouped(value)}</text>`;
      })}
      ${stepMarks(last).map(
        (step) =>
          svg`<text x=${x(step)} y=${size.height - size.bottom + 18} text-anchor="middle">${step}</text>`,
      )}
      <polygon class="band" points=${band}></polygon>
      <polyline class="most" points=${line(({ most }) => most).join(' ')}></polyline>
      <polyline class="median" points=${line(({ median }) => median).join(' ')}></polyline>
      <text class="name" x=${size.width - size.right} y=${y(limit) - 5} text-anchor="end">ceiling</text>
    </svg>
    <p class="sub">
      ${unit} in use after each step: median (line), middle half (band), most (thin line). From
      ${counted(episodes, 'episode')} of ${grouped(of)}, drawn evenly.
    </p>
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">Step</th>
            <th scope="col" class="number">Episodes</th>
            <th scope="col" class="number">Median</th>
            <th scope="col" class="number">Most</th>
          </tr>
        </thead>
        <tbody>
          ${steps.map(
            (step) => html`<tr>
              <th scope="row" class="number">${step.step}</th>
              <td class="number">${grouped(step.episodes)}</td>
              <td class="number">${grouped(step.median)}</td>
              <td class="number">${grouped(step.most)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
}

/** At most ten steps to be written below the drawing. */
function stepMarks(last: number): number[] {
  const every = Math.ceil(last / 10);
  return Array.from({ length: last }, (_, at) => at + 1).filter((step) => step === 1 || step % every === 0);
}
