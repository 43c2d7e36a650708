/** What a run with a model would take, said before it begins. Only where money may be spent is a person asked. */
import * as vscode from 'vscode';
import { isObject } from './child.ts';
import { baseUrlOf, describeChoice, type EvalChoice, type EvalSettings, evalArguments } from './choice.ts';
import { type Command, sentenceOf } from './command.ts';

export interface RunEstimate {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** In US dollars; null where the price is not known. */
  readonly dollars: number | null;
  readonly episodes: number;
}

/** What was agreed to the last time, so that repeating takes one keystroke. */
export interface Agreed {
  readonly baseUrl: string;
  readonly requests: number;
}

/**
 * Says what the choice would take.
 *
 * @returns the estimate; undefined when the command refuses, which is shown.
 */
export async function estimate(
  command: Pick<Command, 'run'>,
  choice: EvalChoice,
  place: EvalSettings,
): Promise<RunEstimate | undefined> {
  const ended = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Estimating', cancellable: true },
    (_, token) =>
      command.run(
        { args: evalArguments(choice, place, true), cwd: place.base, baseUrl: baseUrlOf(choice) },
        token,
      ),
  );
  if (ended.code === null) return undefined; // cancelled
  if (ended.code !== 0) {
    void vscode.window.showErrorMessage(sentenceOf(ended));
    return undefined;
  }
  return ended.lines.map(({ estimate: line }) => readEstimate(line)).reduce(add, nothing);
}

const nothing: RunEstimate = { requests: 0, input: 0, output: 0, dollars: 0, episodes: 0 };

function readEstimate(line: unknown): RunEstimate {
  const fields = isObject(line) ? line : {};
  const number = (key: string) => (typeof fields[key] === 'number' ? fields[key] : 0);
  return {
    requests: number('requests'),
    input: number('inputTokens'),
    output: number('outputTokens'),
    dollars: typeof fields['dollars'] === 'number' ? fields['dollars'] : null,
    episodes: number('episodes'),
  };
}

function add(a: RunEstimate, b: RunEstimate): RunEstimate {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    dollars: a.dollars === null || b.dollars === null ? null : a.dollars + b.dollars,
    episodes: a.episodes + b.episodes,
  };
}

/** E.g. `at least 160 requests, 480k tokens in, 3k out, $0.13`. */
export function describeEstimate({ requests, input, output, dollars }: RunEstimate): string {
  const cost = dollars === null ? '' : `, $${dollars.toFixed(2)}`;
  return `at least ${requests.toLocaleString('en')} requests, ${tokens(input)} tokens in, ${tokens(output)} out${cost}`;
}

function tokens(count: number): string {
  if (count < 10_000) return count.toLocaleString('en');
  return count < 10_000_000 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1_000_000)}M`;
}

/** Whether nobody is paid: the price is known to be nothing, or the endpoint is on this machine and has no price. */
function isFree(baseUrl: string, { dollars }: RunEstimate): boolean {
  return dollars === null ? isLocal(baseUrl) : dollars === 0;
}

/** Whether an endpoint is on this machine. */
export function isLocal(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

/** Asks whether to spend that. @returns whether to go on. */
export async function agree(
  choice: EvalChoice,
  cost: RunEstimate,
  agreed: Agreed | undefined,
): Promise<boolean> {
  const baseUrl = baseUrlOf(choice);
  if (baseUrl === undefined || isFree(baseUrl, cost)) return true;
  if (agreed?.baseUrl === baseUrl && cost.requests <= agreed.requests) return true;
  const price =
    cost.dollars === null
      ? 'What it costs is not known: the table of prices (hopscope.eval.pricesFile) has no such model. '
      : '';
  const run = 'Run';
  const answer = await vscode.window.showInformationMessage(
    `Run ${describeChoice(choice)}?`,
    {
      modal: true,
      detail: `It takes ${describeEstimate(cost)}. ${price}Detours and thoughts of the model come on top. It is asked at ${baseUrl}.`,
    },
    run,
  );
  return answer === run;
}
