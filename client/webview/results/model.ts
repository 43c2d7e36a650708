/** What the results panel shows, as a fold over the messages it gets and what a person does. */
import type {
  ContextUse,
  EpisodeRow,
  PanelFigures,
  PanelStep,
  RowPage,
  RowQuery,
  RunFacts,
  RunProgress,
  StepPart,
  StepsPage,
  StreamView,
} from '../../../server/src/protocol.ts';
import type { PageState, Tab, ToPage } from './messages.ts';
import type { PageNote } from './schemas.ts';

/** A text of which more than its beginning was fetched. */
export interface Fetched {
  readonly text: string;
  /** Place to go on from; null when all of it is here. */
  readonly next: number | null;
}

/** The episode that is looked at. */
export interface Details extends Omit<StepsPage, 'steps'> {
  readonly task: number;
  /** As far as they are fetched. */
  readonly steps: readonly PanelStep[];
}

export interface Model {
  readonly run: string;
  readonly facts: RunFacts | null;
  readonly progress: RunProgress | null;
  readonly figures: PanelFigures | null;
  /** Of streams; null before it is there, and for runs. */
  readonly stream: StreamView | null;
  /** What a method remembered, by the place in the list, as far as somebody wanted to see it. */
  readonly memories: ReadonlyMap<number, string>;
  readonly context: ContextUse | 'unknown' | 'asked' | 'none';
  /** Null until it is known what there is to be shown. */
  readonly tab: Tab | null;
  readonly query: RowQuery;
  /** Counts queries. */
  readonly round: number;
  /** Rows by their place in the table, as far as they are fetched. */
  readonly rows: ReadonlyMap<number, EpisodeRow>;
  /** The version of the run of which rows were fetched last. */
  readonly version: number;
  /** Null before the first rows. */
  readonly found: Pick<RowPage, 'total' | 'scored' | 'reward'> | null;
  /** Place of the chosen row in the table, and the episode it is. */
  readonly at: number | null;
  readonly task: number | null;
  readonly details: Details | null;
  /** By {@link textKey}. */
  readonly texts: ReadonlyMap<string, Fetched>;
  readonly note: PageNote | null;
  /** Why something cannot be shown; null when all is well. */
  readonly refusal: string | null;
  readonly gone: string | null;
}

export const plainQuery: RowQuery = {
  sort: 'task',
  descending: false,
  outcomes: [],
  causes: [],
  groups: {},
  text: '',
};

export function startModel(kept: PageState | undefined): Model {
  return {
    run: kept?.run ?? '',
    facts: null,
    progress: null,
    figures: null,
    stream: null,
    memories: new Map(),
    context: 'unknown',
    tab: kept?.tab ?? null,
    query: kept?.query ?? plainQuery,
    round: 1,
    rows: new Map(),
    version: 0,
    found: null,
    at: kept?.at ?? null,
    task: kept?.task ?? null,
    details: null,
    texts: new Map(),
    note: null,
    refusal: null,
    gone: null,
  };
}

/** The model after `message`. */
export function receive(model: Model, message: ToPage): Model {
  switch (message.kind) {
    case 'run': {
      const { run, facts, progress } = message;
      // A server that was started anew counts versions anew.
      const tab = model.tab ?? (facts.format === 'stream' ? 'stream' : 'episodes');
      return { ...model, run, facts, progress, tab, version: -1, gone: null, refusal: null };
    }
    case 'progress':
      return { ...model, progress: message.progress };
    case 'rows':
      return message.round === model.round ? withRows(model, message.page) : model;
    case 'figures':
      return { ...model, figures: message.figures };
    case 'stream': {
      // Texts belong to places in the list: where that has changed they are fetched again.
      const isGrown = message.stream.memories.length >= (model.stream?.memories.length ?? 0);
      return { ...model, stream: message.stream, memories: isGrown ? model.memories : new Map() };
    }
    case 'memory':
      return { ...model, memories: new Map(model.memories).set(message.at, message.text) };
    case 'context':
      return { ...model, context: message.context ?? 'none' };
    case 'steps':
      return message.task === model.task ? withSteps(model, message.from, message.page) : model;
    case 'text': {
      if (message.task !== model.task) return model;
      const key = textKey(message.at, message.part);
      const before = message.from === 0 ? '' : (model.texts.get(key)?.text ?? '');
      const fetched = { text: before + message.page.text, next: message.page.next };
      return { ...model, texts: new Map(model.texts).set(key, fetched) };
    }
    case 'note':
      return message.task === model.task ? { ...model, note: message.note } : model;
    case 'refused':
      return { ...model, refusal: message.reason };
    case 'gone':
      return { ...model, gone: message.reason };
  }
}

