/** Whatever an environment shows of an episode, the panel can read, draw and hold. */
import { expect, test } from 'vitest';
import { readToPage, type ToPage } from '../../client/webview/episode/messages.ts';
import type { Environment } from '../../server/src/engine/environments/environment.ts';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { look, lookFirst } from '../../server/src/engine/evals/sessions/look.ts';
import { openSession, play, type Session } from '../../server/src/engine/evals/sessions/session.ts';
import { nodeOf } from '../../server/src/engine/evals/sessions/tree.ts';

/** Instances that can be made without files from outside. */
const splits = environments.flatMap((environment) => {
  const [first] = environment.splits.flatMap(({ id }) => (openOn(environment, id) ? [id] : []));
  return first === undefined ? [] : [[environment.id, environment, first] as const];
});

function openOn(environment: Environment, split: string): Session | undefined {
  const options = environment.parseOptions({});
  const made = options.ok ? environment.generate(split, 0, options.value) : options;
  if (!options.ok || !made.ok) return undefined;
  const origin = { kind: 'instance', uri: 'hopscope:/x' } as const;
  const { instance } = made.value;
  return openSession(
    { environment, instance, rawOptions: {}, options: options.value, origin, uri: null },
    null,
  );
}

test.each(splits)('%s', (_, environment, split) => {
  let session = openOn(environment, split);
  if (!session) throw new Error('no session');
  const [policy] = environment.policies;
  const player = policy?.begin(session.instance, '0');
  const opened: ToPage = { kind: 'opened', opened: lookFirst(session, true), again: false };
  expect(readToPage(structuredClone(opened))).toEqual(opened);
  expect(JSON.stringify(opened).length).toBeLessThan(256_000);
  for (let step = 0; step < 60; step++) {
    for (const spoilers of [true, false]) {
      const view = look(session, spoilers);
      const message: ToPage = { kind: 'view', view };
      expect(readToPage(structuredClone(message))).toEqual(message);
      expect(JSON.stringify(message).length).toBeLessThan(256_000);
      const gauge = view.panel?.gauge;
      if (gauge) expect(gauge.items.reduce((sum, { size }) => sum + size, 0)).toBe(gauge.used);
      if (!spoilers) expect(view.panel?.sections.some(({ privileged }) => privileged) ?? false).toBe(false);
    }
    const { at } = session.tree;
    const { state } = nodeOf(session.tree, at);
    if (!player || environment.next(state).kind !== 'reply') break;
    const played = play(session, at, player(state), policy?.id ?? '');
    if (!played.ok) throw new Error(played.error);
    session = played.value;
  }
});
