/**
 * A session: an episode that somebody steps through, goes back in and acts differently in, perhaps under another version
 * of the step prompt. Plain immutable data; every function gives a new one.
 */
import type { Event } from '../../environments/chat.ts';
import type { AnyInstance, Environment } from '../../environments/environment.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import { type PromptRenderer, preparePrompt } from '../../prompts/render-prompt.ts';
import { parseStepPrompt, type StepPrompt } from '../../prompts/step-prompt.ts';
import { type KeptSession, printKeptSession, type SessionOrigin } from './file.ts';
import { promptProblem } from './prompt.ts';
import { follow, goTo, grow, nodeOf, pathTo, plantTree, prune, type SessionTree } from './tree.ts';
import type { SessionPromptText } from './view.ts';

/** A version of the step prompt, ready to be rendered. */
export interface PromptVersion {
  readonly source: SessionPromptText;
  readonly prompt: StepPrompt;
  readonly renderer: PromptRenderer;
}

/** What a session is about. */
export interface SessionSubject {
  readonly environment: Environment;
  readonly instance: AnyInstance;
  /** As they were given, and as the environment understands them. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly options: unknown;
  readonly origin: SessionOrigin;
  /** Where the instance opens; null when it does not by itself. */
  readonly uri: string | null;
}

export interface Session extends SessionSubject {
  /** Every version that was in force, the present one last; null stands for none. Never empty. */
  readonly prompts: readonly (PromptVersion | null)[];
  readonly tree: SessionTree;
  /** Whether the next step opens a new branch even if it is like one that is there. */
  readonly forks: boolean;
  /**
   * The nodes that following an edited transcript has grown: they are replaced as long as nothing else is done, so that not
   * every letter somebody types opens a branch.
   */
  readonly draft: { readonly start: number; readonly end: number } | null;
}

/** A session at its start. */
export function openSession(subject: SessionSubject, prompt: SessionPromptText | null): Session {
  const first = subject.environment.start(subject.instance, subject.options);
  return {
    ...subject,
    prompts: [prompt && prepareVersion(prompt)],
    tree: plantTree(first),
    forks: false,
    draft: null,
  };
}

function prepareVersion(source: SessionPromptText): PromptVersion {
  const { prompt } = parseStepPrompt(source.text);
  return { source, prompt, renderer: preparePrompt(prompt) };
}

/** The version of the step prompt in force. */
export function promptOf({ prompts }: Session): PromptVersion | null {
  return prompts.at(-1) ?? null;
}

/** The version that the reply of a node answered. */
export function promptAt(session: Session, node: number): PromptVersion | null {
  return session.prompts[nodeOf(session.tree, node).prompt] ?? null;
}

/** Puts a version of the step prompt in force from here on; the same text is the same version. */
export function usePrompt(session: Session, prompt: SessionPromptText | null): Checked<Session> {
  if (prompt !== null) {
    const wrong = promptProblem(prompt, session);
    if (wrong !== null) return refuse(wrong);
  }
  const now = promptOf(session)?.source ?? null;
  if (now?.text === prompt?.text && now?.uri === prompt?.uri) return accept(session);
  return accept({ ...session, prompts: [...session.prompts, prompt && prepareVersion(prompt)] });
}

/** Plays an event where `node` is and goes there. The error is a sentence. */
export function play(session: Session, node: number, event: Event, by: string): Checked<Session> {
  const at = { ...session.tree, at: node };
  const version = { by, prompt: session.prompts.length - 1 };
  const grown = grow(at, session.environment, event, version, session.forks);
  if (!grown.ok) return refuse(`This cannot be played: ${grown.error}.`);
  return accept({ ...session, tree: grown.value, forks: false, draft: null });
}

/** Goes to a node. The error is a sentence. */
export function go(session: Session, node: number): Checked<Session> {
  if (session.tree.nodes[node] === undefined)
    return refuse('There is no such step in this episode any more.');
  return accept({ ...session, tree: goTo(session.tree, node), forks: false, draft: null });
}

/** Makes the next step the first of a new branch. */
export function fork(session: Session): Checked<Session> {
  const here = nodeOf(session.tree, session.tree.at);
  if (session.environment.next(here.state).kind === 'nothing') {
    return refuse('The episode is over here; go back to the step from which a new branch is to go on.');
  }
  return accept({ ...session, forks: true });
}

/**
 * Follows the events of an edited transcript and goes to `step`, counted in replies; to their end when it is null.
 *
 * @param by whom those are that are not there yet
 * @returns how many of the events do not fit, too.
 */
export function followEvents(
  session: Session,
  events: readonly Event[],
  step: number | null,
  by = 'you',
): { readonly session: Session; readonly left: number } {
  const { draft, environment } = session;
  const isDraft = draft !== null && draft.end === session.tree.nodes.length;
  const before = isDraft ? prune(session.tree, draft.start) : session.tree;
  const version = { by, prompt: session.prompts.length - 1 };
  const { tree, played } = follow(before, environment, events, version);
  const target =
    step === null ? undefined : pathTo(tree, tree.at).findLast(({ depth }) => depth <= Math.max(0, step));
  const grew = { start: before.nodes.length, end: tree.nodes.length };
  return {
    session: { ...session, tree: goTo(tree, target?.id ?? tree.at), forks: false, draft: grew },
    left: events.length - played,
  };
}

/** The session as text for {@link restore}. */
export function keep({ origin, rawOptions, prompts, tree }: Session): string {
  return printKeptSession({
    origin,
    options: rawOptions,
    prompts: prompts.map((version) => version?.source ?? null),
    steps: tree.nodes.flatMap(({ parent, event, by, prompt }) =>
      parent === null || event === null ? [] : [{ parent, event, by, prompt }],
    ),
    at: tree.at,
  });
}

/** The session that was kept. The error is a sentence: its steps no longer fit the instance. */
export function restore(subject: SessionSubject, { prompts, steps, at }: KeptSession): Checked<Session> {
  const session = openSession(subject, null);
  let { tree } = session;
  for (const { parent, event, by, prompt } of steps) {
    const grown = grow({ ...tree, at: parent }, subject.environment, event, { by, prompt }, true);
    if (!grown.ok) return refuse(`The steps of this episode no longer fit: ${grown.error}.`);
    tree = grown.value;
  }
  const versions = prompts.map((prompt) => prompt && prepareVersion(prompt));
  return accept({ ...session, prompts: versions, tree: goTo(tree, at) });
}
