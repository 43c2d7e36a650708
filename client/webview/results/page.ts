/** The script of the results panel's page: connects the model, the view and the extension. */
import { render } from 'lit';
import type { Actions } from './actions.ts';
import { type FromPage, type PageState, readPageState, readToPage } from './messages.ts';
import {
  blockSize,
  choose,
  type Model,
  missingBlocks,
  receive,
  startModel,
  textKey,
  unchoose,
  wantedSteps,
  withQuery,
} from './model.ts';
import { Scroll } from './scroll.ts';
import { view } from './view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: PageState): void;
};

/** Time after the last key until the chosen episode is fetched, in ms: holding an arrow key passes over many. */
const pause = 60;
/** Least time between two questions for figures while a run is being read, in ms. */
const figuresPause = 1000;

const editor = acquireVsCodeApi();
const kept = readPageState(editor.getState());
let model: Model = startModel(kept);
/** Requests that have no answer yet, so that nothing is asked for twice. */
const asked = new Set<string>();
let stepsTimer: number | undefined;
/** The episode whose steps were asked for last. */
let stepsOf: number | null = null;
/** Whether the heading of the episode gets the focus once it is there. */
let entersDetails = false;
let isDrawing = false;
/** The version of the run whose figures were asked for last, and when. */
let figuresOf = -1;
let figuresAt = Number.NEGATIVE_INFINITY;
let areFiguresAsked = false;
let figuresTimer: number | undefined;

const scroll = new Scroll(drawSoon);

/** Several changes at once are drawn together. */
function drawSoon(): void {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

function draw(): void {
  const sight = scroll.sight(model.found?.total ?? 0);
  render(view(model, sight, actions), document.body);
  scroll.rendered();
  want(sight.rows[0]?.at ?? 0, sight.rows.at(-1)?.at ?? blockSize - 1);
  if (entersDetails && model.details !== null) {
    entersDetails = false;
    document.querySelector<HTMLElement>('#episode')?.focus();
  }
  keep();
}

/** Asks for what is to be shown and is not there. */
function want(first: number, last: number): void {
  if (model.facts === null || model.gone !== null) return;
  const { round, query, progress } = model;
  const version = progress?.version ?? 0;
  for (const from of missingBlocks(model, first, last)) {
    once(`rows ${round} ${version} ${from}`, { kind: 'rows', round, query, from, count: blockSize });
  }
  // What is in sight is asked for again when the run went on.
  if (model.version !== version && model.found !== null) {
    const from = Math.max(0, first - (first % blockSize));
    once(`rows ${round} ${version} ${from}`, { kind: 'rows', round, query, from, count: blockSize * 2 });
  }
  askFigures(version);
  if (model.tab === 'figures' && model.context === 'unknown' && progress?.isComplete === true) {
    model = { ...model, context: 'asked' };
    editor.postMessage({ kind: 'context' });
  }
  const { task } = model;
  if (task === null) stepsOf = null;
  if (task !== null && model.details === null && stepsOf !== task && stepsTimer === undefined) {
    stepsTimer = window.setTimeout(() => {
      stepsTimer = undefined;
      if (model.task === null || model.details !== null) return;
      stepsOf = model.task;
      editor.postMessage({ kind: 'steps', task: model.task, from: 0 });
      editor.postMessage({ kind: 'note', task: model.task });
    }, pause);
  }
  const more = wantedSteps(model);
  if (task !== null && more !== null) once(`steps ${task} ${more}`, { kind: 'steps', task, from: more });
}

/**
 * Figures of a run that is being read change with every episode. They are asked for when the last ones are there, and not
 * much more often than anybody reads them.
 */
function askFigures(version: number): void {
  if (version === figuresOf || areFiguresAsked) return;
  const isLast = model.progress?.isComplete === true;
  const wait = isLast ? 0 : figuresAt + figuresPause - performance.now();
  if (wait > 0) {
    if (figuresTimer !== undefined) return;
    figuresTimer = window.setTimeout(() => {
      figuresTimer = undefined;
      drawSoon();
    }, wait);
    return;
  }
  areFiguresAsked = true;
  figuresOf = version;
  figuresAt = performance.now();
  editor.postMessage({ kind: 'figures' });
  if (model.facts?.format === 'stream') editor.postMessage({ kind: 'stream' });
}

function once(key: string, message: FromPage): void {
  if (asked.has(key)) return;
  // What was asked for long ago is forgotten, with what it was asked for.
  if (asked.size > 2000) asked.clear();
  asked.add(key);
  editor.postMessage(message);
}

function change(next: Model): void {
  model = next;
  drawSoon();
}

function pick(at: number): void {
  const total = model.found?.total ?? 0;
  if (total === 0) return;
  const to = Math.min(total - 1, Math.max(0, at));
  scroll.show(to);
  change(choose(model, to));
}

const actions: Actions = {
  send: (message) => editor.postMessage(message),
  show: (tab) => change({ ...model, tab }),
  ask: (query) => change(withQuery(model, query)),
  sort(column) {
    const { sort, descending } = model.query;
    change(withQuery(model, { sort: column, descending: sort === column ? !descending : false }));
  },
  choose: pick,
  enterDetails() {
    if (model.at === null) return;
    entersDetails = true;
    drawSoon();
  },
  leaveDetails(close) {
    if (close) change(unchoose(model));
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.table')?.focus());
  },
  fetch(at, part, from) {
    const { task } = model;
    if (task !== null)
      once(`text ${task} ${textKey(at, part)} ${from}`, { kind: 'text', task, at, part, from });
  },
  annotate(note) {
    if (model.task !== null) editor.postMessage({ kind: 'annotate', task: model.task, note });
  },
  key(event) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = placeAfter(event.key, model.at ?? -1, scroll.pageSize, model.found?.total ?? 0);
    if (to !== null) pick(to);
    else if (event.key === 'Enter') actions.enterDetails();
    else return;
    event.preventDefault();
  },
};

/** Where a key leads from a place in the table; null for keys that lead nowhere. */
function placeAfter(key: string, at: number, page: number, total: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return at - 1;
    case 'PageDown':
      return at + page;
    case 'PageUp':
      return at - page;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return null;
  }
}

/** Leaves to the next page of this panel what it needs to go on from here. */
function keep(): void {
  const { run, query, tab, task, at } = model;
  if (run !== '' && tab !== null) editor.setState({ run, query, tab, task, at });
}

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = readToPage(data);
  if (message === undefined) return;
  if (message.kind === 'run') {
    asked.clear();
    stepsOf = null;
    figuresOf = -1;
    areFiguresAsked = false;
  }
  if (message.kind === 'figures') areFiguresAsked = false;
  if (message.kind === 'steps') asked.delete(`steps ${message.task} ${message.from}`);
  if (message.kind === 'text')
    asked.delete(`text ${message.task} ${textKey(message.at, message.part)} ${message.from}`);
  const before = model;
  let next = receive(model, message);
  // A row may have been chosen before it was here.
  if (
    message.kind === 'rows' &&
    next.at !== null &&
    before.rows.get(next.at) === undefined &&
    before.task === null
  )
    next = choose(next, next.at);
  // An episode that went on is fetched again.
  if (message.kind === 'progress' && next.details !== null && next.details.row.outcome === 'unfinished')
    editor.postMessage({ kind: 'steps', task: next.details.task, from: 0 });
  change(next);
});

draw();
editor.postMessage({ kind: 'ready' });
