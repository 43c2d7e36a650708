/** Who gives the next event of a session: a model, a policy, or a person. */
import type { Event } from '../../engine/environments/chat.ts';
import type { Player } from '../../engine/environments/environment.ts';
import type { Clock } from '../../engine/evals/clock.ts';
import type { ModelDelta } from '../../engine/evals/model.ts';
import { verdictOf } from '../../engine/evals/next-event.ts';
import { promptOf, type Session } from '../../engine/evals/sessions/session.ts';
import { questionNow } from '../../engine/evals/sessions/texts.ts';
import { nodeOf, pathTo } from '../../engine/evals/sessions/tree.ts';
import { typedReply } from '../../engine/evals/sessions/typed-reply.ts';
import type { SessionDriver } from '../../engine/evals/sessions/view.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { parseBaseUrl } from '../models/base-url.ts';

/** A person waits: one more try, and no waiting for minutes. */
const attempts = 2;
const timeoutMs = 180_000;

/** The seed of `hopscope eval` unless another is asked for, so that both show the same episodes. */
const seed = '0';

/** Who judged, in transcripts, runs and on the page, when a person did. */
const PERSON = 'a person';

/** What is told while a model speaks; `restart` voids what was said so far. */
export interface Listener {
  said(delta: ModelDelta): void;
  restart(): void;
}

export interface DriveDeps {
  readonly clock: Clock;
  /** The key in what the editor sealed; null for none. */
  unseal(sealed: string): string | null;
}

/** An event and who gave it. */
export interface Given {
  readonly event: Event;
  readonly by: string;
}

/** A policy that has come as far as a node of a session, and may go on from there. */
interface Running {
  readonly id: string;
  readonly node: number;
  readonly player: Player<unknown>;
}

/** Asks the drivers of one session. */
export class Drivers {
  readonly #deps: DriveDeps;
  #running: Running | undefined;

  constructor(deps: DriveDeps) {
    this.#deps = deps;
  }

  /** Called when the event that a policy gave has led to a node, from which it can go on. */
  reached(node: number): void {
    if (this.#running !== undefined) this.#running = { ...this.#running, node };
  }

  /**
   * The event that `driver` gives where the session stands. Never rejects; the error is one sentence or two: what is
   * wrong and what to do.
   */
  async ask(
    session: Session,
    driver: SessionDriver,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<Checked<Given>> {
    const { environment, tree } = session;
    const need = environment.next(nodeOf(tree, tree.at).state);
    if (need.kind === 'nothing')
      return refuse('The episode is over. Go back to act differently, or restart.');
    if (driver.kind === 'given') return accept({ event: driver.event, by: driver.by });
    switch (driver.kind) {
      case 'you':
        return need.kind === 'verdict' ? verdict(driver.text) : yours(driver.text);
      case 'policy':
        if (need.kind === 'verdict') {
          return refuse(
            'A judge has to decide here, and no policy does: give the verdict yourself, or have a model give it as the driver.',
          );
        }
        return this.#policy(session, driver.id);
      case 'model':
        return this.#model(session, driver, listener, signal);
    }
  }

  #policy(session: Session, id: string): Checked<Given> {
    const { environment, instance, tree } = session;
    const policy = environment.policies.find((candidate) => candidate.id === id);
    if (policy === undefined)
      return refuse(`${environment.title} has no policy ${id}: choose another driver.`);
    const running = this.#running;
    const path = pathTo(tree, tree.at);
    const state = path.at(-1)?.state;
    let player = running?.id === id && running.node === tree.at ? running.player : undefined;
    if (player === undefined) {
      player = policy.begin(instance, seed);
      // One that left things to chance goes on as if it had played from the start.
      for (const earlier of path.slice(0, -1)) {
        if (environment.next(earlier.state).kind === 'reply') player(earlier.state);
      }
    }
    const event = player(state);
    this.#running = { id, node: -1, player };
    return accept({ event, by: id });
  }

  async #model(
    session: Session,
    driver: Extract<SessionDriver, { kind: 'model' }>,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<Checked<Given>> {
    const asked = questionNow(session);
    if (!asked.ok) return asked;
    const { messages, tools, sampling, isVerdict } = asked.value;
    const name = driver.model || promptOf(session)?.prompt.model;
    if (!name) {
      return refuse(
        'No model is named. Write model: in the step prompt, or set hopscope.endpoint.model in the settings.',
      );
    }
    const baseUrl = parseBaseUrl(driver.baseUrl);
    if (!baseUrl.ok) {
      return refuse(`${baseUrl.error} Change hopscope.endpoint.baseUrl in the settings.`);
    }
    const key = driver.key === null ? null : this.#deps.unseal(driver.key);
    // Most sessions ask no model, and what speaks to one is the largest part of a language server.
    const { openModel } = await import('../models/open-model.ts');
    const model = openModel(
      { model: name, baseUrl: baseUrl.value, attempts, timeoutMs, concurrency: 1 },
      { clock: this.#deps.clock, signal, keys: () => key, undertaking: 'step' },
    );
    const result = await model.complete(
      {
        messages,
        ...(tools.length > 0 ? { tools } : {}),
        sampling,
        stream: (delta) => listener.said(delta),
        restart: () => listener.restart(),
      },
      signal,
    );
    if (result.ok) {
      const { reply } = result;
      return accept({
        event: isVerdict ? verdictOf(name, reply) : reply,
        by: name,
      });
    }
    const { code, message, advice } = result.failure;
    return refuse(code === 'cancelled' ? 'The step was cancelled.' : `${advice} (${message})`);
  }
}

function yours(text: string): Checked<Given> {
  const typed = typedReply(text);
  return typed.ok ? accept({ event: typed.value, by: 'you' }) : typed;
}

function verdict(text: string): Checked<Given> {
  try {
    const value: unknown = JSON.parse(text);
    return accept({ event: { kind: 'verdict', judge: PERSON, value }, by: 'you' });
  } catch {
    return refuse('The verdict is no JSON. Write what the judge decides, e.g. true or { "ok": 1 }.');
  }
}
