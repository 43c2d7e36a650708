/** Published results beside one's own. */
import { html, nothing, type TemplateResult } from 'lit';
import type { StreamView } from '../../../server/src/protocol.ts';
import { fixed, grouped, points } from './format.ts';

/** Nothing where nobody has published any. */
export function published({
  leaderboard,
  averages,
  method,
  dollars,
}: StreamView): TemplateResult | typeof nothing {
  if (leaderboard === null) return nothing;
  const { columns, rows, caveat } = leaderboard;
  const isText = (column: string) => rows.every((row) => typeof row[column] === 'string');
  // Names and what sums up come first: the table is wide.
  const names = columns.filter(isText);
  const figures = columns.filter((column) => !isText(column)).reverse();
  const shown = [...names, ...figures];
  const kind = (column: string) => (isText(column) ? '' : 'number');
  return html`<section class="plot whole" tabindex="0" aria-label="Published results">
    <h2>Published results</h2>
    <p class="notice">${caveat}</p>
    <p>
      These streams, with ${method.name}:
      ${averages.map(({ label, score }) => `${label} ${points(score)}`).join(', ')}${dollars === null ? '' : `, $${dollars.toFixed(2)}`}.
    </p>
    <details>
      <summary>${grouped(rows.length)} published rows</summary>
      <div class="broad" tabindex="0" role="region" aria-label="Published rows">
        <table>
          <thead>
            <tr>${shown.map((column) => html`<th scope="col" class=${kind(column)}>${column.replaceAll('_', ' ')}</th>`)}</tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) => html`<tr>
                ${shown.map((column) => html`<td class=${kind(column)}>${cell(row[column])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}

function cell(value: string | number | null | undefined): string {
  return typeof value === 'number' ? fixed(value, 1) : (value ?? '–');
}
