/**
 * What happened in a session, as a tree: every node is a state, every edge an event. Going back and acting differently
 * grows another branch; nothing is ever lost. Plain immutable data: growing gives a new tree.
 */
import type { Event } from '../../environments/chat.ts';
import type { AnyInstance, Environment } from '../../environments/environment.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import { isPlayedAlike } from '../../transcripts/replay.ts';

/** Nodes of one session, at most: what shows all of them must stay quick. */
export const maxNodes = 1000;

/** An event, by whom it was given, and the state it led to. The first node has no event. */
export interface SessionNode<S = unknown> {
  /** Its position in {@link SessionTree.nodes}. */
  readonly id: number;
  readonly parent: number | null;
  readonly event: Event | null;
  /** A model's name, a policy's id, or `you`; for people. */
  readonly by: string;
  /** Which version of the step prompt was in force; counted by whoever keeps them. */
  readonly prompt: number;
  readonly state: S;
  /** In the order in which they were grown. */
  readonly children: readonly number[];
  /** The child on the branch that was followed last; null at the end of a branch. */
  readonly next: number | null;
  /** Replies from the start up to here. */
  readonly depth: number;
}

export interface SessionTree<S = unknown> {
  readonly nodes: readonly SessionNode<S>[];
  /** Where the session stands. */
  readonly at: number;
}

/** What is said of an event beside it. */
export type Grown = Pick<SessionNode, 'by' | 'prompt'>;

/** A tree of nothing but the state an episode starts in. */
export function plantTree<S>(first: S): SessionTree<S> {
  const root = { id: 0, parent: null, event: null, by: '', prompt: 0, state: first };
  return { nodes: [{ ...root, children: [], next: null, depth: 0 }], at: 0 };
}

/** The node of that id. @throws RangeError when there is none: a caller's mistake. */
export function nodeOf<S>({ nodes }: SessionTree<S>, id: number): SessionNode<S> {
  const node = nodes[id];
  if (node === undefined) throw new RangeError(`There is no node ${id}.`);
  return node;
}

/**
 * Folds an event into the state the session stands at, and goes there. An event that is played like one which is there
 * already follows that branch, unless a fresh one is asked for.
 *
 * @returns an error, half a sentence, when the episode takes no such event there or the tree is full.
 */
export function grow<I extends AnyInstance, O, S>(
  tree: SessionTree<S>,
  environment: Environment<I, O, S>,
  event: Event,
  grown: Grown,
  fresh = false,
): Checked<SessionTree<S>> {
  const here = nodeOf(tree, tree.at);
  const need = environment.next(here.state).kind;
  if (need === 'nothing') return refuse('the episode is over; go back to act differently');
  if (need !== event.kind) return refuse(`the episode needs a ${need} here, not a ${event.kind}`);
  const known = fresh ? undefined : here.children.find((child) => isAlike(nodeOf(tree, child).event, event));
  if (known !== undefined) return accept(goTo(tree, known));
  const id = tree.nodes.length;
  if (id >= maxNodes) {
    return refuse(`a session holds ${maxNodes} steps and this one is full; save it and open a new one`);
  }
  const state = environment.advance(here.state, event);
  const depth = here.depth + (event.kind === 'reply' ? 1 : 0);
  const node = { id, parent: here.id, event, ...grown, state, children: [], next: null, depth };
  const nodes = [...tree.nodes, node];
  nodes[here.id] = { ...here, children: [...here.children, id] };
  return accept(goTo({ nodes, at: here.id }, id));
}

function isAlike(a: Event | null, b: Event): boolean {
  return a !== null && isPlayedAlike(a, b);
}

/** Goes to a node; from its ancestors on, its branch is the one that is followed now. */
export function goTo<S>(tree: SessionTree<S>, id: number): SessionTree<S> {
  let nodes: SessionNode<S>[] | null = null;
  for (let child = nodeOf(tree, id); child.parent !== null; ) {
    const parent = nodeOf({ nodes: nodes ?? tree.nodes, at: 0 }, child.parent);
    if (parent.next !== child.id) {
      nodes ??= [...tree.nodes];
      nodes[parent.id] = { ...parent, next: child.id };
    }
    child = parent;
  }
  return { nodes: nodes ?? tree.nodes, at: id };
}

