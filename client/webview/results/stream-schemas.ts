/** Checks of what is told of streams. */
import * as v from 'valibot';
import type {
  MemoryView,
  SettingScore,
  SpentView,
  StreamSummary,
  StreamView,
  WindowView,
} from '../../../server/src/protocol.ts';
import { count } from '../checked.ts';

const maybe = v.nullable(v.number());
const texts = v.array(v.string());

const setting: v.GenericSchema<unknown, SettingScore> = v.object({
  category: v.string(),
  score: maybe,
  tasks: count,
});

const window: v.GenericSchema<unknown, WindowView> = v.object({
  window: count,
  first: v.number(),
  changes: count,
  isPlayed: v.boolean(),
  serving: v.nullable(v.object({ done: count, of: count, score: maybe })),
  test: v.object({ done: count, of: count }),
  scores: v.array(setting),
});

const stream: v.GenericSchema<unknown, StreamSummary> = v.object({
  id: v.string(),
  title: v.string(),
  place: v.tuple([v.string(), v.string()]),
  done: count,
  of: count,
  scores: v.array(setting),
  windows: v.array(window),
});

const curve: v.GenericSchema<unknown, StreamView['curves'][number]> = v.object({
  stream: v.string(),
  phase: v.picklist(['serving', 'test']),
  category: v.string(),
  window: v.number(),
  position: v.number(),
  score: v.number(),
  tasks: count,
});

const spent: v.GenericSchema<unknown, SpentView> = v.object({
  part: v.string(),
  input: v.number(),
  output: v.number(),
  calls: v.number(),
});

const memory: v.GenericSchema<unknown, MemoryView> = v.object({
  stream: v.string(),
  window: v.number(),
  block: v.number(),
  length: count,
});

export const streamView: v.GenericSchema<unknown, StreamView> = v.object({
  method: v.object({ name: v.string(), description: v.string(), learns: v.boolean() }),
  size: v.string(),
  sources: texts,
  judges: texts,
  done: count,
  of: count,
  streams: v.array(stream),
  categories: texts,
  averages: v.array(v.object({ label: v.string(), description: v.string(), score: maybe })),
  curves: v.array(curve),
  invalid: v.array(v.object({ reason: v.string(), count })),
  spent: v.array(spent),
  dollars: maybe,
  memories: v.array(memory),
  leaderboard: v.nullable(
    v.object({
      caveat: v.string(),
      columns: texts,
      rows: v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
    }),
  ),
});
