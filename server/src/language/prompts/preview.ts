/** The live preview of step prompts: the messages that a model would get, and what changed in them since the last save. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ChatMessage } from '../../engine/environments/chat.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { accept, type Checked, type Problem, refuse } from '../../engine/problem.ts';
import type {
  PreviewMessage,
  PreviewPiece,
  PreviewProblem,
  PreviewRendering,
  PromptPreview,
} from '../../protocol.ts';
import { missingData } from '../instances/missing-data.ts';
import { textChanges } from '../text-changes.ts';
import { type PromptDocument, readPrompt } from './document.ts';
import { portionOf } from './piece-pages.ts';
import type { Preview } from './previews.ts';

/** Bytes of JSON: of all messages of one answer, of one message in it, and of one later portion. */
const room = { preview: 160_000, message: 60_000, portion: 160_000 };

/** Problems shown; a prompt with more has one cause for most of them. */
const shownProblems = 50;

/** What a preview is made from. */
export interface PreviewSource {
  readonly document: TextDocument;
  readonly prompt: PromptDocument;
  readonly problems: readonly Problem[];
  readonly preview: Checked<Preview>;
}

export interface PromptPreviewer {
  render(source: PreviewSource, saved: string | null): PromptPreview;
  /** More of a message of the last rendering of that document. */
  more(uri: string, message: number, start: number): Checked<Pick<PreviewMessage, 'pieces' | 'next'>>;
  forget(uri: string): void;
}

/** A message with the block that gave it. */
interface Sent {
  readonly role: ChatMessage['role'];
  readonly block: number | null;
  readonly content: string;
}

interface Compared extends Omit<Sent, 'content'> {
  readonly pieces: readonly PreviewPiece[];
}

export function createPromptPreviewer(environments: readonly Environment[]): PromptPreviewer {
  /** Of each document the messages last rendered. */
  const rendered = new Map<string, readonly Compared[]>();
  /** The saved version that was last compared with: while a person types it stays the same. */
  let lastSaved: PromptDocument | undefined;

  function savedPrompt(text: string): PromptDocument {
    if (lastSaved?.text !== text) lastSaved = readPrompt(text, environments);
    return lastSaved;
  }

  return {
    render({ document, prompt, problems, preview }, saved) {
      const shown = problems
        .slice(0, shownProblems)
        .map((problem) => toPreviewProblem(document, prompt, problem));
      const isBroken = problems.some(breaks);
      if (!preview.ok) {
        const environment = environments.find(({ id }) => id === prompt.prompt.environment);
        const missing = missingData(environment);
        return {
          problems: shown,
          isBroken,
          rendering: null,
          reason: preview.error,
          missingData: missing,
        };
      }
      const { episode, place } = preview.value;
      const now = messagesOf(prompt, preview.value);
      const before =
        saved === null || saved === prompt.text ? now : messagesOf(savedPrompt(saved), preview.value);
      const compared = compare(before, now);
      rendered.set(document.uri, compared);
      const { environment } = episode;
      const rendering: PreviewRendering = {
        place,
        environment: environment.title,
        instance: episode.location,
        steps: episode.states.length,
        splits: environment.splits.map(({ id, description, size, test }) => ({
          id,
          description,
          size,
          test,
        })),
        policies: environment.policies.map(({ id, description }) => ({ id, description })),
        messages: cutMessages(compared),
        changed: compared.some(({ pieces }) => pieces.some(({ kind }) => kind !== 'same')),
      };
      return { problems: shown, isBroken, rendering, reason: null, missingData: null };
    },

    more(uri, message, start) {
      const found = rendered.get(uri)?.[message];
      if (!found) return refuse('The preview has changed meanwhile.');
      const { pieces, next } = portionOf(found.pieces, start, room.portion);
      return accept({ pieces, next });
    },

    forget: (uri) => void rendered.delete(uri),
  };
}

/** A malformed example action is an error, but renders as it is meant. */
function breaks({ severity, code }: Problem): boolean {
  return severity === 'error' && !code.startsWith('action.');
}

/** The messages of the prompt, then those of the environment's own dialogue. */
function messagesOf(prompt: PromptDocument, { episode, state, observation }: Preview): Sent[] {
  const { texts } = prompt.render(observation);
  const own = prompt.prompt.blocks.flatMap(({ role }, block) => {
    const content = texts[block] ?? '';
    return content === '' ? [] : [{ role, content, block }];
  });
  const dialogue = episode.environment
    .conversation(state)
    .map(({ role, content }) => ({ role, content, block: null }));
  return [...own, ...dialogue];
}

/**
 * Each message of `now` with what changed in it, and messages of `before` that are gone. The messages of one role
 * are compared in their order, so that one more of another role does not make all of them look new.
 */
function compare(before: readonly Sent[], now: readonly Sent[]): Compared[] {
  const left = new Map<Sent['role'], Sent[]>();
  for (const message of [...before].reverse()) {
    const ofRole = left.get(message.role);
    if (ofRole === undefined) left.set(message.role, [message]);
    else ofRole.push(message);
  }
  const compared = now.map(({ role, block, content }): Compared => {
    const old = left.get(role)?.pop();
    return { role, block, pieces: textChanges(old?.content ?? '', content) };
  });
  const gone = new Set([...left.values()].flat());
  return [
    ...compared,
    ...before
      .filter((message) => gone.has(message))
      .map(({ role, content }): Compared => ({ role, block: null, pieces: textChanges(content, '') })),
  ];
}

/** The messages as they are sent: the beginnings of long ones. */
function cutMessages(messages: readonly Compared[]): PreviewMessage[] {
  let left = room.preview;
  return messages.map(({ role, block, pieces: all }) => {
    const { pieces, next, size } = portionOf(all, 0, Math.min(left, room.message));
    left -= size;
    return { role, block, pieces, next };
  });
}

function toPreviewProblem(
  document: TextDocument,
  { prompt }: PromptDocument,
  problem: Problem,
): PreviewProblem {
  const { line, character } = document.positionAt(problem.start);
  const block = prompt.blocks.findIndex(({ start, end }) => start <= problem.start && problem.start < end);
  return {
    severity: problem.severity,
    message: problem.message,
    line,
    character,
    block: block < 0 ? null : block,
  };
}
