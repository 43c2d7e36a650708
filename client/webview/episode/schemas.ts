/** What the server gives, as the page checks it: a panel that was restored may have come from another version. */
import * as v from 'valibot';
import type {
  Gauge,
  PanelLayout,
  PanelSection,
  PanelVerdict,
  PanelView,
  SessionAdvice,
  SessionComparison,
  SessionHelp,
  SessionNote,
  SessionOpened,
  SessionOutcome,
  SessionPrompt,
  SessionSide,
  SessionStep,
  SessionText,
  SessionView,
  TextPortion,
} from '../../../server/src/protocol.ts';

type Schema<T> = v.GenericSchema<unknown, T>;

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.string();
const severity = v.picklist(['error', 'warning', 'info']);
const numbers = v.array(count);

export const portion: Schema<TextPortion> = v.object({ text, next: v.nullable(count) });

const layout: Schema<PanelLayout> = v.object({
  task: text,
  sections: v.array(text),
  chunks: v.array(v.object({ number: count, section: count, name: text, cost: v.number() })),
  gestures: v.array(
    v.object({
      on: v.picklist(['chunk', 'held', 'episode']),
      label: text,
      reply: text,
      asks: v.nullable(text),
    }),
  ),
  evidence: numbers,
  distractors: numbers,
});

const gauge: Schema<Gauge> = v.object({ used: v.number(), limit: v.number(), unit: text });
const item = v.object({ id: text, kind: v.picklist(['chunk', 'summary']), size: v.number(), detail: text });
const mark = v.picklist(['good', 'bad', 'plain']);
const titled = { title: text, privileged: v.exactOptional(v.boolean()) };

const section: Schema<PanelSection> = v.variant('kind', [
  v.object({ ...titled, kind: v.literal('text'), text }),
  v.object({ ...titled, kind: v.literal('lines'), lines: v.array(v.object({ text, mark, detail: text })) }),
  v.object({
    ...titled,
    kind: v.literal('table'),
    columns: v.array(text),
    rows: v.array(v.object({ cells: v.array(text), mark })),
  }),
  v.object({
    ...titled,
    kind: v.literal('calls'),
    calls: v.array(v.object({ name: text, arguments: text, observation: v.nullable(text), mark })),
  }),
]);

const panel: Schema<PanelView> = v.object({
  gauge: v.nullable(
    v.object({
      title: v.exactOptional(text),
      used: v.number(),
      limit: v.number(),
      unit: text,
      items: v.array(item),
    }),
  ),
  budget: v.nullable(gauge),
  map: v.nullable(v.object({ held: numbers, dropped: numbers, wanted: v.nullable(count) })),
  ledger: v.array(v.object({ id: text, detail: text, text })),
  sections: v.array(section),
});

const question = { path: v.array(text), label: text, detail: text };

const verdict: Schema<PanelVerdict> = v.object({
  text,
  questions: v.array(
    v.variant('kind', [
      v.object({
        ...question,
        kind: v.literal('choice'),
        options: v.array(v.object({ value: text, label: text })),
      }),
      v.object({ ...question, kind: v.literal('texts') }),
    ]),
  ),
});

const note: Schema<SessionNote> = v.object({ severity, message: text });

const usage = v.object({
  input: v.number(),
  output: v.number(),
  cachedInput: v.exactOptional(v.number()),
  reasoning: v.exactOptional(v.number()),
});

const calls = v.array(v.object({ id: text, name: text, arguments: text }));

const step: Schema<SessionStep> = v.object({
  label: text,
  by: text,
  kind: v.picklist(['reply', 'verdict']),
  text: portion,
  reasoning: v.nullable(portion),
  calls,
  finish: v.nullable(text),
  usage: v.nullable(usage),
  notes: v.array(note),
});

const outcome: Schema<SessionOutcome> = v.object({
  done: v.boolean(),
  reward: v.number(),
  correct: v.boolean(),
  stop: text,
  steps: count,
});

export const view: Schema<SessionView> = v.object({
  node: count,
  depth: count,
  parent: v.nullable(count),
  next: v.nullable(count),
  need: v.picklist(['reply', 'verdict', 'nothing']),
  tools: v.array(text),
  verdict: v.nullable(verdict),
  forks: v.boolean(),
  outcome,
  metrics: v.array(v.object({ label: text, value: v.number(), description: text })),
  panel: v.nullable(panel),
  step: v.nullable(step),
  branch: v.array(
    v.object({
      node: count,
      depth: count,
      label: text,
      used: v.nullable(v.number()),
      worst: v.nullable(severity),
    }),
  ),
  tree: v.array(v.object({ parent: v.nullable(count), lane: count, depth: count, isEnd: v.boolean() })),
  ends: v.array(
    v.object({ node: count, depth: count, label: text, by: text, reward: v.nullable(v.number()) }),
  ),
  prompt: v.nullable(v.object({ name: text, uri: v.nullable(text), model: v.nullable(text) })),
});

export const opened: Schema<SessionOpened> = v.object({
  environment: v.object({ id: text, title: text }),
  instance: v.object({ id: text, uri: v.nullable(text) }),
  testSplit: v.nullable(text),
  minSteps: count,
  layout: v.nullable(layout),
  policies: v.array(v.object({ id: text, description: text, privileged: v.boolean() })),
  canAdvise: v.boolean(),
  view,
});

export const prompt: Schema<SessionPrompt> = v.object({
  name: text,
  messages: v.array(
    v.object({
      role: v.picklist(['system', 'user', 'assistant', 'tool']),
      text: portion,
      tokens: v.nullable(count),
      calls,
    }),
  ),
  tools: v.array(text),
});

export const which = v.picklist(['sent', 'next']);

export const textOf: Schema<SessionText> = v.variant('kind', [
  v.object({ kind: v.literal('message'), which, index: count }),
  v.object({ kind: v.literal('reply') }),
  v.object({ kind: v.literal('reasoning') }),
  v.object({ kind: v.literal('item'), id: text }),
]);

export const advice: Schema<SessionAdvice> = v.object({
  reply: v.nullable(text),
  needed: v.nullable(count),
});

export const help: Schema<SessionHelp> = v.object({
  proposals: v.array(
    v.object({
      kind: v.picklist(['verb', 'text', 'chunk', 'summary']),
      label: text,
      detail: text,
      filter: text,
      insert: text,
      start: count,
      end: count,
    }),
  ),
  problems: v.array(note),
});

const side: Schema<SessionSide> = v.object({
  node: count,
  label: text,
  by: text,
  used: v.nullable(v.number()),
  worst: v.nullable(severity),
});

export const comparison: Schema<SessionComparison> = v.object({
  together: count,
  left: outcome,
  right: outcome,
  pairs: v.array(v.object({ depth: count, left: v.nullable(side), right: v.nullable(side) })),
});
