/** The tree of a session: growing, going, following, and that it always holds what was played. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reply } from '../../../../server/src/engine/environments/chat.ts';
import {
  branchOf,
  follow,
  goTo,
  grow,
  lanesOf,
  leavesOf,
  maxNodes,
  nodeOf,
  partBranches,
  pathTo,
  plantTree,
  type SessionTree,
} from '../../../../server/src/engine/evals/sessions/tree.ts';
import { tiny } from '../../../support/tiny-environment.ts';

type State = ReturnType<typeof tiny.start>;
const grown = { by: 'you', prompt: 0 };

function planted(index = 3): SessionTree<State> {
  const made = tiny.generate('practice', index, {});
  if (!made.ok) throw new Error(made.error);
  return plantTree(tiny.start(made.value.instance, {}));
}

/** Says each of `words`, from where the tree stands. */
function say(tree: SessionTree<State>, ...words: string[]): SessionTree<State> {
  return words.reduce((current, word) => {
    const next = grow(current, tiny, reply(word), grown);
    if (!next.ok) throw new Error(next.error);
    return next.value;
  }, tree);
}

const saidOn = (tree: SessionTree<State>) => branchOf(tree).at(-1)?.state.said;

describe('a tree of branches', () => {
  test('going back and acting differently grows another branch', () => {
    const first = say(planted(), 'a', 'b', 'c');
    const second = say(goTo(first, 1), 'x');
    expect(pathTo(second, second.at).map(({ state }) => state.said.join(''))).toEqual(['', 'a', 'ax']);
    expect(leavesOf(second).map(({ state }) => state.said.join(''))).toEqual(['abc', 'ax']);
    expect(lanesOf(second)).toEqual([0, 0, 0, 0, 1]);
    // The first tree is what it was.
    expect(first.nodes).toHaveLength(4);
    expect(saidOn(first)).toEqual(['a', 'b', 'c']);
  });

  test('acting alike follows the branch that is there, unless a fresh one is wanted', () => {
    const tree = goTo(say(planted(), 'a', 'b'), 0);
    expect(say(tree, 'a').nodes).toHaveLength(3);
    expect(saidOn(say(tree, 'a'))).toEqual(['a', 'b']);
    const fresh = grow(tree, tiny, reply('a'), grown, true);
    expect(fresh.ok && fresh.value.nodes.length).toBe(4);
    expect(fresh.ok && saidOn(fresh.value)).toEqual(['a']);
  });

  test('going to a node makes its branch the one that is followed', () => {
    const tree = say(goTo(say(planted(), 'a', 'b'), 0), 'x', 'y');
    expect(saidOn(goTo(tree, 1))).toEqual(['a', 'b']);
    expect(saidOn(goTo(goTo(tree, 1), 0))).toEqual(['a', 'b']);
    expect(saidOn(goTo(goTo(tree, 3), 0))).toEqual(['x', 'y']);
  });

  test('an episode that is over takes nothing more', () => {
    const tree = say(planted(0), 'a', 'b');
    expect(grow(tree, tiny, reply('c'), grown)).toEqual({
      ok: false,
      error: 'the episode is over; go back to act differently',
    });
  });

  test('an event of the wrong kind is refused', () => {
    const verdict = { kind: 'verdict', judge: 'j', value: 1 } as const;
    expect(grow(planted(), tiny, verdict, grown)).toMatchObject({ ok: false });
  });

  test('it does not grow without end', () => {
    let tree = planted();
    for (let at = 1; at < maxNodes; at++) tree = say(goTo(tree, 0), String(at));
    expect(grow(goTo(tree, 0), tiny, reply('more'), grown)).toMatchObject({
      ok: false,
      error: expect.stringContaining(`holds ${maxNodes} steps`),
    });
    expect(new Set(lanesOf(tree)).size).toBe(maxNodes - 1);
  });

  test('branches part where they differ', () => {
    const tree = say(goTo(say(planted(), 'a', 'b', 'c'), 1), 'x');
    const { together, left, right } = partBranches(tree, 3, 4);
    expect([together, left, right].map((nodes) => nodes.map(({ id }) => id))).toEqual([[0, 1], [2, 3], [4]]);
    expect(partBranches(tree, 3, 1)).toMatchObject({ right: [] });
  });

  test('following events keeps what is alike, and stops at what cannot be played', () => {
    const tree = say(planted(0), 'a', 'b');
    const shorter = follow(tree, tiny, [reply('a')], grown);
    expect(shorter.tree.nodes).toHaveLength(3);
    expect(saidOn(shorter.tree)).toEqual(['a']);
    const other = follow(tree, tiny, [reply('a'), reply('z'), reply('?')], grown);
    expect(other.played).toBe(2);
    expect(saidOn(other.tree)).toEqual(['a', 'z']);
  });

  test('there is no node that is not there', () => {
    expect(() => nodeOf(planted(), 7)).toThrow(RangeError);
  });

  test('whatever is done, every node holds the fold of the events before it', () => {
    const action = fc.oneof(
      fc.record({ say: fc.constantFrom('a', 'b', '') }),
      fc.record({ go: fc.nat(40) }),
      fc.record({ follow: fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        let tree = planted();
        for (const it of actions) {
          if ('go' in it) tree = goTo(tree, it.go % tree.nodes.length);
          else if ('follow' in it) tree = follow(tree, tiny, it.follow.map(reply), grown).tree;
          else {
            const next = grow(tree, tiny, reply(it.say), grown);
            if (next.ok) tree = next.value;
          }
        }
        const lanes = lanesOf(tree);
        for (const { id, state, children } of tree.nodes) {
          const events = pathTo(tree, id).flatMap(({ event }) =>
            event?.kind === 'reply' ? [event.text] : [],
          );
          expect(state.said).toEqual(events);
          for (const child of children) expect(nodeOf(tree, child).parent).toBe(id);
          if (children.length > 0) expect(lanes[children[0] ?? 0]).toBe(lanes[id]);
        }
        expect(branchOf(tree).map(({ id }) => id)).toContain(tree.at);
      }),
      { numRuns: 200 },
    );
  });
});