function withRows(model: Model, page: RowPage): Model {
  const { version, from, total, scored, reward } = page;
  // Rows of an earlier version stay until newer ones take their place, so that nothing flickers.
  const rows = new Map([...model.rows].filter(([at]) => at < total));
  for (const [i, row] of page.rows.entries()) rows.set(from + i, row);
  const chosen = model.at === null ? undefined : rows.get(model.at);
  const task = model.at === null ? model.task : (model.task ?? chosen?.task ?? null);
  return { ...model, rows, version, found: { total, scored, reward }, task, refusal: null };
}

function withSteps(model: Model, from: number, page: StepsPage): Model {
  const before = from > 0 && model.details?.task === model.task ? model.details.steps.slice(0, from) : [];
  if (model.task === null || before.length < from) return model;
  const details: Details = { ...page, task: model.task, steps: [...before, ...page.steps] };
  return { ...model, details, refusal: null };
}

/**
 * Another query: what is in the table is asked for anew. How many are found is known before when only their order changes, so
 * that keys lead through the table meanwhile.
 */
export function withQuery(model: Model, change: Partial<RowQuery>): Model {
  const isOrder = Object.keys(change).every((key) => key === 'sort' || key === 'descending');
  return {
    ...model,
    query: { ...model.query, ...change },
    round: model.round + 1,
    rows: new Map(),
    found: isOrder ? model.found : null,
    at: null,
  };
}

/** Chooses a row of the table; its episode is known once the row is. */
export function choose(model: Model, at: number): Model {
  const row = model.rows.get(at);
  if (row === undefined) return { ...model, at };
  if (row.task === model.task) return { ...model, at };
  return { ...model, at, task: row.task, details: null, texts: new Map(), note: null };
}

/** Looks at no episode. */
export function unchoose(model: Model): Model {
  return { ...model, at: null, task: null, details: null, texts: new Map(), note: null };
}

/** Whether anything is filtered out. */
export function isFiltered({ outcomes, causes, groups, text }: RowQuery): boolean {
  const wanted = [outcomes, causes, ...Object.values(groups)];
  return text.trim() !== '' || wanted.some((values) => values.length > 0);
}

/** Names a text of a step. */
export function textKey(at: number, part: StepPart): string {
  return `${at} ${part.kind} ${'at' in part ? part.at : ''}`;
}

/** Rows of one request. */
export const blockSize = 100;

/** Beginnings of the blocks that rows from `first` to `last` lie in and that are not fetched yet. */
export function missingBlocks({ rows, found }: Model, first: number, last: number): number[] {
  const end = Math.min(last, found === null ? blockSize - 1 : found.total - 1);
  const blocks: number[] = [];
  for (let block = Math.floor(Math.max(0, first) / blockSize) * blockSize; block <= end; block += blockSize) {
    for (let at = block; at < block + blockSize && (found === null || at < found.total); at++) {
      if (rows.has(at)) continue;
      blocks.push(at); // of a block that came in two pieces only the rest
      break;
    }
  }
  return blocks;
}

/** The place to ask for more steps from, so that the one that shows the cause is there; null when it is. */
export function wantedSteps({ details }: Model): number | null {
  if (details === null || details.next === null) return null;
  const { causeStep } = details.row;
  const isThere = causeStep === null || details.steps.some(({ step }) => step >= causeStep);
  return isThere ? null : details.next;
}
