import { describe, expect, test } from 'vitest';
import { reply } from '../../../../server/src/engine/environments/chat.ts';
import { navigator } from '../../../../server/src/engine/environments/navigator/index.ts';
import { stepsOfResult, stepsOfTrace } from '../../../../server/src/engine/evals/panel/conversation.ts';
import {
  panelSteps,
  playedSteps,
  readSteps,
  saidSteps,
  textOfPart,
} from '../../../../server/src/engine/evals/panel/steps.ts';
import { episodeTranscript } from '../../../../server/src/engine/evals/panel/transcript.ts';
import { statesOf } from '../../../../server/src/engine/evals/play-task.ts';
import { parseTranscript } from '../../../../server/src/engine/transcripts/parse-transcript.ts';
import { oracleReplies } from '../../../support/run-folders.ts';
import { sketchRun } from '../../../support/runs.ts';

const message = (role: string, content: string, sampled?: boolean) => ({
  message: { role, content },
  ...(sampled === undefined ? {} : { sampled }),
});

/** Steps as `asked > reply`. */
function told(steps: ReturnType<typeof stepsOfTrace>): string[] {
  return steps.map(
    ({ asked, reply: said }) =>
      `${asked.map(({ role, content }) => `${role} ${content}`).join(', ')} > ${said.text}`,
  );
}

describe('lines of other programs', () => {
  test.each<[string, unknown, readonly string[]]>([
    [
      'a trace a step',
      {
        traces: [
          {
            nodes: [
              message('system', 'r', false),
              message('user', '1', false),
              message('assistant', 'a', true),
            ],
          },
          {
            nodes: [
              message('system', 'r', false),
              message('user', '2', false),
              message('assistant', 'b', true),
            ],
          },
        ],
      },
      ['system r, user 1 > a', 'system r, user 2 > b'],
    ],
    [
      'one conversation, unmarked',
      {
        nodes: [
          message('user', '1'),
          message('assistant', 'a'),
          message('user', '2'),
          message('assistant', 'b'),
        ],
      },
      ['user 1 > a', 'user 2 > b'],
    ],
    ['a question without a reply', { nodes: [message('user', '1', false)] }, []],
    ['something else', { traces: [3, null, { nodes: 'x' }] }, []],
    ['nothing', null, []],
  ])('traces: %s', (_, line, expected) => expect(told(stepsOfTrace(line))).toEqual(expected));

  test.each<[string, unknown, readonly string[]]>([
    [
      'lists of messages',
      { prompt: [{ role: 'user', content: '1' }], completion: [{ role: 'assistant', content: 'a' }] },
      ['user 1 > a'],
    ],
    ['texts', { prompt: '1', completion: 'a' }, ['user 1 > a']],
    [
      'examples in the prompt',
      { prompt: [{ role: 'assistant', content: 'e' }], completion: 'a' },
      ['assistant e > a'],
    ],
    ['nothing', {}, []],
  ])('results: %s', (_, line, expected) => expect(told(stepsOfResult(line))).toEqual(expected));
});

const made = navigator.generate('train', 0, {});
if (!made.ok) throw new Error(made.error);
const { instance } = made.value;

describe('an episode that is played again', () => {
  const events = [...oracleReplies(instance).slice(0, 2), 'ACTION: ANSWER Nobody'].map(reply);
  const states = statesOf(navigator, instance, {}, events);
  const ask = () => ({ messages: [{ role: 'user', content: 'What?' }] as const });
  const steps = playedSteps(navigator, states, events, ask, []);
  const shown = panelSteps(steps);

  test('tells what each step did and what came of it', () => {
    expect(shown.map(({ step, label }) => [step, label?.split(' ')[0]])).toEqual([
      [1, 'READ'],
      [2, 'COMPRESS'],
      [3, 'ANSWER'],
    ]);
    expect(shown[0]?.asked).toEqual([{ role: 'user', length: 5 }]);
    expect(shown[0]?.gauge?.used).toBeGreaterThan(0);
    expect(Object.fromEntries(shown[2]?.record ?? [])).toMatchObject({ ok: 'true', done: 'true' });
  });

  test('gives whole texts when they are asked for', () => {
    const [first] = steps;
    if (!first) throw new Error('no step');
    expect(textOfPart(first, { kind: 'asked', at: 0 })).toBe('What?');
    expect(textOfPart(first, { kind: 'asked', at: 1 })).toBeNull();
    expect(textOfPart(first, { kind: 'text' })).toBe(events[0]?.text);
    expect(textOfPart(first, { kind: 'reasoning' })).toBeNull();
  });
});

test('texts are cut, and say how long they are', () => {
  const long = 'x'.repeat(50_000);
  const calls = [{ id: '1', name: long, arguments: long }];
  const [shown] = panelSteps(
    saidSteps(
      [{ kind: 'reply', text: long, reasoning: long, toolCalls: calls }],
      [{ requests: 2, cached: true, ms: 5 }],
    ),
  );
  expect(shown?.text.length).toBe(50_000);
  expect(shown?.text.text.length).toBeLessThan(5000);
  expect(shown).toMatchObject({ reasoning: 50_000, cost: { requests: 2, cached: true, ms: 5 } });
  expect(JSON.stringify(shown).length).toBeLessThan(10_000);
});

test('verdicts stand after the reply they judge', () => {
  const steps = panelSteps(
    saidSteps([reply('a'), { kind: 'verdict', judge: 'j', value: { ok: 1 } }, reply('b')], []),
  );
  expect(steps.map(({ step, kind, text }) => [step, kind, text.text])).toEqual([
    [1, 'reply', 'a'],
    [1, 'verdict', 'j: {"ok":1}'],
    [2, 'reply', 'b'],
  ]);
});

test('what became of a reply is told', () => {
  const odd = [
    { kind: 'reply', text: ' ' },
    { kind: 'reply', text: 'a', finish: 'length' },
    { kind: 'reply', text: 'a', finish: 'refusal' },
  ] as const;
  const became = panelSteps(readSteps(odd.map((said) => ({ asked: [], reply: said })))).map(
    (step) => step.became,
  );
  expect(became).toEqual(['empty', 'truncated', 'refusal']);
});

describe('a transcript', () => {
  const { info, episodes } = sketchRun([{ instance: 'i', reward: 0, cause: 'gave-up' }]);
  const [episode] = episodes;
  if (!episode) throw new Error('no episode');
  const events = ['ACTION: READ 1', '=== step 9\r\n\0', 'ACTION: ANSWER x'].map(reply);

  test.each<[string, number | null, number | null, string]>([
    ['where the cause is seen', 2, null, '=== step 2 escaped'],
    ['at another step', 2, 3, '=== step 3'],
    ['at the first when the cause is seen nowhere', null, null, '=== step 1'],
    ['at the last when there is no such step', null, 99, '=== step 3'],
  ])('is shown %s', (_, causeStep, step, expected) => {
    const { text, line } = episodeTranscript(info, { ...episode, causeStep }, events, null, step);
    expect(text.split('\n')[line]).toBe(expected);
    const parsed = parseTranscript(text);
    expect(parsed.problems).toEqual([]);
    expect(parsed.transcript).toMatchObject({
      events,
      instance: 'i',
      policy: 'oracle',
      outcome: { reward: 0 },
    });
  });

  test('of an episode without replies begins at its beginning', () => {
    expect(episodeTranscript(info, episode, [], 'a.jsonl')).toMatchObject({ line: 0 });
  });
});
