/** What a person in the editor is told to do about a model that gives no reply: nothing that only runs have. */
import { expect, test } from 'vitest';
import type { ModelFailureCode } from '../../../server/src/engine/evals/model.ts';
import { explainFailure } from '../../../server/src/host/models/advice.ts';
import type { AttemptFailure } from '../../../server/src/host/models/attempt.ts';

type Case = readonly [code: ModelFailureCode, detail?: NonNullable<AttemptFailure['detail']>];

const cases: readonly Case[] = [
  ['auth'],
  ['not-found'],
  ['bad-request'],
  ['bad-request', 'max-tokens-name'],
  ['rate-limit'],
  ['rate-limit', 'no-credit'],
  ['server'],
  ['connection'],
  ['connection', 'refused'],
  ['connection', 'unknown-host'],
  ['connection', 'certificate'],
  ['timeout'],
  ['invalid-response'],
  ['too-large'],
  ['too-large', 'context'],
  ['prompt-too-large'],
  ['redirect'],
  ['cancelled'],
  ['limit'],
];

test.each(cases.map(([code, detail]) => ({ code, detail })))('$code $detail', ({ code, detail }) => {
  for (const retriable of [true, false]) {
    for (const retryAfterMs of [undefined, 3_600_000]) {
      for (const key of [null, 'secret']) {
        const failure = {
          code,
          message: 'm',
          retriable,
          ...(detail === undefined ? {} : { detail }),
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        };
        const endpoint = { baseUrl: 'https://api.openai.com/v1', model: 'm' };
        const { advice } = explainFailure(failure, endpoint, key, 1, 'step');
        expect(advice).toMatch(/^[A-Z].*\.$/s);
        expect(advice).not.toMatch(/\brun\b|concurrency|environment variable|extra body|timeout/);
      }
    }
  }
});

test('a key that is missing is set with the command', () => {
  const failure = { code: 'auth', message: 'm', retriable: false } as const;
  const endpoint = { baseUrl: 'https://api.openai.com/v1', model: 'm' };
  expect(explainFailure(failure, endpoint, null, 1, 'step').advice).toContain('"Hopscope: Set API Key…"');
});
