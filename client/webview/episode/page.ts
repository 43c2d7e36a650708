/** The page of an episode: connects the model, the view and the extension. */
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import { render } from 'lit';
import type { Actions } from './actions.ts';
import { findFocus, moveFocus } from './focus.ts';
import { type FromPage, type PageState, readPageState, readToPage } from './messages.ts';
import { askPrompt, driverOf, emptyModel, givenBy, type Model, receive, wantedPrompt } from './model.ts';
import { view } from './view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: PageState): void;
};

const editor = acquireVsCodeApi();
const kept = readPageState(editor.getState());
let model: Model = {
  ...emptyModel,
  driver: kept?.driver ?? '',
  typed: kept?.typed ?? '',
  turned: new Set(kept?.turned),
};
/** Where to scroll to once there is something to scroll. */
let scrollTo = kept?.scroll ?? 0;
let isDrawn = true;
let isShown = false;
/** When the step that is under way was asked for, for whoever measures how long a person waits. */
let steppedAt: number | undefined;

const actions: Actions = {
  now: () => model,
  send: (message) => editor.postMessage(message),
  order: (order) => editor.postMessage({ kind: 'order', order }),
  go(node) {
    if (node === null) return;
    show({ ...model, going: node });
    editor.postMessage({ kind: 'go', node });
  },
  change: (change) => show({ ...model, ...change }),
  answer: (key, value) => show({ ...model, answers: { ...model.answers, [key]: value } }),
  judge: () => actions.act(givenBy(model)),
  turn(part) {
    const turned = new Set(model.turned);
    if (!turned.delete(part)) turned.add(part);
    show({ ...model, turned });
    const id = /^item (.+)$/s.exec(part)?.[1];
    if (id !== undefined && turned.has(part) && model.view) {
      editor.postMessage({ kind: 'text', node: model.view.node, what: { kind: 'item', id }, from: 0 });
    }
  },
  play(reach) {
    if (model.driver === 'you') actions.act(givenBy(model));
    else ask({ kind: 'play', driver: driverOf(model), reach });
  },
  act: (text) => ask({ kind: 'play', driver: { kind: 'you', text }, reach: 'step' }),
  type(typed, offset) {
    const round = model.round + 1;
    show({ ...model, typed, round });
    editor.postMessage({ kind: 'help', round, text: typed, offset });
  },
};

/** What was typed has been played when the view comes that it led to. */
let played: string | undefined;

function ask(message: Extract<FromPage, { kind: 'play' }>): void {
  steppedAt = performance.now();
  played = message.driver.kind === 'you' ? message.driver.text : undefined;
  if (model.failure !== null) show({ ...model, failure: null });
  editor.postMessage(message);
}

/** Calls `run` once what is drawn in this frame is on the screen: a message comes after the frame's painting. */
function afterPaint(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = run;
  port2.postMessage(null);
}

/** Draws the model soon, and once however many messages come before the next frame. */
function show(next: Model): void {
  model = next;
  if (!isDrawn) return;
  isDrawn = false;
  requestAnimationFrame(draw);
}

function draw(): void {
  if (isDrawn) return; // it was before its frame
  isDrawn = true;
  const focused = findFocus();
  render(view(model, actions), document.body);
  moveFocus(focused);
  if (model.view && !isShown) {
    isShown = true;
    afterPaint(() => performance.mark('hopscope.opened'));
  }
  if (model.view && scrollTo > 0) {
    window.scrollTo(0, scrollTo);
    scrollTo = 0;
  }
  requestAnimationFrame(() => afterPaint(keep)); // nobody waits for that
  const wanted = wantedPrompt(model);
  if (wanted) {
    model = askPrompt(model, wanted);
    editor.postMessage(wanted);
  }
}

/** What was kept last, so that the editor is not busy with the same over and over while a person waits for a step. */
let keptLast = '';

/** Leaves to the next page of this panel what it needs to go on from here. */
function keep(): void {
  const { setup, driver, turned, typed } = model;
  if (!setup) return;
  const { session } = setup;
  const state = { session, driver, typed, turned: [...turned].slice(0, 100), scroll: window.scrollY };
  const text = JSON.stringify(state);
  if (text !== keptLast) editor.setState(state);
  keptLast = text;
}

window.addEventListener('scrollend', keep);
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readToPage(data);
  if (!message) return;
  let next = receive(model, message);
  if (message.kind === 'view') {
    if (played !== undefined && played === next.typed) next = { ...next, typed: '', help: null };
    played = undefined;
    const began = steppedAt;
    steppedAt = undefined;
    if (began !== undefined) {
      requestAnimationFrame(() => afterPaint(() => performance.measure('hopscope.step', { start: began })));
    }
  }
  show(next);
  // What a person waits for is drawn at once, so that it is ready for the next frame.
  if ((message.kind === 'view' || message.kind === 'opened') && !isDrawn) draw();
});

show(model);
editor.postMessage({ kind: 'ready' });
