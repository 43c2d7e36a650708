/** Episodes played through HTTP come out as they do in process, whatever the connection does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Reply } from '../../../server/src/engine/environments/chat.ts';
import { navigator } from '../../../server/src/engine/environments/navigator/index.ts';
import type { Model } from '../../../server/src/engine/evals/model.ts';
import { preparePrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { playedAnswers, withFaults } from '../../support/policy-answers.ts';
import { asker, serve } from './kit.ts';

const file = path.resolve(import.meta.dirname, '../../../prompts/navigator/navigator.step.md');
const { prompt } = parseStepPrompt(readFileSync(file, 'utf8'));
const renderer = preparePrompt(prompt);

const parsed = navigator.parseOptions({});
if (!parsed.ok) throw new Error(parsed.error);
const options = parsed.value;

const instances = Array.from({ length: 12 }, (_, index) => {
  const generated = navigator.generate('id_test', index, options);
  if (!generated.ok) throw new Error(generated.error);
  return generated.value.instance;
});

const policy = navigator.policies.find(({ id }) => id === 'oracle');
if (policy === undefined) throw new Error('no oracle');
const played = playedAnswers({ environment: navigator, prompt, options, policy, seed: '0', instances });

async function replyOf(model: Model, messages: Parameters<Model['complete']>[0]['messages']): Promise<Reply> {
  const request = { messages, sampling: prompt.sampling };
  // A request that failed for good is asked once more, as a resumed run does.
  for (const _ of [1, 2]) {
    const result = await model.complete(request, new AbortController().signal);
    if (result.ok) return result.reply;
  }
  throw new Error('no reply');
}

async function play(model: Model, instance: (typeof instances)[number]) {
  const replies: string[] = [];
  let state = navigator.start(instance, options);
  while (navigator.next(state).kind === 'reply') {
    const reply = await replyOf(model, renderer.render(navigator.observe(state)).messages);
    replies.push(reply.text);
    state = navigator.advance(state, reply);
  }
  return { instanceId: instance.id, replies, outcome: navigator.outcome(state) };
}

const steps = played.episodes.reduce((sum, { replies }) => sum + replies.length, 0);

test('with a good connection', async () => {
  const server = await serve(played.respond);
  const { model } = asker(server.baseUrl);
  expect(await Promise.all(instances.map((instance) => play(model, instance)))).toEqual(played.episodes);
  expect(server.count).toBe(steps);
});

test('with every third request failing', async () => {
  const server = await serve(withFaults(played.respond, 0.3, 'seed', '1'));
  const { model } = asker(server.baseUrl);
  expect(await Promise.all(instances.map((instance) => play(model, instance)))).toEqual(played.episodes);
  expect(server.count).toBeGreaterThan(steps * 1.2);
});
