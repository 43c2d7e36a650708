/** Streams: scores of settings, windows, curves, what a method remembered, and what all of it took. */
import { html, nothing, type TemplateResult } from 'lit';
import type { StreamSummary, StreamView } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { counted, grouped, named, points } from './format.ts';
import type { Model } from './model.ts';
import { curvePlots } from './stream-curves.ts';
import { published } from './stream-published.ts';

export function streamPage(model: Model, actions: Actions): TemplateResult {
  const { stream } = model;
  if (stream === null) return html`<p class="quiet" role="status">Summing up…</p>`;
  return html`<div class="plots">
    ${scores(stream)} ${origin(stream)} ${windows(stream)} ${curvePlots(stream)} ${memories(model, stream, actions)}
    ${invalid(stream)} ${costs(stream)} ${published(stream)}
  </div>`;
}

/** Whether all of it is played. */
function isWhole({ done, of }: Pick<StreamView, 'done' | 'of'>): boolean {
  return done >= of;
}

function scores(stream: StreamView): TemplateResult {
  const { averages, categories, streams } = stream;
  const rows = [...new Set(streams.map(({ place }) => place[0]))];
  const columns = [...new Set(streams.map(({ place }) => place[1]))].sort();
  const find = (row: string, column: string) =>
    streams.find(({ place }) => place[0] === row && place[1] === column);
  return html`<section class="plot whole" tabindex="0" aria-label="Scores">
    <h2>Scores on test tasks</h2>
    <dl class="tiles">
      ${averages.map(
        ({ label, description, score }) => html`<div class="tile">
          <dt>${label}</dt>
          <dd><span class="value">${points(score)}</span></dd>
          <dd class="of">${score === null ? 'Not all of its settings are here with all their tasks.' : nothing} ${description}</dd>
        </div>`,
      )}
    </dl>
    ${
      categories.length === 0
        ? html`<p class="quiet">No test task has been played yet.</p>`
        : html`<table class="scores">
            <thead>
              <tr>
                <th></th>
                ${columns.map((column) => html`<th scope="colgroup" class="number" colspan=${categories.length}>${column}</th>`)}
              </tr>
              <tr>
                <th scope="col">Domain</th>
                ${columns.map(() => categories.map((it) => html`<th scope="col" class="number">${named(it)}</th>`))}
              </tr>
            </thead>
            <tbody>
              ${rows.map(
                (row) => html`<tr>
                  <th scope="row">${row}</th>
                  ${columns.map((column) => categories.map((it) => scoreCell(find(row, column), it)))}
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    <p class="sub">
      Points from 0 to 100, the mean over the test tasks of a setting; behind it how many were played.
      ${isWhole(stream) ? nothing : html`${grouped(stream.done)} of ${grouped(stream.of)} episodes are over, so far.`}
    </p>
  </section>`;
}

function scoreCell(stream: StreamSummary | undefined, category: string): TemplateResult {
  const found = stream?.scores.find((it) => it.category === category);
  return html`<td class="number">
    ${found === undefined ? '–' : html`<strong>${points(found.score)}</strong> <span class="sub">(${grouped(found.tasks)})</span>`}
  </td>`;
}

function origin({ method, size, sources, judges }: StreamView): TemplateResult {
  const several = (list: readonly string[], what: string) =>
    list.length > 1
      ? html`<p class="notice">There is more than one ${what} here, so these figures mean little.</p>`
      : nothing;
  return html`<section class="plot" tabindex="0" aria-label="Where this comes from">
    <h2>Where this comes from</h2>
    <table class="settings">
      <tbody>
        <tr><th scope="row">Method</th><td>${method.name}: ${method.description}</td></tr>
        <tr><th scope="row">Size</th><td>${size}</td></tr>
        <tr>
          <th scope="row">Tasks</th>
          <td>${sources.length === 0 ? 'none yet' : `made by ${sources.join(' and ')}`}</td>
        </tr>
        ${
          judges.length === 0
            ? nothing
            : html`<tr>
                <th scope="row">Judge</th>
                <td>${judges.join(' and ')}; scores of other judges are not comparable</td>
              </tr>`
        }
      </tbody>
    </table>
    ${several(sources, 'source of tasks')} ${several(judges, 'judge')}
  </section>`;
}

function windows({ streams, method }: StreamView): TemplateResult {
  return html`<section class="plot whole" tabindex="0" aria-label="Windows">
    <h2>Windows</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Stream, window</th>
          <th scope="col">Rules</th>
          ${method.learns ? html`<th scope="col" class="number">Serving</th><th scope="col" class="number">Score</th>` : nothing}
          <th scope="col" class="number">Test</th>
          <th scope="col">Scores on test tasks</th>
        </tr>
      </thead>
      ${streams.map(
        ({ id, title, windows: all }) => html`<tbody>
          <tr><th colspan="6" scope="rowgroup" class="group">${id} <span class="sub">${title}</span></th></tr>
          ${all.map(
            (it) => html`<tr>
              <th scope="row">Window ${it.window}</th>
              <td>
                ${
                  it.changes === 0
                    ? html`<span class="sub">${it.window === 0 ? 'first' : 'as before'}</span>`
                    : html`<i class="codicon codicon-arrow-swap" aria-hidden="true"></i> ${counted(it.changes, 'rule')}
                        changed`
                }
              </td>
              ${
                it.serving === null
                  ? nothing
                  : html`<td class="number">${ofText(it.serving)}</td><td class="number">${points(it.serving.score)}</td>`
              }
              <td class="number">${ofText(it.test)}</td>
              <td>
                ${
                  it.isPlayed
                    ? it.scores.map((one) => `${named(one.category)} ${points(one.score)}`).join(', ') || '–'
                    : html`<span class="sub">not asked for</span>`
                }
              </td>
            </tr>`,
          )}
        </tbody>`,
      )}
    </table>
    <p class="sub">
      ${method.learns ? 'Serving tasks are those that the method learns from; nothing is measured by them.' : 'A method that learns nothing is given no serving tasks.'}
    </p>
  </section>`;
}

function ofText({ done, of }: { readonly done: number; readonly of: number }): string {
  return `${grouped(done)}/${grouped(of)}`;
}

function memories(model: Model, { memories: all, method }: StreamView, actions: Actions): TemplateResult {
  return html`<section class="plot" tabindex="0" aria-label="What was learnt">
    <h2>What was learnt</h2>
    ${
      all.length > 0
        ? nothing
        : html`<p class="quiet">
            ${method.learns ? 'Nothing yet, or these files come from a program that does not keep it.' : 'This method learns nothing.'}
          </p>`
    }
    ${all.map(
      ({ stream, window, block, length }, at) => html`<details
        @toggle=${(event: Event) => {
          const isOpen = event.target instanceof HTMLDetailsElement && event.target.open;
          if (isOpen && !model.memories.has(at)) actions.send({ kind: 'memory', at });
        }}
      >
        <summary>
          ${stream}, window ${window}, after block ${block + 1} ·
          ${length === 0 ? 'nothing' : counted(length, 'character')}
        </summary>
        ${length === 0 ? nothing : html`<pre tabindex="0">${model.memories.get(at) ?? 'Fetching…'}</pre>`}
      </details>`,
    )}
  </section>`;
}

function invalid({ invalid: all }: StreamView): TemplateResult {
  return html`<section class="plot" tabindex="0" aria-label="Replies that counted for nothing">
    <h2>Replies that counted for nothing</h2>
    ${
      all.length === 0
        ? html`<p class="quiet">There were none.</p>`
        : html`<table>
            <thead><tr><th scope="col">Why</th><th scope="col" class="number">Replies</th></tr></thead>
            <tbody>
              ${all.map(
                ({ reason, count }) => html`<tr>
                  <th scope="row">${named(reason)}</th>
                  <td class="number">${grouped(count)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    <p class="sub">Why episodes failed stands under Figures.</p>
  </section>`;
}

function costs({ spent, dollars, done }: StreamView): TemplateResult {
  const tokens = spent.reduce((sum, it) => sum + it.input + it.output, 0);
  const each = (value: number) => value / Math.max(1, done);
  return html`<section class="plot" tabindex="0" aria-label="Cost">
    <h2>Cost</h2>
    ${
      tokens === 0
        ? html`<p class="quiet">No endpoint has counted any tokens.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">For</th>
                ${['Requests', 'Tokens in', 'Tokens out'].map((it) => html`<th scope="col" class="number">${it}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${spent.map(
                ({ part, input, output, calls }) => html`<tr>
                  <th scope="row">${part}</th>
                  <td class="number">${grouped(calls)}</td>
                  <td class="number">${grouped(input)}</td>
                  <td class="number">${grouped(output)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    <p class="sub">
      ${tokens === 0 ? nothing : `${grouped(Math.round(each(tokens)))} tokens for each of ${counted(done, 'task')}. `}
      ${
        dollars !== null
          ? `In all $${dollars.toFixed(2)}, $${each(dollars).toFixed(4)} for each task, judges included.`
          : tokens === 0
            ? nothing
            : 'What that cost is not known: the table of prices has no such model.'
      }
    </p>
  </section>`;
}
