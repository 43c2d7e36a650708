/** The setting `hopscope.spoilers` and the commands that turn it over. */
import * as vscode from 'vscode';
import { choiceSetting } from '../settings.ts';

type Spoilers = 'show' | 'hide';

export function registerSpoilers(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('hopscope.toggleSpoilers', () =>
      change(areSpoilersShown() ? 'hide' : 'show'),
    ),
    vscode.commands.registerCommand('hopscope.showSpoilers', () => change('show')),
    vscode.commands.registerCommand('hopscope.hideSpoilers', () => change('hide')),
  );
}

/** As the setting says. */
export function areSpoilersShown(): boolean {
  return choiceSetting<Spoilers>('spoilers', ['show', 'hide']) === 'show';
}

/** Changes the setting where it is set: a workspace that says something would win over the user's. */
async function change(to: Spoilers): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('hopscope');
  const isOfWorkspace = configuration.inspect('spoilers')?.workspaceValue !== undefined;
  const target = isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update('spoilers', to, target);
}
