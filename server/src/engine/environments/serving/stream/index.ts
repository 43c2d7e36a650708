/** What the environment offers as streams. */
import { refuse } from '../../../problem.ts';
import type { Experience, StreamRow, Streams, TaskView } from '../../streams.ts';
import { bulletin } from '../bulletin.ts';
import { rewardOf } from '../episode.ts';
import type { Instance } from '../instance.ts';
import { methods } from '../methods/index.ts';
import type { Options } from '../options.ts';
import { dataSet, filesOf, type ReadFile } from '../published/manifest.ts';
import { PREFIX, unplayable } from '../published/playable.ts';
import { loadScenario, publishedScenarios } from '../published/streams.ts';
import { recordOf } from '../record.ts';
import type { State, Turn } from '../state.ts';
import { leaderboard } from './leaderboard.ts';
import { openStreamPlan, streamInfo, streamList } from './plan.ts';
import { invalidTurns, saidIn } from './read-row.ts';
import { averageInfos, scoreStreams } from './score.ts';

function task({ id, instruction, timestamp }: Instance): TaskView {
  return { taskId: id, instruction, timestamp };
}

function experience(state: State): Experience {
  return { ...task(state.instance), reward: rewardOf(state), record: recordOf(state) };
}

/** A row of a file of results, in the published shape, without what the runner knows better. */
function row(state: State): StreamRow & Readonly<Record<string, unknown>> {
  const { instance, pitch, verified, finish, stop } = state;
  const { evaluator } = instance;
  return {
    stream: instance.scenario,
    phase: instance.phase,
    window: instance.window,
    timestamp: instance.timestamp,
    task_id: instance.id,
    tier: instance.tier,
    family: evaluator.family,
    slice: evaluator.slice,
    category: instance.category,
    source: instance.source,
    reward: rewardOf(state),
    answer_detail: { stop, finish, verified, pitch },
    ...(pitch === null ? {} : { judge: pitch.judge }),
    instruction: instance.instruction,
    trace: state.turns.map(traceRow),
  };
}

function traceRow(turn: Turn): Readonly<Record<string, unknown>> {
  const { reply } = turn;
  return {
    kind: turn.kind,
    ...('reason' in turn ? { reason: turn.reason } : {}),
    name: turn.name,
    args: turn.args,
    obs: turn.observation,
    ...(reply === null
      ? {}
      : {
          raw: reply.text,
          reasoning: reply.reasoning ?? '',
          tool_calls: reply.toolCalls ?? [],
          finish_reason: reply.finish ?? null,
          usage: reply.usage ?? null,
        }),
  };
}

export const streams: Streams<Instance, Options, State> = {
  list: streamList,
  methods,
  blockSize: 12,
  open: openStreamPlan,
  task,
  experience,
  isScored: ({ stop }) => stop !== null && stop !== 'judge-error',
  // What the options say stays, and stands first.
  withContext: (options, context) => ({
    ...options,
    context: [options.context, context].filter((text) => text !== '').join('\n\n'),
  }),
  bulletin,
  row,
  said: saidIn,
  invalid: invalidTurns,
  score: (rows) => scoreStreams(rows),
  unplayable,
  averages: averageInfos,
  leaderboard,
  published: {
    set: dataSet,
    filesOf: (id) => publishedScenarios.filter((it) => `${PREFIX}${it.id}` === id).flatMap(filesOf),
    open: publishedStreams,
  },
};

/** The same over the files of the published data set. A scenario's files are looked at when it is opened. */
function publishedStreams(read: ReadFile): Streams<Instance, Options, State> {
  const list = publishedScenarios.map((scenario) => ({ ...scenario, id: `${PREFIX}${scenario.id}` }));
  return {
    ...streams,
    list: list.map((scenario) => ({ ...streamInfo(scenario), size: 'published' })),
    open(id) {
      const scenario = publishedScenarios.find((it) => `${PREFIX}${it.id}` === id);
      if (scenario === undefined) return refuse(`there is no published stream "${id}"`);
      return loadScenario(scenario, read);
    },
    score: (rows) => scoreStreams(rows, list),
  };
}
