/** What shipped methods are given, word by word: nothing that tells of rules, slices, windows or what is right. */
import { describe, expect, test } from 'vitest';
import { serving } from '../../../server/src/engine/environments/serving/index.ts';
import { defaultOptions } from '../../../server/src/engine/environments/serving/options.ts';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import type { Method } from '../../../server/src/engine/environments/streams.ts';
import { policyResponder } from '../../../server/src/engine/evals/responder.ts';
import { openMethod } from '../../../server/src/host/streams/learner.ts';
import { runStream } from '../../../server/src/host/streams/run-stream.ts';

/** The method, and everything that it is given from now on. */
function watched(method: Method): { readonly method: Method; readonly given: unknown[] } {
  const given: unknown[] = [];
  const { traits, question } = method;
  return {
    given,
    method: {
      ...method,
      context(memory, task) {
        given.push(task);
        return method.context(memory, task);
      },
      update(memory, block, answer) {
        given.push(...block);
        return method.update(memory, block, answer);
      },
      ...(traits === undefined
        ? {}
        : {
            traits(memory, task) {
              given.push(task);
              return traits(memory, task);
            },
          }),
      ...(question === undefined
        ? {}
        : {
            question(memory, block) {
              given.push(...block);
              return question(memory, block);
            },
          }),
    },
  };
}

const finish = serving.policies.find(({ id }) => id === 'finish-at-once');

describe.each(streams.methods.map((method) => [method.id, method] as const))('%s', (_, shipped) => {
  test.each(['mini_retail', 'mini_banking', 'mini_pitch'])('on %s', async (stream) => {
    const opened = streams.open(stream);
    if (!opened.ok || finish === undefined) throw new Error('nothing to play');
    const { method, given } = watched(shipped);
    const contexts: string[] = [];
    await runStream({
      environment: serving,
      streams,
      stream,
      options: defaultOptions,
      learner: openMethod(method),
      model: 'finish-at-once',
      windows: null,
      concurrency: 4,
      respond(instance) {
        const inner = policyResponder(finish, instance, '0', []);
        return {
          reply(state, signal) {
            if (!shipped.privileged) contexts.push(state.options.context);
            return inner.reply(state, signal);
          },
        };
      },
      // A model that learns nothing, which repeats what it was asked.
      teach: async (messages) => ({
        ok: true,
        reply: { kind: 'reply', text: messages.map(({ content }) => content).join('\n') },
        attempts: 1,
        cached: false,
        waitedMs: 0,
      }),
      judge: null,
      recorded: null,
      keep: () => undefined,
      signal: new AbortController().signal,
    });
    expect(given.length).toBeGreaterThan(0);
    const fields = ['instruction', 'record', 'reward', 'taskId', 'timestamp'];
    for (const one of given) for (const key of Object.keys(Object(one))) expect(fields).toContain(key);
    const ids = opened.value.flatMap(({ serving: some, test: others }) => [...some, ...others]);
    const text = JSON.stringify([given, contexts]);
    const secrets = new Set(
      ids.flatMap(({ id, evaluator }) => [
        id,
        evaluator.family,
        ...evaluator.actions.map(({ name }) => name),
      ]),
    );
    const words = ['adapt', 'reopen', 'fully_specified', 'evaluator', 'serving', 'window', ...secrets];
    const found = words.filter((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text));
    expect(found).toEqual([]);
  });
});
