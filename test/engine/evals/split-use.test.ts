import { expect, test } from 'vitest';
import { environments } from '../../../server/src/engine/environments/registry.ts';
import { describeOveruse, manyPrompts, testSplitUse } from '../../../server/src/engine/evals/split-use.ts';

const user = (split: string, promptHash: string | null) => ({
  environment: 'navigator',
  splits: [split],
  promptHash,
});

test('different prompts on test splits are counted, and nothing else', () => {
  const users = [
    user('id_test', 'a'),
    user('id_test', 'a'),
    user('id_test', 'b'),
    user('ood_test', 'a'),
    user('train', 'a'), // made for being used
    user('id_test', null), // a policy fits nothing
    user('nowhere', 'a'),
    { ...user('id_test', 'c'), environment: 'of a later version' },
  ];
  expect(testSplitUse(users, environments)).toEqual([
    { environment: 'navigator', split: 'id_test', runs: 3, prompts: 2 },
    { environment: 'navigator', split: 'ood_test', runs: 1, prompts: 1 },
  ]);
});

test('few uses are not spoken of', () => {
  const use = { environment: 'navigator', split: 'id_test', runs: 9, prompts: manyPrompts - 1 };
  expect(describeOveruse(use)).toBeNull();
  expect(describeOveruse({ ...use, prompts: manyPrompts })).toMatch(
    /^id_test is a test split, and 5 step prompts have been tried on it \(9 runs\): .*\.$/,
  );
});
