/** Learning curves: scores along a stream, test tasks by window and serving tasks by block. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { StreamSummary, StreamView } from '../../../server/src/protocol.ts';
import { grouped, named, points } from './format.ts';

const size = { width: 640, height: 220, left: 40, right: 12, top: 14, bottom: 34 } as const;

type Curve = StreamView['curves'];

/** A plot for each stream of which something is played. */
export function curvePlots({ streams, curves, categories }: StreamView): readonly TemplateResult[] {
  return streams.flatMap((stream) => {
    const own = curves.filter((it) => it.stream === stream.id);
    return own.length === 0 ? [] : [plot(stream, own, categories)];
  });
}

function plot(stream: StreamSummary, curve: Curve, order: readonly string[]): TemplateResult {
  const found = [...new Set(curve.map(({ category }) => category))];
  const categories = [...new Set([...order.filter((it) => found.includes(it)), ...found])];
  const hasServing = curve.some(({ phase }) => phase === 'serving');
  return html`<section class="plot" tabindex="0" aria-label="Learning curve of ${stream.id}">
    <h2>Learning curve of ${stream.id}</h2>
    ${drawing(stream, curve, categories)}
    <p class="sub legend">
      ${categories.map((it, at) => html`<span class="key k${at % 4}" aria-hidden="true"></span> ${named(it)} `)}
    </p>
    <p class="sub">
      Points over the position in the stream. Marks: test tasks of a window.
      ${hasServing ? 'Thin lines: serving tasks, a block each.' : nothing} Dashed: a window with changed rules begins.
    </p>
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Tasks</th>
            <th scope="col">Kind</th>
            ${['Window', 'Up to', 'Score', 'Tasks'].map((it) => html`<th scope="col" class="number">${it}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${curve.map(
            (it) => html`<tr>
              <th scope="row">${it.phase}</th>
              <td>${named(it.category)}</td>
              <td class="number">${it.window}</td>
              <td class="number">${grouped(it.position)}</td>
              <td class="number">${points(it.score)}</td>
              <td class="number">${grouped(it.tasks)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </section>`;
}

function drawing(
  { id, windows }: StreamSummary,
  curve: Curve,
  categories: readonly string[],
): TemplateResult {
  const last = Math.max(2, ...curve.map(({ position }) => position), ...windows.map(({ first }) => first));
  const x = (position: number) =>
    size.left + ((position - 1) / (last - 1)) * (size.width - size.left - size.right);
  const y = (score: number) =>
    size.height - size.bottom - (score / 100) * (size.height - size.top - size.bottom);
  const at = (it: Curve[number]) => `${x(it.position).toFixed(1)},${y(it.score).toFixed(1)}`;
  const tests = curve.filter(({ phase }) => phase === 'test');
  const ends = tests.map(
    ({ category, score, window }) => `${named(category)} ${points(score)} in window ${window}`,
  );
  return html`<svg
    class="lines"
    viewBox="0 0 ${size.width} ${size.height}"
    role="img"
    aria-label="${id}: ${ends.join(', ') || 'no test task yet'}"
  >
    ${[0, 50, 100].map(
      (score) =>
        svg`<line class="grid" x1=${size.left} x2=${size.width - size.right} y1=${y(score)} y2=${y(score)}></line>
          <text x=${size.left - 6} y=${y(score) + 4} text-anchor="end">${score}</text>`,
    )}
    ${windows.map(({ first, window, changes }) =>
      window === 0
        ? nothing
        : svg`<line class=${changes > 0 ? 'changed' : 'grid'} x1=${x(first)} x2=${x(first)} y1=${size.top} y2=${size.height - size.bottom}></line>`,
    )}
    ${windows.map(
      ({ first, window }) =>
        svg`<text x=${x(first)} y=${size.height - size.bottom + 18} text-anchor=${window === 0 ? 'start' : 'middle'}>${first}</text>`,
    )}
    <text x=${size.width - size.right} y=${size.height - size.bottom + 18} text-anchor="end">${last}</text>
    ${categories.map((category, place) => {
      const own = curve.filter((it) => it.category === category);
      const serving = own.filter(({ phase }) => phase === 'serving');
      const test = own.filter(({ phase }) => phase === 'test');
      return svg`<g class="curve k${place % 4}">
        <polyline class="thin" points=${serving.map(at).join(' ')}></polyline>
        <polyline points=${test.map(at).join(' ')}></polyline>
        ${test.map((it) => mark(place, x(it.position), y(it.score)))}
      </g>`;
    })}
  </svg>`;
}

/** Shapes tell lines apart for whoever does not see colours. */
function mark(place: number, x: number, y: number): TemplateResult {
  if (place % 2 === 0) return svg`<circle cx=${x} cy=${y} r="4.5"></circle>`;
  return svg`<rect x=${x - 4} y=${y - 4} width="8" height="8"></rect>`;
}
