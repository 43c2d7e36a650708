/** "Run Eval…" and what goes on with a run: repeating, resuming, comparing two prompts, and what is shown at the end. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunRow, StreamEntry } from '../../../server/src/protocol.ts';
import { promptUri } from '../prompts/previews.ts';
import { quietly } from '../results/place.ts';
import type { ActiveRuns, Played } from './active.ts';
import {
  baseUrlOf,
  describeChoice,
  type EvalChoice,
  evalArguments,
  isOwnMethod,
  readChoice,
  resumeArguments,
  streamArguments,
} from './choice.ts';
import { type Asking, chooseAgent, chooseInstances, choosePrompt, readChoices, save } from './choose.ts';
import { whyNoOwnMethod } from './choose-streams.ts';
import type { Command } from './command.ts';
import { type Agreed, agree, describeEstimate, estimate, isLocal } from './confirm.ts';
import { headline } from './follow.ts';
import { canRun, placeFor } from './places.ts';
import { streamTitle } from './stream-items.ts';

/** Workspace state: the last choice, and what was agreed to for it. */
const LAST = 'runEval.last';
const AGREED = 'runEval.agreed';

const SET_KEY = 'Set API Key…';

export class Evals {
  readonly #client: LanguageClient;
  readonly #command: Command;
  readonly #memory: vscode.Memento;
  readonly #active: ActiveRuns;

  constructor(client: LanguageClient, command: Command, memory: vscode.Memento, active: ActiveRuns) {
    this.#client = client;
    this.#command = command;
    this.#memory = memory;
    this.#active = active;
  }

  /**
   * Asks what to run and runs it.
   *
   * @param target the address of a step prompt, from a lens or a menu
   * @param given a whole choice, when nothing is to be asked
   */
  async run(target?: unknown, given?: unknown): Promise<Played | undefined> {
    if (!canRun()) return undefined;
    const choice = readChoice(given) ?? (await this.#choose(target));
    return choice && this.play(choice);
  }

  /** Runs the last choice again, with the step prompt as it is now. */
  async repeat(): Promise<Played | undefined> {
    if (!canRun()) return undefined;
    const last = readChoice(this.#memory.get(LAST));
    return last ? this.play(last, this.#memory.get<Agreed>(AGREED)) : this.run();
  }

  /** Asks who plays with which step prompt on a suite, and runs that. */
  async runOn(suite: string): Promise<Played | undefined> {
    const choice = await this.#choose(undefined, { instances: { suite } });
    return choice && this.play(choice);
  }

  /** Two step prompts on the same instances, their episodes in turn. */
  async compareTwo(target?: unknown): Promise<Played | undefined> {
    if (!canRun()) return undefined;
    const choice = await this.#choose(target, { two: true });
    return choice && this.play(choice);
  }

  /** Runs a choice. @param agreed what need not be asked again. */
  async play(choice: EvalChoice, agreed?: Agreed): Promise<Played | undefined> {
    const { instances } = choice;
    const reason = 'method' in instances && isOwnMethod(instances.method) ? whyNoOwnMethod() : undefined;
    if (reason !== undefined) {
      void vscode.window.showWarningMessage(reason);
      return undefined;
    }
    const [prompt] = choice.prompts;
    const place = placeFor(prompt === undefined ? undefined : vscode.Uri.file(prompt));
    if (!place) {
      void vscode.window.showWarningMessage('Open a folder first: runs are kept in it.');
      return undefined;
    }
    if (!(await save(choice.prompts))) return undefined;
    const baseUrl = baseUrlOf(choice);
    const cost = baseUrl === undefined ? undefined : await estimate(this.#command, choice, place);
    if (baseUrl !== undefined) {
      if (!cost || !(await agree(choice, cost, agreed))) return undefined;
      await this.#memory.update(AGREED, {
        baseUrl,
        requests: Math.max(cost.requests, agreed?.requests ?? 0),
      });
    }
    await this.#memory.update(LAST, choice);
    const played = await this.#active.play({
      title: `Eval ${describeChoice(choice)}`,
      args: evalArguments(choice, place, false),
      cwd: place.base,
      baseUrl,
      note: cost && describeEstimate(cost),
    });
    void this.#conclude(played);
    return played;
  }

  /** Plays what is left of a run. */
  async resume(row: RunRow): Promise<Played | undefined> {
    if (!canRun()) return undefined;
    const folder = vscode.Uri.parse(row.uri);
    const place = placeFor(folder);
    if (!place) return undefined;
    const { baseUrl, name } = row.agent;
    const { errored, unfinished } = row.figures.counts;
    if (baseUrl !== null && !(await this.#agreeTo(name, errored + unfinished, baseUrl))) return undefined;
    const played = await this.#active.play({
      title: `Resume ${[row.prompt?.name, name, row.label].filter(Boolean).join(' · ')}`,
      args: resumeArguments(folder.fsPath, baseUrl, place),
      cwd: place.base,
      baseUrl: baseUrl ?? undefined,
    });
    void this.#conclude(played);
    return played;
  }

