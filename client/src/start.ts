/** Starts the language server and registers what a person can do. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { registerCompareTexts } from './compare-texts.ts';
import { registerData } from './data/register.ts';
import { registerEpisodes } from './episodes/panels.ts';
import { InstanceFiles } from './instance-files.ts';
import { registerInstances } from './instances/register.ts';
import { createLanguageClient } from './language-client.ts';
import { Keys } from './models/keys.ts';
import { passOnModels } from './models/known.ts';
import { registerModels } from './models/register.ts';
import { newTranscript } from './new-transcript.ts';
import { openInstance } from './open-instance.ts';
import { registerPromptFeatures } from './prompts/features.ts';
import { registerResults } from './results/register.ts';
import { Command } from './runs/command.ts';
import { registerRuns } from './runs/register.ts';

let client: LanguageClient | undefined;

export function start(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Hopscope', { log: true });
  const started = createLanguageClient(context, log);
  client = started;
  const keys = new Keys(context.secrets);
  const command = new Command(context, keys);
  context.subscriptions.push(
    log,
    vscode.workspace.registerFileSystemProvider('hopscope', new InstanceFiles(started), {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    vscode.commands.registerCommand('hopscope.openInstance', () =>
      openInstance(started, context.workspaceState),
    ),
    vscode.commands.registerCommand('hopscope.newTranscript', () =>
      newTranscript(started, context.workspaceState),
    ),
    registerPromptFeatures(started, context),
    registerEpisodes(started, context),
    registerData(started),
    registerInstances(started, context.workspaceState),
    registerCompareTexts(started),
    command,
    registerModels(command, keys),
    passOnModels(started),
    registerRuns(started, command, context.workspaceState),
    registerResults(started, context),
    vscode.commands.registerCommand('hopscope.restartServer', () => started.restart()),
    vscode.commands.registerCommand('hopscope.showLog', () => log.show()),
  );
  // Not awaited: requests wait for the server by themselves, and activation should not. A server that does not
  // start is told of by the client itself.
  started.start().catch(() => {});
}

/** Ends the server. */
export async function stop(): Promise<void> {
  await client?.dispose();
}
