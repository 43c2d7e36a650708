/** What the page of an episode shows, as a fold over the messages it gets and over what a person does on it. */
import type {
  SessionAdvice,
  SessionComparison,
  SessionHelp,
  SessionOpened,
  SessionPrompt,
  SessionPromptKind,
  SessionText,
  SessionView,
} from '../../../server/src/protocol.ts';
import { type Answers, verdictOf } from './answers.ts';
import type { FromPage, PageDriver, Setup, ToPage } from './messages.ts';

/** A long text as far as it has been fetched. */
export interface Fetched {
  readonly text: string;
  readonly next: number | null;
}

/** The prompt that is shown or being fetched. */
export interface ShownPrompt {
  readonly node: number;
  readonly which: SessionPromptKind;
  /** Undefined until it is there. */
  readonly prompt: SessionPrompt | null | undefined;
  readonly reason: string;
  /** Tokens of each message in a model's tokenizer; null until they are there. */
  readonly counts: readonly number[] | null;
  readonly tokenizer: string;
}

export interface Model {
  readonly setup: Setup | null;
  readonly opened: SessionOpened | null;
  readonly view: SessionView | null;
  /** The state that a person has gone to, until the server has answered; null for none. */
  readonly going: number | null;
  /** What is under way; null for nothing. */
  readonly busy: string | null;
  /** What a model has said so far of a reply that is not there yet. */
  readonly said: { readonly text: string; readonly reasoning: string } | null;
  readonly failure: string | null;
  /** Why the transcript beside is not followed; null when it is. */
  readonly apart: string | null;
  /** What went well, for the status line. */
  readonly done: string;
  readonly gone: string | null;
  readonly prompt: ShownPrompt | null;
  /** Long texts by {@link keyOf}. */
  readonly texts: ReadonlyMap<string, Fetched>;
  readonly advice: { readonly node: number; readonly advice: SessionAdvice } | null;
  readonly comparing: {
    readonly left: number;
    readonly right: number;
    readonly comparison: SessionComparison | null;
  } | null;
  readonly help: SessionHelp | null;
  /** Counts what was typed; help of an earlier round is out of date. */
  readonly round: number;

  /** A policy as `policy:oracle`, a model of the editor as `editor:its-id`, or `you`, `model`. */
  readonly driver: string;
  readonly typed: string;
  /** To the questions of a verdict. */
  readonly answers: Answers;
  /** The proposal that Enter takes; -1 for none. */
  readonly proposal: number;
  /** The chunk that is pointed at; null for none. */
  readonly chunk: number | null;
  /** Ids of held items that are chosen. */
  readonly chosen: readonly string[];
  /** A gesture that waits for its text: its number in the layout. */
  readonly asking: number | null;
  readonly which: SessionPromptKind;
  readonly turned: ReadonlySet<string>;
}

export const emptyModel: Model = {
  setup: null,
  opened: null,
  view: null,
  going: null,
  busy: null,
  said: null,
  failure: null,
  apart: null,
  done: '',
  gone: null,
  prompt: null,
  texts: new Map(),
  advice: null,
  comparing: null,
  help: null,
  round: 0,
  driver: '',
  typed: '',
  answers: {},
  proposal: -1,
  chunk: null,
  chosen: [],
  asking: null,
  which: 'sent',
  turned: new Set(),
};

/** Parts of the page that are folded at first. */
const foldedAtFirst = new Set(['reasoning', 'prompt', 'metrics']);

export function isUnfolded({ turned }: Model, part: string): boolean {
  const first = part.replace(/ .*/s, '');
  return foldedAtFirst.has(first) || first === 'item' ? turned.has(part) : !turned.has(part);
}

/** The model after `message`. */
export function receive(model: Model, message: ToPage): Model {
  switch (message.kind) {
    case 'opened':
      return message.again && model.opened ? model : receiveOpened(model, message.opened);
    case 'setup':
      return { ...model, setup: message.setup };
    case 'view':
      return { ...receiveView(model, message.view), failure: null };
    case 'busy':
      // With a label another step begins: what was said of the one before, or went wrong with it, is over.
      return {
        ...model,
        busy: message.label,
        said: null,
        failure: message.label === null ? model.failure : null,
      };
    case 'said': {
      const { text = '', reasoning = '' } = model.said ?? {};
      const last = (whole: string) => whole.slice(-200_000); // only the end is shown
      return {
        ...model,
        said: { text: last(text + message.text), reasoning: last(reasoning + message.reasoning) },
      };
    }
    case 'unsaid':
      return { ...model, said: null };
    case 'prompt':
      return isAsked(model, message)
        ? {
            ...model,
            prompt: { ...message, counts: null, tokenizer: '', prompt: message.prompt },
          }
        : model;
    case 'promptTokens': {
      const { counts, tokenizer } = message;
      const { prompt } = model;
      return prompt && isAsked(model, message)
        ? { ...model, prompt: { ...prompt, counts, tokenizer } }
        : model;
    }
    case 'text':
      return receiveText(model, message);
    case 'advice':
      return message.node === model.view?.node ? { ...model, advice: message } : model;
    case 'help':
      return message.round === model.round
        ? { ...model, help: message.help, proposal: stillChosen(model, message.help) }
        : model;
    case 'compared':
      return { ...model, comparing: message };
    case 'apart':
      return { ...model, apart: message.reason };
    case 'failed':
      return { ...model, failure: message.message, done: '', going: null };
    case 'done':
      return { ...model, done: message.message, failure: null };
    case 'gone':
      return { ...model, gone: message.reason };
  }
}

