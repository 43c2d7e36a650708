/** The panel of one episode: passes on what a person does, and shows what came of it. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import type {
  SessionOpened,
  SessionPromptText,
  SessionSource,
  SessionView,
} from '../../../server/src/protocol.ts';
import {
  type FromPage,
  type Order,
  type PageDriver,
  type Reach,
  readFromPage,
  type ToPage,
} from '../../webview/episode/messages.ts';
import { ask } from '../language-client.ts';
import type { Keys } from '../models/keys.ts';
import { webviewHtml } from '../webview-html.ts';
import { findSetup } from './drivers.ts';
import { HeldChunks } from './held-chunks.ts';
import type { KeptSessions } from './kept.ts';
import type { HeldMarks } from './marks.ts';
import { copyPrompt, pickPrompt, readPrompt } from './prompts.ts';
import { answerQuestion } from './questions.ts';
import { keepElsewhere, openBeside } from './saving.ts';
import { SessionLink } from './session-link.ts';
import type { Target } from './source.ts';
import { busyLabel, isProblem, messageOf, takeStep } from './stepping.ts';
import { TranscriptBeside } from './transcript.ts';

/** What panels share. */
export interface PanelContext {
  readonly client: LanguageClient;
  readonly extensionUri: vscode.Uri;
  readonly keys: Keys;
  readonly kept: KeptSessions;
  readonly marks: HeldMarks;
}

const commands = {
  selectModel: 'hopscope.selectModel',
  toggleSpoilers: 'hopscope.toggleSpoilers',
  trust: 'workbench.trust.manage',
} as const;

