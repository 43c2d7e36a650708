/** How reward and accuracy differ, all in all and by group, with how sure that is. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ComparisonView, Difference } from '../../../../server/src/protocol.ts';
import { fixed, grouped, signed } from '../format.ts';

export function differenceTables(comparison: ComparisonView): TemplateResult {
  const { reward, accuracy, instances, groups, a } = comparison;
  const labels = new Map(a.groupings.map(({ id, label }) => [id, label]));
  const scale = scaleOf([reward, accuracy, ...groups.flatMap((it) => [it.reward, it.accuracy])]);
  const byGrouping = [...new Set(groups.map(({ grouping }) => grouping))].map((id) => ({
    label: labels.get(id) ?? id,
    members: groups.filter(({ grouping }) => grouping === id),
  }));
  return html`<section class="plot whole" tabindex="0" aria-label="Differences">
    <h2>Differences</h2>
    <table>
      ${head('')}
      <tbody>
        ${row('Reward', instances, reward, scale)} ${row('Correct', instances, accuracy, scale)}
      </tbody>
      ${byGrouping.map(({ label, members }) =>
        // A single group would only repeat the rows above it.
        members.length < 2
          ? nothing
          : html`<tbody>
              <tr><th colspan="8" scope="rowgroup" class="group">By ${label}</th></tr>
              ${members.map(
                (it) =>
                  html`${row(`${it.value}, reward`, it.instances, it.reward, scale)}
                  ${row(`${it.value}, correct`, it.instances, it.accuracy, scale)}`,
              )}
            </tbody>`,
      )}
    </table>
    <p class="sub">
      The unit is the instance, with the mean of its rollouts. 95 % intervals by a seeded bootstrap. Better: instances on
      which B is better, and A. p: exact and two-sided, a sign test of reward and
      ${accuracy.test.name === 'mcnemar' ? 'McNemar’s test' : 'a sign test'} of correct. Needs: instances that tell such a
      difference from chance in four of five studies, for correct by the power of the exact test, for reward an
      approximation.
    </p>
  </section>`;
}

function head(title: string): TemplateResult {
  return html`<thead>
    <tr>
      <th scope="col">${title}</th>
      <th scope="col" class="number">A</th>
      <th scope="col" class="number">B</th>
      <th scope="col" class="number">B − A</th>
      <th scope="col" class="interval">95 % interval</th>
      <th scope="col" class="number">Better B : A</th>
      <th scope="col" class="number">p</th>
      <th scope="col" class="number">n, needs</th>
    </tr>
  </thead>`;
}

function row(name: string, n: number, figure: Difference, scale: number): TemplateResult {
  const { a, b, mean, interval, test, resolves } = figure;
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="number">${fixed(a)}</td>
    <td class="number">${fixed(b)}</td>
    <td class="number"><strong>${signed(mean)}</strong></td>
    <td>
      ${intervalBar(figure, scale)}
      <span class="sub">${interval === null ? '–' : `${signed(interval[0])} to ${signed(interval[1])}`}</span>
    </td>
    <td class="number">${grouped(test.bBetter)} : ${grouped(test.aBetter)}</td>
    <td class="number">${test.p < 0.001 ? '<0.001' : fixed(test.p)}</td>
    <td class="number">${grouped(n)}, ${resolves === null ? '–' : grouped(resolves)}</td>
  </tr>`;
}

/** Width of the drawing of an interval; it is stretched to its cell. */
const width = 200;

/** The largest distance from 0 that is drawn. */
function scaleOf(all: readonly Difference[]): number {
  return Math.max(0.05, ...all.flatMap(({ mean, interval }) => [mean, ...(interval ?? [])]).map(Math.abs));
}

function intervalBar({ mean, interval }: Difference, scale: number): TemplateResult {
  const place = (value: number) => width / 2 + (value / scale) * (width / 2 - 4);
  const isDecided = interval !== null && (interval[0] > 0 || interval[1] < 0);
  const kind = !isDecided ? '' : mean > 0 ? 'up' : 'down';
  return html`<svg class="bar" viewBox="0 0 ${width} 16" preserveAspectRatio="none" aria-hidden="true">
    <line class="zero" x1=${width / 2} x2=${width / 2} y1="0" y2="16"></line>
    ${
      interval === null
        ? nothing
        : svg`<rect class="range ${kind}" x=${place(interval[0])} y="4" width=${Math.max(1, place(interval[1]) - place(interval[0]))} height="8"></rect>`
    }
    <line class="whisker" x1=${place(mean)} x2=${place(mean)} y1="2" y2="14"></line>
  </svg>`;
}
