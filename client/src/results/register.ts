/** Results of runs: the panel, the comparison page, and runs as tests. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ComparisonPanels } from './comparison-panels.ts';
import { registerTranscripts } from './documents.ts';
import { ResultsPanels, runAddress } from './panels.ts';
import { publishFinished, RunTests } from './tests.ts';

export function registerResults(
  client: LanguageClient,
  { extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>,
): vscode.Disposable {
  const context = { client, extensionUri };
  const tests = new RunTests(client);
  return vscode.Disposable.from(
    tests,
    registerTranscripts(client),
    new ResultsPanels(context).register(),
    new ComparisonPanels(context).register(),
    publishFinished(tests),
    vscode.commands.registerCommand('hopscope.publishTests', async (target?: unknown) => {
      const run = runAddress(target);
      return run === undefined ? 0 : tests.publish(run);
    }),
  );
}
