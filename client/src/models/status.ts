/** A status item of step prompts: which model plays them. */
import * as vscode from 'vscode';
import { originOf, readEndpoint } from './endpoint.ts';

export function registerModelStatus(): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('hopscope.model', { language: 'hopscope-prompt' });
  item.name = 'Hopscope Model';
  item.command = { command: 'hopscope.selectModel', title: 'Select Model…' };
  const update = () => {
    const endpoint = readEndpoint(vscode.window.activeTextEditor?.document.uri);
    item.text = endpoint ? endpoint.model || "The prompt's model" : 'Scripted policies';
    item.detail = endpoint ? (originOf(endpoint.baseUrl) ?? 'the base URL is none') : 'no model is set';
  };
  update();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('hopscope.endpoint')) update();
    }),
  );
}