export class EpisodePanel {
  readonly panel: vscode.WebviewPanel;
  readonly session: string;
  readonly #context: PanelContext;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #transcript: TranscriptBeside;
  readonly #link: SessionLink;
  readonly #held: HeldChunks;
  #source: Target['source'];
  #opened: SessionOpened | undefined;
  #view: SessionView | undefined;
  /** What the server is asked for now. */
  #step: vscode.CancellationTokenSource | undefined;
  /** Whether a step was being taken when the server ended. */
  #isLost = false;
  /** What is under way, in words; null when nothing is that takes long. */
  #busy: string | null = null;
  /** Why there is nothing to show; null when there is. */
  #gone: string | null = null;
  /** What is posted before there is a page would be lost. */
  #isReady = false;
  /** What was posted all the same, since most often there is one by then. */
  #early: SessionView | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  /** @param session of a panel that is restored */
  constructor(panel: vscode.WebviewPanel, source: Target['source'], context: PanelContext, session?: string) {
    this.panel = panel;
    this.session = session ?? randomUUID();
    this.#source = source;
    this.#context = context;
    this.#link = new SessionLink(context, this.session, (message) => this.#fail(message));
    this.#held = new HeldChunks(context.marks, () => this.#link.places());
    this.#transcript = new TranscriptBeside({
      print: (target) => this.#link.print('transcript', target),
      follow: async (text, step) => {
        const followed = await this.#link.follow(text, step);
        if (followed.ok) this.#show(followed.value, false);
        return followed.ok ? null : followed.error;
      },
      stoodApart: () => this.#tellApart(),
      go: (step) => this.#goToStep(step),
      isOwn: (text) => text.includes(this.#opened?.instance.id ?? ''),
      remember: (place) => void context.kept.setPlace(this.session, place),
    });
    const { client } = context;
    this.#subscriptions.push(
      this.#transcript,
      panel.webview.onDidReceiveMessage((message: unknown) =>
        this.#receive(readFromPage(message)).catch((error) => this.#fail(messageOf(error))),
      ),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('hopscope')) void this.#lookAgain();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#postSetup()),
      vscode.lm.onDidChangeChatModels(() => void this.#postSetup()),
      // A server that was started anew knows nothing of the session.
      client.onDidChangeState(({ newState }) => newState === State.Running && void this.#reopen()),
      panel.onDidChangeViewState(() => panel.active && void this.#mark()),
      panel.onDidDispose(() => this.#dispose()),
    );
    panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'episode');
    void this.#open(); // while the page is loading
  }

  async #receive(message: FromPage | undefined): Promise<void> {
    switch (message?.kind) {
      case 'ready':
        return this.#pageIsReady();
      case 'play':
        return this.#play(message.driver, message.reach);
      case 'rerun':
        return this.#rerun(message.driver);
      case 'go':
        return this.#show(await this.#link.go(message.node));
      case 'order':
        return this.#order(message.order);
      case 'prompt':
      case 'text':
      case 'help':
      case 'compare': {
        const { client } = this.#context;
        const { session } = this;
        return answerQuestion(message, { client, link: this.#link, session }, (it) => this.#post(it));
      }
      default:
        return; // nothing of ours
    }
  }

  /** A page has come, the first one or another after the panel was hidden or moved: it is told how things stand. */
  async #pageIsReady(): Promise<void> {
    this.#isReady = true;
    const setup = this.#postSetup();
    if (this.#opened) this.#postOpened(this.#early === this.#view);
    else await this.#open();
    this.#early = undefined; // another page knows nothing of it
    this.#tellApart();
    if (this.#gone !== null) this.#post({ kind: 'gone', reason: this.#gone });
    if (this.#busy !== null) this.#post({ kind: 'busy', label: this.#busy });
    await setup;
  }

  /** Once however often it is asked for. */
  #open(): Promise<void> {
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNow(): Promise<void> {
    try {
      const source = await this.#source();
      if (source === undefined) return this.panel.dispose();
      const wanted = { ...this.#link.choice(), source };
      const opened = await ask(this.#context.client, 'hopscope/episode/open', wanted);
      if (!opened.ok) return this.#showGone(opened.error);
      this.#gone = null;
      this.#opened = opened.value;
      this.#view = opened.value.view;
      this.#showTitle();
      this.#postOpened();
      this.#link.keepSoon();
      await Promise.all([this.#mark(), this.#postSetup(), this.#findTranscript(source)]);
    } catch (error) {
      this.#showGone(`The episode cannot be opened. ${messageOf(error)}`);
    }
  }

  async #findTranscript(source: SessionSource): Promise<void> {
    if (source.kind === 'transcript') await this.#transcript.cameFrom(source.uri, source.text);
    else if (source.kind === 'kept') {
      await this.#transcript.resume(this.#context.kept.placeOf(this.session));
    }
    await this.#transcript.show(this.#view?.depth ?? 0);
  }

  /** After the server was started anew: from what was kept. */
  async #reopen(): Promise<void> {
    if (!this.#opened || this.#isClosed) return;
    const text = await this.#context.kept.read(this.session);
    if (text !== undefined) this.#source = async () => ({ kind: 'kept', text });
    const isLost = this.#isLost || this.#step !== undefined;
    this.#isLost = false;
    this.#step?.cancel();
    await this.#open();
    if (isLost)
      this.#fail('The language server ended while this step was taken, so it is lost: take it again.');
  }

  async #lookAgain(): Promise<void> {
    await this.#postSetup();
    const opened = await this.#link.look();
    if (!opened) return;
    this.#opened = opened;
    this.#view = opened.view;
    this.#postOpened();
  }

  #postOpened(again = false): void {
    if (!this.#opened || !this.#view || this.#isClosed) return;
    if (!this.#isReady) this.#early = this.#view;
    const opened = { ...this.#opened, view: this.#view };
    void this.panel.webview.postMessage({ kind: 'opened', opened, again } satisfies ToPage);
  }

  async #postSetup(): Promise<void> {
    this.#post({ kind: 'setup', setup: await findSetup(this.session, this.#view?.prompt?.model ?? null) });
  }

  /** Takes steps as far as it is wanted; each is shown, and every wait can be cancelled. */
  async #play(driver: PageDriver, reach: Reach): Promise<void> {
    if (this.#step) return;
    const source = new vscode.CancellationTokenSource();
    this.#step = source;
    const isSlow = driver.kind === 'model' || driver.kind === 'editor';
    try {
      for (;;) {
        if (isSlow || reach !== 'step') this.#showBusy(busyLabel(driver, this.#view));
        const view = await this.#stepOnce(driver, source.token);
        if (!view) return;
        if (reach === 'step' || view.need !== 'reply' || (reach === 'problem' && isProblem(view))) return;
      }
    } finally {
      this.#step = undefined;
      source.dispose();
      if (this.#busy !== null) this.#showBusy(null);
    }
  }

  /** Something did not work; one or two sentences. */
  #fail(message: string): void {
    this.#post({ kind: 'failed', message });
  }

  /** Whether the transcript beside is followed. */
  #tellApart(): void {
    const why = this.#transcript.apart;
    const reason = why && `The transcript beside is not followed, and stays as it is written. ${why}`;
    this.#post({ kind: 'apart', reason });
  }

  #done(message: string): void {
    this.#post({ kind: 'done', message });
  }

  #showGone(reason: string): void {
    this.#gone = reason;
    this.#post({ kind: 'gone', reason });
  }

  #showBusy(label: string | null): void {
    this.#busy = label;
    this.#post({ kind: 'busy', label });
  }

  /** @returns what is to be seen then; undefined when it did not come to that, which has been told. */
  async #stepOnce(driver: PageDriver, token: vscode.CancellationToken): Promise<SessionView | undefined> {
    const { client, keys } = this.#context;
    const post = (message: ToPage) => this.#post(message);
    const stepped = await takeStep(driver, { client, keys, choice: this.#link.choice(), post }, token);
    if (stepped.ok) {
      this.#show(stepped.value);
      return stepped.value;
    }
    this.#isLost = client.state !== State.Running;
    this.#fail(stepped.error);
    return undefined;
  }

  /** Takes the step prompt as it is written now, or another one, and goes on from here on a branch of its own. */
  async #rerun(driver: PageDriver): Promise<void> {
    const uri = this.#view?.prompt?.uri;
    const written = uri ? await readPrompt(vscode.Uri.parse(uri)) : undefined;
    const prompt = written ?? (await this.#askForPrompt());
    if (!prompt || !(await this.#usePrompt(prompt))) return;
    const forked = await this.#link.fork();
    if (!forked) return;
    this.#show(forked);
    await this.#play(driver, 'end');
  }

  async #usePrompt(prompt: SessionPromptText): Promise<boolean> {
    const view = await this.#link.usePrompt(prompt);
    this.#show(view);
    return view !== undefined;
  }

  /** Asks for a step prompt. A copy is only opened: it is there to be changed first. */
  async #askForPrompt(): Promise<SessionPromptText | undefined> {
    const environment = this.#opened?.environment.id ?? '';
    const copied = this.#view?.prompt?.name ?? null;
    const picked = await pickPrompt(this.#context.extensionUri, environment, copied);
    if (picked === 'copy') await this.#editPrompt();
    return picked === 'copy' ? undefined : picked;
  }

  /** Opens the step prompt; one that nobody can write in as a copy. */
  async #editPrompt(): Promise<void> {
    const uri = this.#view?.prompt?.uri;
    if (uri && (await readPrompt(vscode.Uri.parse(uri)))) return openBeside(uri);
    const text = await this.#link.print('prompt', null);
    if (!text || !(await this.#usePrompt(await copyPrompt(text)))) return;
    this.#done('Change the copy beside, then choose Re-run from Here.');
  }

  async #order(order: Order): Promise<void> {
    switch (order) {
      case 'cancel':
        return this.#step?.cancel();
      case 'fork':
        return this.#show(await this.#link.fork());
      case 'advice': {
        const node = this.#view?.node ?? 0;
        const advice = await this.#link.advice();
        return advice && this.#post({ kind: 'advice', node, advice });
      }
      case 'choosePrompt': {
        const prompt = await this.#askForPrompt();
        if (prompt) await this.#usePrompt(prompt);
        return;
      }
      case 'openPrompt':
        return this.#editPrompt();
      case 'openInstance':
        await openBeside(this.#opened?.instance.uri);
        return this.#mark();
      case 'openTranscript':
        return this.#transcript.open();
      case 'selectModel':
      case 'toggleSpoilers':
      case 'trust':
        await vscode.commands.executeCommand(commands[order]);
        return this.#postSetup();
      case 'save':
      case 'copy':
      case 'saveRun': {
        const parts = { name: this.#opened?.instance.id, link: this.#link, transcript: this.#transcript };
        const kept = await keepElsewhere(order, parts);
        if (kept?.ok === false) this.#fail(kept.error);
        else if (kept) this.#done(kept.value);
        return;
      }
      case 'retry':
        return this.#open();
    }
  }

  async #goToStep(step: number): Promise<void> {
    const point = this.#view?.branch.findLast(({ depth }) => depth <= step);
    if (!point || point.node === this.#view?.node || this.#step) return;
    this.#show(await this.#link.go(point.node));
  }

  /** @param follows whether the transcript beside is to follow, which is false when it went ahead */
  #show(view: SessionView | undefined, follows = true): void {
    if (!view) return;
    this.#view = view;
    this.#post({ kind: 'view', view });
    this.#link.keepSoon();
    void this.#mark();
    if (follows) void this.#transcript.show(view.depth);
  }

  /** The title names instance and prompt. */
  #showTitle(): void {
    const id = this.#opened?.instance.id;
    const name = this.#view?.prompt?.name;
    if (id !== undefined) this.panel.title = name === undefined ? id : `${id} · ${name}`;
  }

  /** Marks what is held in the document of the instance. */
  #mark(): Promise<void> {
    this.#showTitle();
    return this.#held.show(this.#opened, this.#view);
  }

  #post(message: ToPage): void {
    if (this.#isReady && !this.#isClosed) void this.panel.webview.postMessage(message);
  }

  #dispose(): void {
    this.#isClosed = true;
    this.#link.dispose();
    this.#step?.cancel();
    this.#held.hide(this.#opened);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
