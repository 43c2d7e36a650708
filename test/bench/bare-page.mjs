/** An empty page in a panel: what any page costs in the editor, ours included. */
import fs from 'node:fs';
import path from 'node:path';

/** The title of the command that opens it, and of the panel. */
export const BARE = 'Bare Page';

/** The entry of an extension that opens such a page besides all that it does of itself. */
const EXTENSION = `import * as vscode from 'vscode';
import * as ours from './MAIN';
export function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand('bare.open', () => {
    const options = { enableScripts: true, localResourceRoots: [context.extensionUri] };
    const { webview } = vscode.window.createWebviewPanel('bare', '${BARE}', vscode.ViewColumn.Beside, options);
    const script = webview.asWebviewUri(vscode.Uri.joinPath(context.extensionUri, 'bare-page.js'));
    webview.html = \`<!doctype html><html><body><script type="module" src="\${script}"></script></body></html>\`;
  }));
  return ours.activate(context);
}
export const deactivate = () => ours.deactivate?.();
`;

/** A message comes after the painting of the frame that is drawn in. */
const PAGE = `requestAnimationFrame(() => {
  document.body.textContent = 'Nothing.';
  document.body.className = 'controls';
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => performance.mark('hopscope.opened');
  port2.postMessage(null);
});`;

/** @param {string} folder of an extension, a copy that may be changed */
export function addBarePage(folder) {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(path.join(folder, 'bare.js'), EXTENSION.replace('MAIN', manifest.main));
  fs.writeFileSync(path.join(folder, 'bare-page.js'), PAGE);
  manifest.main = 'bare.js';
  manifest.contributes.commands.push({ command: 'bare.open', title: BARE });
  fs.writeFileSync(file, JSON.stringify(manifest));
}
