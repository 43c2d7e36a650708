/** The long texts of a session: prompts, replies, held items; and the session as a transcript and as a report. */
import type { ChatMessage } from '../../environments/chat.ts';
import { accept, type Checked, refuse } from '../../problem.ts';
import { printTranscript } from '../../transcripts/print-transcript.ts';
import { hashInstance, hashText } from '../identity.ts';
import { questionFor } from '../responder.ts';
import { labelOf, notesOf, portionOf, shownCalls } from './look.ts';
import { type PromptVersion, promptAt, promptOf, type Session } from './session.ts';
import { branchOf, nodeOf, pathTo, type SessionNode } from './tree.ts';
import type { SessionPrompt, SessionPromptKind, SessionQuestion, SessionText, TextPortion } from './view.ts';

/** Of each message at first. */
const firstLength = 6_000;
/** Of all messages at first. */
const firstRoom = 30_000;

interface Asked {
  readonly version: PromptVersion;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
}

/** What a model was or would be asked, exactly as sent. The error is a sentence. */
export function askedAt(session: Session, node: number, which: SessionPromptKind): Checked<Asked> {
  const { environment, tree } = session;
  const here = nodeOf(tree, node);
  if (which === 'sent' && here.parent === null) {
    return refuse('Nothing has been asked yet: this is the start of the episode.');
  }
  const asking = which === 'next' ? here : nodeOf(tree, here.parent ?? 0);
  const version = which === 'next' ? promptOf(session) : promptAt(session, node);
  if (version === null)
    return refuse('There is no step prompt. Choose one to see what a model would be sent.');
  const need = environment.next(asking.state);
  if (need.kind === 'nothing') return refuse('The episode is over: nothing more is asked.');
  if (need.kind === 'verdict') {
    return accept({ version, messages: need.messages, tools: [] });
  }
  const question = questionFor(environment, version.renderer, asking.state);
  if (question === null) {
    return refuse(
      'The step prompt prints more than a prompt may hold. Look for a section that repeats too much.',
    );
  }
  const { messages, tools = [] } = question;
  return accept({ version, messages, tools: tools.map(({ name }) => name) });
}

/** What a model is to be asked where the session stands; a judge draws no lots. The error is a sentence. */
export function questionNow(session: Session): Checked<SessionQuestion> {
  const { environment, tree } = session;
  const asked = askedAt(session, tree.at, 'next');
  if (!asked.ok) return asked;
  const { version, messages } = asked.value;
  const need = environment.next(nodeOf(tree, tree.at).state);
  const isVerdict = need.kind === 'verdict';
  return accept({
    messages,
    tools: need.kind === 'reply' ? (need.tools ?? []) : [],
    sampling: isVerdict ? { temperature: 0 } : version.prompt.sampling,
    isVerdict,
  });
}

/** The beginnings of the messages with their sizes. */
export function lookAtPrompt(
  session: Session,
  node: number,
  which: SessionPromptKind,
): Checked<SessionPrompt> {
  const asked = askedAt(session, node, which);
  if (!asked.ok) return asked;
  const { version, messages, tools } = asked.value;
  let room = firstRoom;
  const shown = messages.slice(0, 500).map((message) => {
    const { role, content } = message;
    const calls = role === 'assistant' ? shownCalls(message.toolCalls) : [];
    const text = portionOf(content, 0, Math.min(firstLength, Math.max(room, 200)));
    room -= text.text.length;
    return { role, text, tokens: session.environment.countTokens?.(content) ?? null, calls };
  });
  return accept({ name: version.source.name, messages: shown, tools });
}

/** A portion of a long text from `from` on. The error is a sentence. */
export function readText(
  session: Session,
  node: number,
  what: SessionText,
  from: number,
): Checked<TextPortion> {
  const text = wholeText(session, node, what);
  return text.ok ? accept(portionOf(text.value, from)) : text;
}

