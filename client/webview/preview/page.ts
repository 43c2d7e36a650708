/** The script of the preview's page: connects the model, the view and the extension. */
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { render } from 'lit';
import type { Actions } from './actions.ts';
import { type FromPage, type PageState, readPageState, readToPage } from './messages.ts';
import { emptyModel, type Model, receive, wanted } from './model.ts';
import { view } from './view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: PageState): void;
};

const editor = acquireVsCodeApi();
const kept = readPageState(editor.getState());
let model: Model = { ...emptyModel, marksChanges: kept?.marksChanges ?? true };
/** Where to scroll to once there is something to scroll. */
let scrollTo = kept?.scroll ?? 0;
/** The last portion asked for, so that none is asked for twice. */
let asked = '';

const actions: Actions = {
  send: (message) => editor.postMessage(message),
  markChanges: (marksChanges) => show({ ...model, marksChanges }),
  showWhole: (message) => show({ ...model, whole: new Set([...model.whole, message]) }),
};

function show(next: Model): void {
  model = next;
  render(view(model, actions), document.body);
  if (model.shown && scrollTo > 0) {
    window.scrollTo(0, scrollTo);
    scrollTo = 0;
  }
  keep();
  const more = wanted(model);
  const key = JSON.stringify(more);
  if (more && key !== asked) {
    asked = key;
    editor.postMessage(more);
  }
}

/** Leaves to the next page of this panel what it needs to go on from here. */
function keep(): void {
  if (!model.shown) return;
  const { uri, marksChanges, shown } = model;
  editor.setState({ uri, marksChanges, place: shown.place, scroll: window.scrollY });
}

window.addEventListener('scrollend', keep);
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readToPage(data);
  if (message) show(receive(model, message));
});

show(model);
editor.postMessage({ kind: 'ready' });
