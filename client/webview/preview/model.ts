/** What the page of a preview shows, as a fold over the messages it gets. */
import type {
  PreviewMessage,
  PreviewPiece,
  PreviewProblem,
  PreviewRendering,
  PromptTokens,
} from '../../../server/src/protocol.ts';
import type { FromPage, ToPage } from './messages.ts';

export interface Model {
  /** Of the last preview; 0 before there was one. */
  readonly round: number;
  readonly uri: string;
  readonly problems: readonly PreviewProblem[];
  /** Why there is nothing new to show; null when there is. */
  readonly reason: string | null;
  /** The data set that is why; null when none is. */
  readonly missingData: string | null;
  /** What is shown: the last good rendering, or the best there is when there never was a good one. */
  readonly shown: PreviewRendering | null;
  /** Round of what is shown. */
  readonly shownRound: number;
  /** Whether what is shown is of an earlier text than the present. */
  readonly isStale: boolean;
  /** Positions of messages that are to be shown whole. */
  readonly whole: ReadonlySet<number>;
  /** Null until they have been counted. */
  readonly tokens: PromptTokens | null;
  readonly marksChanges: boolean;
  /** Set once there is nothing to preview any more. */
  readonly gone: string | null;
}

export const emptyModel: Model = {
  round: 0,
  uri: '',
  problems: [],
  reason: null,
  missingData: null,
  shown: null,
  shownRound: 0,
  isStale: false,
  whole: new Set(),
  tokens: null,
  marksChanges: true,
  gone: null,
};

/** The model after `message`. */
export function receive(model: Model, message: ToPage): Model {
  switch (message.kind) {
    case 'preview':
      return receivePreview(model, message);
    case 'tokens':
      return message.round === model.round ? { ...model, tokens: message.tokens } : model;
    case 'more':
      return message.round === model.shownRound && model.shown
        ? { ...model, shown: withMore(model.shown, message) }
        : model;
    case 'gone':
      return { ...model, gone: message.reason };
  }
}

function receivePreview(model: Model, { round, uri, preview }: Extract<ToPage, { kind: 'preview' }>): Model {
  const { problems, rendering, reason, missingData, isBroken } = preview;
  const known: Model = { ...model, gone: null, round, uri, problems, reason, missingData };
  // Errors keep what was shown. At another place it would be wrong, and then the best there is has to do.
  const isElsewhere = rendering !== null && model.shown !== null && !isSamePlace(rendering, model.shown);
  const keeps = model.shown !== null && (rendering === null || (isBroken && !isElsewhere));
  if (keeps) return { ...known, isStale: true };
  const whole = isElsewhere ? new Set<number>() : model.whole;
  return { ...known, shown: rendering, shownRound: round, isStale: false, whole };
}

function isSamePlace(a: PreviewRendering, b: PreviewRendering): boolean {
  const keys = ['split', 'index', 'policy', 'step'] as const;
  return a.instance.id === b.instance.id && keys.every((key) => a.place[key] === b.place[key]);
}

function withMore(
  shown: PreviewRendering,
  { message, pieces, next }: Extract<ToPage, { kind: 'more' }>,
): PreviewRendering {
  const messages = shown.messages.map((it, at) =>
    at === message ? { ...it, pieces: joined(it.pieces, pieces), next } : it,
  );
  return { ...shown, messages };
}

/** Two portions laid end to end; a piece may have been cut between them. */
function joined(before: readonly PreviewPiece[], after: readonly PreviewPiece[]): PreviewPiece[] {
  const last = before.at(-1);
  const [first, ...rest] = after;
  if (last === undefined || first === undefined || last.kind !== first.kind) return [...before, ...after];
  return [...before.slice(0, -1), { kind: last.kind, text: last.text + first.text }, ...rest];
}

/** What has to be asked for, so that messages that are to be shown whole are: at most one portion at a time. */
export function wanted({ shown, shownRound, whole }: Model): FromPage | null {
  for (const [message, { next }] of shown?.messages.entries() ?? []) {
    if (next !== null && whole.has(message)) return { kind: 'more', round: shownRound, message, next };
  }
  return null;
}

/** The pieces as they are to be shown: without the marks of changes when these are not wanted. */
export function piecesOf({ pieces }: PreviewMessage, marksChanges: boolean): readonly PreviewPiece[] {
  if (marksChanges) return pieces;
  return pieces.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [{ kind: 'same' as const, text }]));
}