/** Nodes from the start to `id`, both included. */
export function pathTo<S>(tree: SessionTree<S>, id: number): SessionNode<S>[] {
  const path: SessionNode<S>[] = [];
  for (let at: number | null = id; at !== null; ) {
    const node: SessionNode<S> = nodeOf(tree, at);
    path.push(node);
    at = node.parent;
  }
  return path.reverse();
}

/** The branch that is followed: from the start over where the session stands to its end. */
export function branchOf<S>(tree: SessionTree<S>): SessionNode<S>[] {
  const path = pathTo(tree, tree.at);
  for (let next = path.at(-1)?.next ?? null; next !== null; ) {
    const node = nodeOf(tree, next);
    path.push(node);
    next = node.next;
  }
  return path;
}

/** The ends of all branches, in the order in which they were grown. */
export function leavesOf<S>({ nodes }: SessionTree<S>): SessionNode<S>[] {
  return nodes.filter(({ children }) => children.length === 0);
}

/** For each node the row it is drawn in when every branch has one of its own; a branch keeps the row of its first part. */
export function lanesOf<S>(tree: SessionTree<S>): number[] {
  const lanes: number[] = tree.nodes.map(() => 0);
  let used = 0;
  // A stack and no recursion: a branch may be as long as the tree.
  const waiting = [0];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { children, parent } = nodeOf(tree, id);
    const isFirst = parent === null || nodeOf(tree, parent).children[0] === id;
    lanes[id] = isFirst ? (lanes[parent ?? 0] ?? 0) : ++used;
    waiting.push(...[...children].reverse());
  }
  return lanes;
}

/** How far two branches, given by their ends, go together, and how each goes on alone. */
export function partBranches<S>(
  tree: SessionTree<S>,
  a: number,
  b: number,
): Readonly<Record<'together' | 'left' | 'right', readonly SessionNode<S>[]>> {
  const left = pathTo(tree, a);
  const right = pathTo(tree, b);
  const apart = left.findIndex((node, at) => node.id !== right[at]?.id);
  const shared = apart < 0 ? left.length : apart;
  return { together: left.slice(0, shared), left: left.slice(shared), right: right.slice(shared) };
}

/** The tree without the nodes from `length` on, which were grown last. */
export function prune<S>({ nodes, at }: SessionTree<S>, length: number): SessionTree<S> {
  const kept = nodes.slice(0, length).map((node) => {
    const { children, next } = node;
    if (children.every((child) => child < length)) return node;
    const left = children.filter((child) => child < length);
    return { ...node, children: left, next: next !== null && next < length ? next : (left.at(-1) ?? null) };
  });
  const path = pathTo({ nodes, at }, at);
  return { nodes: kept, at: path.findLast(({ id }) => id < length)?.id ?? 0 };
}

/**
 * Makes `events` the branch that is followed, with the session at its end: as far as they are played like what is there
 * already, the tree stays.
 *
 * @returns how many of them could be played as well; the others do not fit.
 */
export function follow<I extends AnyInstance, O, S>(
  tree: SessionTree<S>,
  environment: Environment<I, O, S>,
  events: readonly Event[],
  grown: Grown,
): { readonly tree: SessionTree<S>; readonly played: number } {
  let current: SessionTree<S> = { ...tree, at: 0 };
  for (const [played, event] of events.entries()) {
    const next = grow(current, environment, event, grown);
    if (!next.ok) return { tree: current, played };
    current = next.value;
  }
  // The branch ends where the events do.
  const here = nodeOf(current, current.at);
  if (here.next !== null) {
    const nodes = [...current.nodes];
    nodes[here.id] = { ...here, next: null };
    current = { ...current, nodes };
  }
  return { tree: current, played: events.length };
}