function receiveOpened(model: Model, opened: SessionOpened): Model {
  const known = model.driver === '' ? firstDriver(opened) : model.driver;
  const fresh = {
    ...model,
    opened,
    gone: null,
    going: null,
    failure: null,
    driver: known,
    prompt: null,
    texts: new Map(),
  };
  return receiveView(fresh, opened.view);
}

function firstDriver({ policies }: SessionOpened): string {
  const [first] = policies;
  return first === undefined ? 'you' : `policy:${first.id}`;
}

function receiveView(model: Model, view: SessionView): Model {
  const isGone = model.going === view.node; // a person has looked elsewhere, which ends no step
  const isElsewhere = view.node !== model.view?.node;
  const held = view.panel?.gauge?.items.map(({ id }) => id) ?? [];
  return {
    ...model,
    view,
    going: model.going === view.node ? null : model.going,
    said: isGone && model.busy !== null ? model.said : null,
    prompt: null, // another version of it may be in force
    chosen: model.chosen.filter((id) => held.includes(id)),
    ...(isElsewhere
      ? {
          answers: {},
          advice: null,
          asking: null,
          done: '',
          texts: new Map(),
          which: view.depth === 0 ? 'next' : 'sent',
        }
      : {}),
  };
}

/** The state where a person is, or will be as soon as the server has answered; null before there is any. */
export function placeOf({ going, view }: Model): number | null {
  return going ?? view?.node ?? null;
}

/** The state before the present one, or after it, on the branch that is followed; null where there is none. */
export function neighbour(model: Model, side: 'before' | 'after'): number | null {
  const { view } = model;
  if (!view) return null;
  const at = view.branch.findIndex(({ node }) => node === placeOf(model));
  if (at < 0) return side === 'before' ? view.parent : view.next;
  return view.branch[side === 'before' ? at - 1 : at + 1]?.node ?? null;
}

function isAsked(
  { prompt }: Model,
  asked: { readonly node: number; readonly which: SessionPromptKind },
): boolean {
  return prompt?.node === asked.node && prompt.which === asked.which;
}

function receiveText(model: Model, { node, what, from, portion }: Extract<ToPage, { kind: 'text' }>): Model {
  if (node !== model.view?.node) return model;
  const key = keyOf(what);
  const before = textBefore(model, what);
  if (before.length !== from) return model; // asked for twice
  const texts = new Map(model.texts);
  texts.set(key, { text: before + portion.text, next: portion.next });
  return { ...model, texts };
}

/** What there is of a long text before it is fetched. */
function textBefore({ texts, view, prompt }: Model, what: SessionText): string {
  const fetched = texts.get(keyOf(what));
  if (fetched) return fetched.text;
  if (what.kind === 'reply') return view?.step?.text.text ?? '';
  if (what.kind === 'reasoning') return view?.step?.reasoning?.text ?? '';
  if (what.kind === 'message') return prompt?.prompt?.messages[what.index]?.text.text ?? '';
  return '';
}

/** Names a long text of the node that is shown. */
export function keyOf(what: SessionText): string {
  return what.kind === 'message'
    ? `message ${what.which} ${what.index}`
    : what.kind === 'item'
      ? `item ${what.id}`
      : what.kind;
}

/** The prompt that is to be fetched, since the part of the page that shows it is unfolded; null when it is there. */
export function wantedPrompt(model: Model): Extract<FromPage, { kind: 'prompt' }> | null {
  const { view, which, prompt } = model;
  if (!view || !isUnfolded(model, 'prompt')) return null;
  const { node } = view;
  return prompt?.node === node && prompt.which === which ? null : { kind: 'prompt', node, which };
}

/** The model once the prompt has been asked for, so that it is not asked for twice. */
export function askPrompt(model: Model, { node, which }: Extract<FromPage, { kind: 'prompt' }>): Model {
  return { ...model, prompt: { node, which, prompt: undefined, reason: '', counts: null, tokenizer: '' } };
}

/** Where the proposal that Enter takes stands among new ones, so that typing on does not lose it; -1 when it is gone. */
function stillChosen({ help, proposal }: Model, { proposals }: SessionHelp): number {
  const label = help?.proposals[proposal]?.label;
  return label === undefined ? -1 : proposals.findIndex((it) => it.label === label);
}

/** What a person who drives would give now; empty when nothing is typed. */
export function givenBy({ view, typed, answers }: Model): string {
  return view?.verdict ? verdictOf(view.verdict, answers) : typed;
}

/** The driver that is chosen; undefined when a person has to act. */
export function driverOf({ driver, typed }: Model): PageDriver {
  if (driver.startsWith('policy:')) return { kind: 'policy', id: driver.slice('policy:'.length) };
  if (driver.startsWith('editor:')) return { kind: 'editor', id: driver.slice('editor:'.length) };
  if (driver === 'model') return { kind: 'model' };
  return { kind: 'you', text: typed };
}

/** The reply that a gesture makes. */
export function gestureReply(reply: string, ids: readonly string[], text: string): string {
  // In one go: what is typed may itself hold braces.
  return reply.replace(/\{(ids|text)\}/g, (_, name) => (name === 'ids' ? ids.join(', ') : text));
}