  /** Plays what is left of streams. */
  async resumeStream(entry: StreamEntry): Promise<Played | undefined> {
    if (!canRun()) return undefined;
    const address = vscode.Uri.parse(entry.uri);
    const place = placeFor(address);
    const { resume, agent } = entry;
    if (!place) return undefined;
    if (
      resume === null ||
      (agent.kind === 'model' && (agent.baseUrl === null || resume.promptPath === null))
    ) {
      void vscode.window.showWarningMessage(
        'The files of this stream do not say how it was begun: go on with it where that was, by the same command.',
      );
      return undefined;
    }
    const { baseUrl } = agent;
    const left = entry.of - entry.done;
    if (baseUrl !== null && !(await this.#agreeTo(agent.name, left, baseUrl))) return undefined;
    // The files of a model lie in a folder of their own.
    const out = path.resolve(address.fsPath, '../..');
    const played = await this.#active.play({
      title: `Resume ${streamTitle(entry)}`,
      args: streamArguments({ ...entry, out, resume }, place),
      cwd: place.base,
      baseUrl: baseUrl ?? undefined,
    });
    void this.#conclude(played);
    return played;
  }

  /** A run may come from somebody else, and name an endpoint that was never agreed to. */
  async #agreeTo(model: string, left: number, baseUrl: string): Promise<boolean> {
    const agreed = this.#memory.get<Agreed>(AGREED);
    if (agreed?.baseUrl === baseUrl || isLocal(baseUrl)) return true;
    const go = 'Go On';
    const detail = `${left} episodes are left. ${model} is asked for them at ${baseUrl}.`;
    const answer = await vscode.window.showInformationMessage(
      'Go on with the run?',
      { modal: true, detail },
      go,
    );
    return answer === go;
  }

  async #choose(target: unknown, known: KnownChoice = {}): Promise<EvalChoice | undefined> {
    const { two = false } = known;
    const title = two ? 'Compare Two Prompts' : 'Run Eval';
    const last = readChoice(this.#memory.get(LAST));
    const asking: Asking = { client: this.#client, command: this.#command, title, last };
    const given = target instanceof vscode.Uri || typeof target === 'string' ? promptUri(target) : undefined;
    const prompt = await choosePrompt(asking, given);
    const other = prompt && two ? await choosePrompt(asking, undefined, prompt.fsPath) : undefined;
    if (!prompt || (two && !other)) return undefined;
    const choices = await readChoices(this.#client, prompt);
    if (!choices) return undefined;
    const agent = await chooseAgent(asking, prompt, choices);
    if (!agent) return undefined;
    const instances = known.instances
      ? { instances: known.instances, count: null }
      : await chooseInstances(asking, prompt, choices);
    if (!instances) return undefined;
    return { prompts: [prompt.fsPath, ...(other ? [other.fsPath] : [])], agent, ...instances };
  }

  /** Shows how runs came out, and offers what one does next. */
  async #conclude({ folders, ends, progress, wasStopped, problem }: Played): Promise<void> {
    const uris = folders.map((folder) => vscode.Uri.file(folder).toString());
    const [uri] = uris;
    if (problem !== undefined) return this.#explain(problem);
    if (uri === undefined) return;
    const [first, second] = ends;
    const reason = ends.map((end) => end.reason).find((it) => it !== null);
    const unfinished = ends.some((end) => end.unfinished > 0) || ends.length < folders.length;
    const errored = ends.some((end) => end.errored > 0);
    if (!unfinished && !errored) {
      if (second) await show('hopscope.compareRuns', uris, quietly);
      else await show('hopscope.openResults', uri, quietly);
    }
    // Who is stopped at once says no more: then it is what was heard until then.
    const figures = ends.length === 0 ? progress : ends.map(headline).join(' against ');
    const state = wasStopped
      ? 'Stopped'
      : unfinished
        ? 'Not finished'
        : first?.status === 'decided'
          ? 'Decided'
          : 'Done';
    const text = [`${state}${figures === '' ? '.' : `: ${figures}.`}`, reason ?? ''].join(' ').trim();
    const next = [
      ...(isAboutKey(reason) ? [SET_KEY] : []),
      ...(unfinished ? ['Resume'] : errored ? ['Retry Failed'] : []),
    ];
    const say =
      unfinished || errored ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const answer = await say(text, ...next, 'Open Results');
    if (answer === 'Open Results') await show('hopscope.openResults', uri);
    else if (answer === SET_KEY) await vscode.commands.executeCommand('hopscope.setApiKey');
    else if (answer !== undefined) await vscode.commands.executeCommand('hopscope.runs.resume', uri);
  }

  async #explain(problem: string): Promise<void> {
    const next = isAboutKey(problem) ? [SET_KEY] : [];
    const answer = await vscode.window.showErrorMessage(problem, ...next);
    if (answer !== undefined) await vscode.commands.executeCommand('hopscope.setApiKey');
  }
}

/** Whether what went wrong asks for another key. */
function isAboutKey(reason: string | null | undefined): boolean {
  return /\bAPI key\b/i.test(reason ?? '');
}

/** What need not be asked. */
interface KnownChoice {
  /** Whether another step prompt is to play beside the first. */
  readonly two?: boolean;
  readonly instances?: EvalChoice['instances'];
}

/** Calls a command of another part of the extension. */
async function show(command: string, target: unknown, manner?: typeof quietly): Promise<void> {
  await vscode.commands.executeCommand(command, target, manner);
}
