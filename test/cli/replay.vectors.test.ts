import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand, type HopscopeCommand, parseLines } from '../support/command.ts';
import { describeShared, readVectors, sharedFolder } from '../support/shared.ts';

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
});
afterAll(() => hopscope.remove());

describeShared('the command on the vectors', () => {
  const folder = `${sharedFolder}/vectors/navigator`;
  const files = ['train', 'id_test', 'ood_test', 'scale_test'].map(
    (split) => `${folder}/instances_${split}.jsonl`,
  );

  it('replays every recorded episode to the same rows', async () => {
    const finished = await hopscope.run([
      'replay',
      '--instances',
      ...files,
      '--episodes',
      `${folder}/episodes.jsonl`,
    ]);
    expect(finished).toMatchObject({ code: 0, err: '' });
    expect(parseLines(finished.out)).toEqual(readVectors('navigator/episodes.jsonl'));
  });

  it('validates every instance', async () => {
    const finished = await hopscope.run(['validate', '--json', ...files]);
    expect(finished).toMatchObject({ code: 0, err: '' });
    expect(
      parseLines(finished.out).every(({ reasons }) => Array.isArray(reasons) && reasons.length === 0),
    ).toBe(true);
  });
});
