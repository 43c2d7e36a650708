/** Taking one step of an episode: whoever drives is asked, and what a model says is passed on as it comes. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { type LanguageClient, ProgressType } from 'vscode-languageclient/node';
import type { Checked, SaidProgress, SessionChoice, SessionView } from '../../../server/src/protocol.ts';
import type { PageDriver, ToPage } from '../../webview/episode/messages.ts';
import { ask } from '../language-client.ts';
import type { Keys } from '../models/keys.ts';
import { findDriver } from './drivers.ts';

export interface Stepping {
  readonly client: LanguageClient;
  readonly keys: Keys;
  readonly choice: SessionChoice;
  post(message: ToPage): void;
}

const progressType = new ProgressType<SaidProgress>();

/** Never rejects; the error is one sentence or two. */
export async function takeStep(
  driver: PageDriver,
  { client, keys, choice, post }: Stepping,
  token: vscode.CancellationToken,
): Promise<Checked<SessionView>> {
  const { session } = choice;
  const said = (text: string) => post({ kind: 'said', text, reasoning: '' });
  const progress = randomUUID();
  const listening = client.onProgress(progressType, progress, (piece) => {
    if ('restart' in piece) post({ kind: 'unsaid' });
    else post({ kind: 'said', text: piece.text ?? '', reasoning: piece.reasoning ?? '' });
  });
  try {
    const found = await findDriver(driver, { client, keys, session, said }, token);
    if ('problem' in found) return { ok: false, error: found.problem };
    const params = { ...choice, driver: found.driver, token: progress };
    return await ask(client, 'hopscope/episode/step', params, token);
  } catch (error) {
    return { ok: false, error: token.isCancellationRequested ? 'The step was cancelled.' : messageOf(error) };
  } finally {
    listening.dispose();
  }
}

/** What went wrong, in the words of whatever threw it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is under way, for the status line. */
export function busyLabel(driver: PageDriver, view: SessionView | undefined): string {
  const step = (view?.depth ?? 0) + 1;
  return driver.kind === 'policy' ? `Step ${step}…` : `Waiting for the reply of step ${step}…`;
}

/** Whether something bad is to be said of the step that led here. */
export function isProblem({ node, branch }: SessionView): boolean {
  const worst = branch.find((point) => point.node === node)?.worst ?? null;
  return worst === 'error' || worst === 'warning';
}
