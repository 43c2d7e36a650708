/** Whether a person is asked before a run: only where money may be spent, and not twice for the same. */
import { beforeEach, expect, test, vi } from 'vitest';

const shown = vi.hoisted(() => ({
  dialogs: [] as unknown[][],
  errors: [] as string[],
  answer: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  EventEmitter: class {},
  ProgressLocation: { Notification: 15 },
  window: {
    withProgress: (_: unknown, work: (progress: object, token: object) => unknown) => work({}, {}),
    showErrorMessage: (text: string) => shown.errors.push(text),
    showInformationMessage: async (...words: unknown[]) => {
      shown.dialogs.push(words);
      return shown.answer;
    },
  },
}));

import type { EvalChoice } from '../../client/src/runs/choice.ts';
import { agree, describeEstimate, estimate } from '../../client/src/runs/confirm.ts';

const place = { base: '/w', runs: '/w/outputs', prices: null, concurrency: 8 };
const local = 'http://127.0.0.1:8000/v1';
const remote = 'https://api.example.com/v1';

function choiceAt(baseUrl: string): EvalChoice {
  return {
    prompts: ['/w/a.step.md'],
    agent: { model: 'm', baseUrl },
    instances: { split: 'train' },
    count: 2,
  };
}

function cost(dollars: number | null, requests = 10) {
  return { requests, input: 15_819, output: 510, dollars, episodes: 2 };
}

beforeEach(() => {
  shown.dialogs = [];
  shown.errors = [];
  shown.answer = 'Run';
});

test.each([
  ['a price, though the endpoint is here', local, 0.02, true],
  ['no price and an endpoint elsewhere', remote, null, true],
  ['a price of nothing', remote, 0, false],
  ['no price and an endpoint here', local, null, false],
])('%s', async (_, baseUrl, dollars, asked) => {
  expect(await agree(choiceAt(baseUrl), cost(dollars), undefined)).toBe(true);
  expect(shown.dialogs).toHaveLength(asked ? 1 : 0);
});

test('what is said, and that no answer means no', async () => {
  shown.answer = undefined;
  expect(await agree(choiceAt(remote), cost(null), undefined)).toBe(false);
  const [text, options] = shown.dialogs[0] ?? [];
  expect(text).toBe('Run a · m · 2 of train?');
  expect(options).toMatchObject({
    modal: true,
    detail: expect.stringMatching(
      /at least 10 requests, 16k tokens in, 510 out\. What it costs is not known/,
    ),
  });
  expect(describeEstimate(cost(0.0168))).toBe('at least 10 requests, 16k tokens in, 510 out, $0.02');
});

test('what was agreed to is not asked again, more of it is', async () => {
  const agreed = { baseUrl: remote, requests: 10 };
  await agree(choiceAt(remote), cost(1, 10), agreed);
  expect(shown.dialogs).toHaveLength(0);
  await agree(choiceAt(remote), cost(1, 11), agreed);
  await agree(choiceAt(local), cost(1, 10), agreed);
  expect(shown.dialogs).toHaveLength(2);
});

test('estimates of several runs are added up; what is unknown stays unknown', async () => {
  const command = (
    code: number | null,
    lines: Readonly<Record<string, unknown>>[],
    notes: string[] = [],
  ) => ({
    run: async () => ({ code, lines, notes }),
  });
  const line = (dollars: number | null) => ({
    estimate: { requests: 10, inputTokens: 100, outputTokens: 5, dollars, episodes: 2 },
  });
  const both = await estimate(command(0, [line(0.5), line(0.25)]), choiceAt(remote), place);
  expect(both).toEqual({ requests: 20, input: 200, output: 10, dollars: 0.75, episodes: 4 });
  expect(await estimate(command(0, [line(0.5), line(null)]), choiceAt(remote), place)).toMatchObject({
    dollars: null,
  });
  expect(await estimate(command(2, [], ['No such model.']), choiceAt(remote), place)).toBeUndefined();
  expect(await estimate(command(null, []), choiceAt(remote), place)).toBeUndefined();
  expect(shown.errors).toEqual(['No such model.']);
});
