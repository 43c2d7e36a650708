/** How full the working context was after each step, against its ceiling. */
import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { SessionView } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { counted, grouped, legible } from './words.ts';

interface Mark {
  readonly node: number;
  readonly depth: number;
  readonly used: number;
  readonly label: string;
}

/**
 * The chart of the branch that is followed; nothing where the environment has no gauge. The plot is stretched to its
 * place, so all positions are percentages.
 */
export function chart(
  { branch, panel, node, depth }: SessionView,
  actions: Actions,
): TemplateResult | typeof nothing {
  const gauge = panel?.gauge;
  if (!gauge) return nothing;
  const marks = branch.flatMap((point): Mark[] =>
    point.used === null ? [] : [{ ...point, used: point.used }],
  );
  const last = marks.at(-1);
  if (!last) return nothing;
  const peak = Math.max(gauge.limit, ...marks.map(({ used }) => used));
  const x = scaleLinear([0, Math.max(1, last.depth)], [3, 97]);
  const y = scaleLinear([0, peak * 1.18], [96, 0]);
  const outline = line<Mark>(
    ({ depth: at }) => x(at),
    ({ used }) => y(used),
  ).curve(curveStepAfter);
  const surface = area<Mark>(
    ({ depth: at }) => x(at),
    y(0),
    ({ used }) => y(used),
  ).curve(curveStepAfter);
  const most = Math.max(...marks.map(({ used }) => used));
  const label = `Context use over ${counted(last.depth, 'steps')}: at most ${grouped(most)} of ${grouped(gauge.limit)} ${gauge.unit}, now ${grouped(gauge.used)}`;
  const ceiling = `${y(gauge.limit)}%`;
  const here = `${x(depth)}%`;
  return html`<svg class="chart" role="img" aria-label=${label}>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" x="0" y="0" width="100%" height="100%">
      <path class="surface" d=${surface(marks) ?? ''}></path>
      <path class="outline" d=${outline(marks) ?? ''}></path>
    </svg>
    <line class="ceiling" x1="0" x2="100%" y1=${ceiling} y2=${ceiling}></line>
    <line class="here" x1=${here} x2=${here} y1="0" y2="96%"></line>
    <text class="tick" x="4" y=${ceiling} dy="-4">ceiling ${grouped(gauge.limit)}</text>
    ${marks.map(
      (mark) => svg`<circle
        class=${mark.node === node ? 'mark now' : 'mark'}
        cx="${x(mark.depth)}%"
        cy="${y(mark.used)}%"
        r=${mark.node === node ? 5 : 3.5}
        @click=${() => actions.go(mark.node)}
      ><title>${mark.depth}: ${legible(mark.label)}, ${grouped(mark.used)}</title></circle>`,
    )}
  </svg>`;
}
