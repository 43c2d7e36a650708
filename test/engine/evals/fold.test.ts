import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { RunFold, toEpisode } from '../../../server/src/engine/evals/fold.ts';
import { parseStepLine } from '../../../server/src/engine/evals/formats/read-step-line.ts';
import { printStepLine, type StepLine } from '../../../server/src/engine/evals/formats/step-lines.ts';
import type { ModelFailure } from '../../../server/src/engine/evals/model.ts';

const instance = {
  id: 'i',
  hash: 'sha256:0',
  split: 's',
  index: 3,
  groups: { n_hops: 2, kind: 'x' },
  minSteps: 4,
};
const outcome = {
  done: true,
  reward: 0.5,
  correct: true,
  stop: 'answered',
  steps: 2,
  metrics: { n: 1, m: null },
};
const failure: ModelFailure = {
  code: 'server',
  message: 'The server had an error.',
  advice: 'Try later.',
  attempts: 5,
  retriable: true,
  status: 500,
};

function event(task: number, step: number, text: string, requests = 1): StepLine {
  const usage = { input: 10, output: 2, cachedInput: 4 };
  return {
    type: 'event',
    task,
    attempt: 1,
    step,
    event: { ...reply(text), usage },
    requests,
    cached: false,
    time: 9,
    ms: 1,
  };
}

const begin = (task: number): StepLine => ({ type: 'begin', task, attempt: 1, rollout: 1, instance });
const error = (task: number, step: number): StepLine => ({
  type: 'error',
  task,
  attempt: 1,
  step,
  failure,
  time: 9,
});
const end = (task: number, steps: number): StepLine => ({
  type: 'end',
  task,
  attempt: 2,
  steps,
  outcome,
  cause: 'twin',
  causeStep: 2,
  causeHop: 1,
});

function folded(lines: readonly StepLine[]): RunFold {
  const fold = new RunFold();
  for (const line of lines) fold.add(line);
  return fold;
}

describe('the fold', () => {
  it('makes episodes', () => {
    const fold = folded([begin(7), event(7, 1, 'a', 3), error(7, 2), event(7, 2, 'b'), end(7, 2)]);
    const [episode] = fold.records().map(toEpisode);
    expect(episode).toEqual({
      task: 7,
      instanceId: 'i',
      instanceHash: 'sha256:0',
      split: 's',
      index: 3,
      rollout: 1,
      groups: { n_hops: 2, kind: 'x' },
      minSteps: 4,
      outcome,
      error: null,
      cause: 'twin',
      causeStep: 2,
      causeHop: 1,
      events: ['a', 'b'].map((text) => ({ ...reply(text), usage: { input: 10, output: 2, cachedInput: 4 } })),
      steps: 2,
      usage: { input: 20, output: 4, cachedInput: 8 },
      attempts: 9,
    });
  });

  it.each([
    ['begun only', [begin(0)], 'unfinished', null],
    ['half-way', [begin(0), event(0, 1, 'a')], 'unfinished', null],
    ['failed', [begin(0), event(0, 1, 'a'), error(0, 2)], 'provider-error', failure],
    ['gone on with', [begin(0), error(0, 1), event(0, 1, 'a')], 'unfinished', null],
  ])('%s', (_, lines, cause, shown) => {
    expect(folded(lines).records().map(toEpisode)).toMatchObject([{ outcome: null, cause, error: shown }]);
  });

  it.each([
    ['an event twice', [begin(0), event(0, 1, 'a'), event(0, 1, 'b')], ['a']],
    ['an event after a gap', [begin(0), event(0, 1, 'a'), event(0, 3, 'c')], ['a']],
    ['an event without a beginning', [event(0, 1, 'a')], undefined],
    ['an end that does not fit', [begin(0), event(0, 1, 'a'), end(0, 2), event(0, 2, 'b')], ['a', 'b']],
    ['an event after the end', [begin(0), event(0, 1, 'a'), end(0, 1), event(0, 2, 'b')], ['a']],
    ['a second beginning', [begin(0), event(0, 1, 'a'), begin(0)], ['a']],
  ])('is not led astray by %s', (_, lines, texts) => {
    const said = folded(lines)
      .get(0)
      ?.events.map(({ event }) => (event.kind === 'reply' ? event.text : ''));
    expect(said).toEqual(texts);
  });
});

describe('lines', () => {
  const reasonable = fc.record({
    text: fc.string({ unit: 'binary' }),
    reasoning: fc.option(fc.string(), { nil: undefined }),
    finish: fc.constantFrom('stop', 'length', 'tool_calls', 'refusal', 'other', undefined),
    toolCalls: fc.option(
      fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments: fc.string() })),
      {
        nil: undefined,
      },
    ),
  });
  const lines: fc.Arbitrary<StepLine> = fc.oneof(
    reasonable.map(({ text, reasoning, finish, toolCalls }) => ({
      type: 'event' as const,
      task: 1,
      attempt: 2,
      step: 3,
      event: {
        ...reply(text),
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(finish === undefined ? {} : { finish }),
        ...(toolCalls === undefined ? {} : { toolCalls }),
      },
      requests: 1,
      cached: true,
      time: 1.5,
      ms: 0,
    })),
    fc
      .string()
      .map((message) => ({ ...failure, message }))
      .map((it) => ({ ...error(1, 2), failure: it }) as StepLine),
    fc.constantFrom<StepLine>(begin(2), end(3, 4), event(0, 1, 'x')),
    fc.jsonValue().map(
      (value): StepLine => ({
        ...{ type: 'event', task: 1, attempt: 2, step: 3, requests: 0, cached: false, time: 0, ms: 0 },
        event: { kind: 'verdict', judge: 'j', value: JSON.parse(JSON.stringify(value)) },
      }),
    ),
  );

  it('come back as they were, on one line each', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const printed = printStepLine(line);
        expect(printed.indexOf('\n')).toBe(printed.length - 1);
        expect(parseStepLine(printed)).toEqual({ ok: true, value: line });
      }),
    );
  });

  it('of any text never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseStepLine(text).ok === 'boolean'),
    );
  });

  it.each(['', '[]', '{}', '{"type":"event","task":0,"attempt":1}', '{"type":"end","task":-1,"attempt":1}'])(
    '%s is none',
    (text) => {
      expect(parseStepLine(text).ok).toBe(false);
    },
  );
});
