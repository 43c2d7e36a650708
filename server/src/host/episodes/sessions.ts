/** The sessions that are open, and what changes them. */
import { fork, go, play, type Session } from '../../engine/evals/sessions/session.ts';
import type { SessionDriver } from '../../engine/evals/sessions/view.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import { type DriveDeps, Drivers, type Listener } from './drive.ts';

interface Open {
  session: Session;
  readonly drivers: Drivers;
  isBusy: boolean;
}

export class Sessions {
  readonly #deps: DriveDeps;
  readonly #open = new Map<string, Open>();

  constructor(deps: DriveDeps) {
    this.#deps = deps;
  }

  /** Opens a session under an id, in the place of one that had it. */
  open(id: string, session: Session): void {
    this.#open.set(id, { session, drivers: new Drivers(this.#deps), isBusy: false });
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  /** The session of that id. The error is a sentence. */
  get(id: string): Checked<Session> {
    const open = this.#find(id);
    return open.ok ? accept(open.value.session) : open;
  }

  /** Puts what `change` makes of a session in its place; an error leaves it as it is. */
  change(id: string, change: (session: Session) => Checked<Session>): Checked<Session> {
    const open = this.#find(id);
    if (!open.ok) return open;
    const changed = change(open.value.session);
    if (changed.ok) open.value.session = changed.value;
    return changed;
  }

  go(id: string, node: number): Checked<Session> {
    return this.change(id, (session) => go(session, node));
  }

  fork(id: string): Checked<Session> {
    return this.change(id, fork);
  }

  /**
   * Has `driver` take the next step. One that is cancelled, or that fails, leaves the session as it is. Whoever goes
   * elsewhere while a model speaks finds its reply where it was asked for.
   */
  async step(
    id: string,
    driver: SessionDriver,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<Checked<Session>> {
    const found = this.#find(id);
    if (!found.ok) return found;
    const open = found.value;
    if (open.isBusy) return refuse('A step is being taken already; wait for it or cancel it.');
    open.isBusy = true;
    const { at } = open.session.tree;
    try {
      const given = await open.drivers.ask(open.session, driver, listener, signal);
      if (signal.aborted) return refuse('The step was cancelled.');
      if (!given.ok) return given;
      const { event, by } = given.value;
      const changed = this.change(id, (session) => play(session, at, event, by));
      if (changed.ok && driver.kind === 'policy') open.drivers.reached(changed.value.tree.at);
      return changed;
    } finally {
      open.isBusy = false;
    }
  }

  #find(id: string): Checked<Open> {
    const open = this.#open.get(id);
    return open === undefined ? refuse('This episode is not open any more; open it anew.') : accept(open);
  }
}
