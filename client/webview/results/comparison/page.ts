/** The script of the comparison page: connects the model, the view and the extension. */
import { render } from 'lit';
import type { ComparisonActions } from './actions.ts';
import { type ComparisonState, type FromComparison, readToComparison } from './messages.ts';
import { type ComparisonModel, emptyComparison, receiveComparison } from './model.ts';
import { comparisonPage } from './view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromComparison): void;
  setState(state: ComparisonState): void;
};

const editor = acquireVsCodeApi();
let model: ComparisonModel = emptyComparison;

const actions: ComparisonActions = {
  send: (message) => editor.postMessage(message),
  show: (shown) => change({ ...model, shown }),
};

function change(next: ComparisonModel): void {
  model = next;
  render(comparisonPage(model, actions), document.body);
  if (model.runs.length > 0) editor.setState({ runs: model.runs });
}

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readToComparison(data);
  if (message === undefined) return;
  change(receiveComparison(model, message));
  if (message.kind !== 'pair') return;
  const { round, at } = message;
  for (const flips of ['fixed', 'broken'] as const) {
    if (message.comparison[flips] > 0) editor.postMessage({ kind: 'flips', round, at, flips, from: 0 });
  }
});

change(model);
editor.postMessage({ kind: 'ready' });