function wholeText(session: Session, node: number, what: SessionText): Checked<string> {
  const { event, state } = nodeOf(session.tree, node);
  switch (what.kind) {
    case 'message': {
      const asked = askedAt(session, node, what.which);
      return asked.ok ? accept(asked.value.messages[what.index]?.content ?? '') : asked;
    }
    case 'reply':
      return accept(
        event?.kind === 'reply' ? event.text : (JSON.stringify(event?.value ?? null, null, 2) ?? ''),
      );
    case 'reasoning':
      return accept(event?.kind === 'reply' ? (event.reasoning ?? '') : '');
    case 'item': {
      const text = session.environment.panel?.text(state, what.id) ?? null;
      return text === null ? refuse(`There is nothing to be seen of ${what.id} here.`) : accept(text);
    }
  }
}

/** Who gave the replies of a branch, when it was one and the same. */
function agentOf({ environment }: Session, path: readonly SessionNode[]) {
  const [by, ...others] = new Set(path.flatMap((node) => (node.event?.kind === 'reply' ? [node.by] : [])));
  if (by === undefined || others.length > 0 || by === 'you') return { model: null, policy: null };
  const isPolicy = environment.policies.some(({ id }) => id === by);
  return isPolicy ? { model: null, policy: by } : { model: by, policy: null };
}

/**
 * The branch that is followed as a transcript.
 *
 * @param files paths from the transcript to the step prompt and to the file that holds the instance; null where there is
 *   none
 */
export function printSession(
  session: Session,
  files: { readonly instances: string | null; readonly prompt: string | null },
): string {
  const { environment, instance, rawOptions, tree } = session;
  const path = branchOf(tree);
  const last = path.at(-1) ?? nodeOf(tree, 0);
  const origin = environment.locate?.(instance.id) ?? null;
  const version = session.prompts[last.prompt] ?? null;
  const { done, reward, correct, stop, steps } = environment.outcome(last.state);
  return printTranscript({
    environment: environment.id,
    instance: instance.id,
    instanceHash: hashInstance(instance),
    split: files.instances === null ? (origin?.split ?? instance.split) : null,
    index: files.instances === null ? (origin?.index ?? null) : null,
    instances: files.instances,
    options: rawOptions,
    prompt: files.prompt,
    promptHash: version === null ? null : hashText(version.source.text),
    ...agentOf(session, path),
    sampling: version?.prompt.sampling ?? {},
    outcome: done ? { reward, correct, stop, steps } : null,
    events: path.flatMap(({ event }) => (event === null ? [] : [event])),
  });
}

/** The branch up to where the session stands, as Markdown for an issue or a mail. */
export function reportSession(session: Session, spoilers: boolean): string {
  const { environment, instance, tree } = session;
  const here = nodeOf(tree, tree.at);
  const { done, reward, correct, stop, steps } = environment.outcome(here.state);
  const layout = environment.panel?.layout(instance) ?? null;
  const prompt = promptOf(session);
  const lines = [
    `# ${environment.title}: ${instance.id}`,
    '',
    ...(layout === null ? [] : [`> ${layout.task.replaceAll('\n', '\n> ')}`, '']),
    ...(prompt === null ? [] : [`Step prompt: ${prompt.source.name}`, '']),
    done
      ? `Ended after ${steps} ${steps === 1 ? 'step' : 'steps'} (${stop}): reward ${Number(reward.toFixed(4))}, ${correct ? 'correct' : 'not correct'}.`
      : `Not over after ${steps} ${steps === 1 ? 'step' : 'steps'}.`,
    '',
    '| Step | Who | What | Context | Remarks |',
    '| ---: | --- | --- | ---: | --- |',
  ];
  const path = pathTo(tree, tree.at).slice(1);
  for (const node of path) {
    const gauge = environment.commentary?.gauge?.(node.state);
    const context = gauge === undefined ? '' : `${gauge.used} / ${gauge.limit}`;
    const notes = notesOf(session, node, spoilers).map(({ message }) => message);
    const cells = [String(node.depth), node.by, labelOf(session, node), context, notes.join(' ')];
    lines.push(`| ${cells.map(cell).join(' | ')} |`);
  }
  lines.push('');
  for (const { event, depth } of path) {
    if (event?.kind !== 'reply') continue;
    lines.push(`## Step ${depth}`, '', ...fenced(event.text), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function cell(text: string): string {
  return text.replace(/[|\\`<>*_[\]]/g, '\\$&').replace(/\s+/g, ' ');
}

/** A fence that nothing in the text can close. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text, fence];
}
