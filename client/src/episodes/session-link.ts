/** What a panel asks of its session in the server; and what keeps that session over the end of either. */
import type { LanguageClient } from 'vscode-languageclient/node';
import type {
  Checked,
  ChunkPlace,
  SavedRun,
  SessionAdvice,
  SessionChoice,
  SessionComparison,
  SessionHelp,
  SessionOpened,
  SessionPromptText,
  SessionText,
  SessionView,
  TextPortion,
} from '../../../server/src/protocol.ts';
import { areSpoilersShown } from '../instances/spoilers.ts';
import { ask } from '../language-client.ts';
import type { KeptSessions } from './kept.ts';
import { messageOf } from './stepping.ts';

/** Time after the last change until the session is kept, in ms. */
const keepAfter = 300;

export class SessionLink {
  readonly #client: LanguageClient;
  readonly #kept: KeptSessions;
  readonly #session: string;
  readonly #failed: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param failed told of everything that could not be had, in a sentence or two */
  constructor(
    { client, kept }: { readonly client: LanguageClient; readonly kept: KeptSessions },
    session: string,
    failed: (message: string) => void,
  ) {
    this.#client = client;
    this.#kept = kept;
    this.#session = session;
    this.#failed = failed;
  }

  /** Which session is meant. */
  choice(): SessionChoice {
    return { session: this.#session, spoilers: areSpoilersShown() };
  }

  /** What was asked for; undefined when it could not be had, which is told. */
  async #value<T>(asked: Promise<Checked<T>>): Promise<T | undefined> {
    try {
      const answer = await asked;
      if (answer.ok) return answer.value;
      this.#failed(answer.error);
    } catch (error) {
      this.#failed(messageOf(error));
    }
    return undefined;
  }

  look(): Promise<SessionOpened | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/look', this.choice()));
  }

  text(node: number, what: SessionText, from: number): Promise<TextPortion | undefined> {
    const asked = { session: this.#session, node, what, from };
    return this.#value(ask(this.#client, 'hopscope/episode/text', asked));
  }

  /** What can be said of a reply that is typed. @param offset of the cursor */
  help(text: string, offset: number): Promise<SessionHelp | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/help', { ...this.choice(), text, offset }));
  }

  compare(left: number, right: number): Promise<SessionComparison | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/compare', { ...this.choice(), left, right }));
  }

  places(): Promise<readonly ChunkPlace[] | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/places', { session: this.#session }));
  }

  go(node: number): Promise<SessionView | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/go', { ...this.choice(), node }));
  }

  fork(): Promise<SessionView | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/fork', this.choice()));
  }

  usePrompt(prompt: SessionPromptText): Promise<SessionView | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/usePrompt', { ...this.choice(), prompt }));
  }

  /** Follows an edited transcript. @param step to go to; the last one when null */
  async follow(text: string, step: number | null): Promise<Checked<SessionView>> {
    try {
      return await ask(this.#client, 'hopscope/episode/follow', { ...this.choice(), text, step });
    } catch (error) {
      return { ok: false, error: messageOf(error) };
    }
  }

  advice(): Promise<SessionAdvice | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/advice', { session: this.#session }));
  }

  saveRun(parent: string): Promise<SavedRun | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/saveRun', { session: this.#session, parent }));
  }

  /** @param target address of the file that a transcript is for */
  print(
    what: 'transcript' | 'report' | 'prompt' | 'session',
    target: string | null,
  ): Promise<string | undefined> {
    return this.#value(ask(this.#client, 'hopscope/episode/print', { ...this.choice(), what, target }));
  }

  /** Call when the session has changed. */
  keepSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), keepAfter);
  }

  /** The panel was closed: nobody comes back to its session. */
  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.#kept.forget(this.#session);
    ask(this.#client, 'hopscope/episode/close', { session: this.#session }).catch(() => {});
  }

  async #keep(): Promise<void> {
    const text = await this.print('session', null);
    if (text !== undefined && !this.#isClosed) await this.#kept.write(this.#session, text);
  }
}
