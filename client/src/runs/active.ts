/** The runs that this window has started: their progress is shown, and they can be stopped. */
import * as vscode from 'vscode';
import type { Child } from './child.ts';
import { type Command, sentenceOf } from './command.ts';
import { type RunEnd, RunFollower } from './follow.ts';

export interface StartChoice {
  /** For people, e.g. `terse · gpt-5-mini · 20 of id_test`. */
  readonly title: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where the models are; undefined when policies play. */
  readonly baseUrl: string | undefined;
  /** Shown before the first episode is over, e.g. an estimate. */
  readonly note?: string | undefined;
}

export interface Played {
  /** Folders of the runs, in their order; none when nothing could be begun. */
  readonly folders: readonly string[];
  readonly ends: readonly RunEnd[];
  /** How far it was at the end, e.g. `12 of 20 · reward 0.71`. */
  readonly progress: string;
  /** Whether the person stopped it. */
  readonly wasStopped: boolean;
  /** What went wrong, as a sentence; undefined when the command ended as it should. */
  readonly problem: string | undefined;
}

interface Active {
  readonly title: string;
  readonly child: Child;
  readonly follower: RunFollower;
  stop(): void;
}

/** Ms between two looks at the clock: rate and time left change by themselves. */
const beat = 1000;
/** Least ms between two texts: policies play faster than anybody reads. */
const pause = 100;

export class ActiveRuns implements vscode.Disposable {
  readonly #command: Command;
  readonly #active = new Set<Active>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #status = vscode.window.createStatusBarItem('hopscope.run', vscode.StatusBarAlignment.Left);
  /** Fires when a run of this window begins, moves or ends. */
  readonly onDidChange = this.#changes.event;

  constructor(command: Command) {
    this.#command = command;
    this.#status.name = 'Hopscope Run';
    this.#status.command = 'hopscope.stopEval';
  }

  dispose(): void {
    this.#status.dispose();
    this.#changes.dispose();
  }

  /** Whether this window plays the run in a folder. */
  plays(folder: string): boolean {
    return this.#find(folder) !== undefined;
  }

  /** Titles of what is under way. */
  get titles(): readonly string[] {
    return [...this.#active].map(({ title }) => title);
  }

  /** Stops the run in a folder, or the one of that title. @returns whether there was one. */
  stop(which: { readonly folder: string } | { readonly title: string }): boolean {
    const found =
      'folder' in which
        ? this.#find(which.folder)
        : [...this.#active].find(({ title }) => title === which.title);
    found?.stop();
    return found !== undefined;
  }

  /** Plays until everything is over or somebody stops it. */
  async play({ title, args, cwd, baseUrl, note }: StartChoice): Promise<Played> {
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const follower = new RunFollower(Date.now());
        let shown = 0;
        let last = 0;
        const show = () => {
          const now = Date.now();
          if (now - last < pause) return;
          last = now;
          const share = follower.share * 100;
          const text = follower.describe(now);
          const isFirst = note !== undefined && follower.share === 0;
          progress.report({ message: isFirst ? `${text} · ${note}` : text, increment: share - shown });
          shown = share;
          this.#show();
        };
        const child = await this.#command.start({
          args,
          cwd,
          baseUrl,
          line: (line) => {
            follower.take(line);
            show();
            this.#changes.fire();
          },
        });
        let wasStopped = false;
        const stop = () => {
          if (wasStopped) return;
          wasStopped = true;
          progress.report({ message: 'stopping' });
          child.stop();
        };
        const active: Active = { title, child, follower, stop };
        this.#active.add(active);
        token.onCancellationRequested(stop);
        const timer = setInterval(show, beat);
        show();
        try {
          const end = await child.end;
          const { folders, ends } = follower;
          const failed = ends.length === 0 && !wasStopped && end.code !== 0;
          const progress = follower.describeFigures();
          return { folders, ends, progress, wasStopped, problem: failed ? sentenceOf(end) : undefined };
        } finally {
          clearInterval(timer);
          this.#active.delete(active);
          this.#show();
          this.#changes.fire();
        }
      },
    );
  }

  #find(folder: string): Active | undefined {
    return [...this.#active].find(({ follower }) => follower.folders.includes(folder));
  }

  #show(): void {
    const [first, ...others] = this.#active;
    if (!first) {
      this.#status.hide();
      return;
    }
    const more = others.length > 0 ? ` (+${others.length})` : '';
    this.#status.text = `$(sync~spin) ${first.follower.describe(Date.now())}${more}`;
    this.#status.tooltip = `${this.titles.join('\n')}\n\nClick to stop.`;
    this.#status.accessibilityInformation = { label: `Hopscope run: ${first.follower.describe(Date.now())}` };
    this.#status.show();
  }
}
