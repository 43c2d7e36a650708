import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import type { Policy } from '../../../server/src/engine/environments/environment.ts';
import type { State } from '../../../server/src/engine/environments/navigator/episode.ts';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import type { Instance } from '../../../server/src/engine/environments/navigator/instance.ts';
import { teacher } from '../../../server/src/engine/environments/navigator/teacher.ts';
import { tallyTaught, teach } from '../../../server/src/engine/evals/teach.ts';
import { preparePrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { population } from '../../support/population.ts';
import { smallInstance } from '../../support/small-instance.ts';

const shipped = (name: string) =>
  preparePrompt(parseStepPrompt(readFileSync(`prompts/navigator/${name}.step.md`, 'utf8')).prompt);

/** What the teacher makes of one episode on the small instance in which these replies are given. */
function taught(replies: readonly string[], prompt = shipped('navigator')) {
  const scripted: Policy<Instance, State> = {
    id: 'scripted',
    description: '',
    privileged: true,
    begin: () => (state) => reply(replies[state.steps] ?? ''),
  };
  const environment = { ...navigator, policies: [scripted] };
  const [episode] = teach(
    environment,
    { ...teacher, policies: ['scripted'] },
    smallInstance,
    {},
    prompt,
    '0',
  );
  return episode ?? expect.fail();
}

const good = ['READ 0', 'COMPRESS 0 :: Ida Berg is the lead', 'READ 3', 'ANSWER 4107'];

describe('teach', () => {
  it('gives a chat for each step, its reply last', () => {
    const { verdict, rows } = taught(good);
    expect(verdict).toBe('kept');
    expect(rows).toHaveLength(4);
    for (const [step, row] of rows.entries()) {
      expect(row).toEqual({
        messages: [
          { role: 'system', content: expect.any(String) },
          { role: 'user', content: expect.stringContaining(smallInstance.question) },
          { role: 'assistant', content: good[step] },
        ],
      });
    }
  });

  const bad = Array.from({ length: 3 }, () => 'hm');
  it.each<[string, readonly string[], string, unknown]>([
    ['a wrong answer', [...good.slice(0, 3), 'ANSWER 4119'], 'incorrect', []],
    ['three steps too many', [...bad, ...good], 'too-long', []],
    ['two steps too many', [...bad.slice(1), ...good], 'kept', []],
    ['a name that the map showed', ['I know it is Ida Berg. \nREAD 0', ...good.slice(1)], 'kept', []],
    [
      'a value from nowhere',
      ['It will be 4107.\nREAD 0', ...good.slice(1)],
      'leak',
      [{ step: 1, kind: 'value', text: '4107' }],
    ],
    [
      'a value lost again',
      ['READ 0', 'COMPRESS 0 :: a lead', 'READ 3', 'ANSWER 4107'],
      'leak',
      [{ step: 3, kind: 'read', text: 'Ida Berg' }],
    ],
  ])('judges %s', (_, replies, verdict, leaks) => {
    const { rows, ...episode } = taught(replies);
    expect(episode).toMatchObject({ verdict, leaks });
    expect(rows).toHaveLength(verdict === 'kept' ? replies.length : 0);
  });

  it('sees a name that no prompt showed', () => {
    const { prompt } = parseStepPrompt('---\nformat: 1\n---\nuser:\n{{question}}\n{{held_text}}\n');
    const replies = ['Not Otto Lind.\nREAD 0', ...good.slice(1)];
    expect(taught(replies, preparePrompt(prompt)).leaks).toEqual([
      { step: 1, kind: 'name', text: 'Otto Lind' },
    ]);
  });

  it('keeps nothing whose prompt could not be rendered whole', () => {
    const { prompt } = parseStepPrompt('---\nformat: 1\nenvironment: navigator\n---\nuser:\n{{question}}\n');
    const prepared = preparePrompt(prompt, { length: 10, rounds: 1000 });
    expect(taught(good, prepared).verdict).toBe('cut-off');
  });
});

describe.each(['navigator', 'worked-example'])('the shipped prompt %s', (name) => {
  // Of the original, 600 episodes: 3 % too long, no leak.
  it('teaches without a leak', () => {
    const prompt = shipped(name);
    const episodes = population('train', 60).flatMap((instance) =>
      teach(navigator, teacher, instance, {}, prompt, '0'),
    );
    const tally = tallyTaught(episodes);
    expect(episodes.flatMap(({ leaks }) => leaks)).toEqual([]);
    expect(tally).toMatchObject({ sampled: 120, verdicts: { incorrect: 0, leak: 0, 'cut-off': 0 } });
    expect(tally.verdicts['too-long']).toBeLessThan(12);
    expect(tally.rows).toBe(episodes.reduce((sum, { rows }) => sum + rows.length, 0));
  });
});
