/** "Validate" and "Audit": the server examines in threads of its own while a notification tells how far it is. */
import * as vscode from 'vscode';
import { type LanguageClient, ProgressType } from 'vscode-languageclient/node';
import type { ExamineProgress, InstanceSource } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';

const progressType = new ProgressType<ExamineProgress>();

export interface ExamineChoice {
  readonly source: InstanceSource;
  /** Of one instance; null for all. */
  readonly position: number | null;
  readonly audit: boolean;
  /** For people, e.g. `id_test`. */
  readonly name: string;
}

let examinations = 0;

/** @param output where the details go. */
export async function examine(
  client: LanguageClient,
  output: vscode.OutputChannel,
  { source, position, audit, name }: ExamineChoice,
): Promise<void> {
  const title = `${audit ? 'Auditing' : 'Validating'} ${name}`;
  const token = `examination ${++examinations}`;
  const examined = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, cancellation) => {
      let before = 0;
      const listening = client.onProgress(progressType, token, ({ done, total }) => {
        const increment = total > 0 ? ((done - before) / total) * 100 : 0;
        before = done;
        progress.report({
          message: `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
          increment,
        });
      });
      try {
        const answer = await ask(
          client,
          'hopscope/examine',
          { source, position, audit, token },
          cancellation,
        );
        return cancellation.isCancellationRequested ? undefined : answer;
      } catch (error) {
        if (cancellation.isCancellationRequested) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    },
  );
  if (!examined) return;
  if (!examined.ok) {
    void vscode.window.showErrorMessage(examined.error);
    return;
  }
  const { passed, sentence, lines } = examined.value;
  output.appendLine(sentence);
  for (const line of lines) output.appendLine(`  ${line}`);
  output.appendLine('');
  const details = lines.length > 0 ? ['Show Details'] : [];
  const show = passed ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  if ((await show(sentence, ...details)) !== undefined) output.show();
}
