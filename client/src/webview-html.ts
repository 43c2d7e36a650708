/** The HTML of our pages inside of the editor. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** What pages may do: run their script, and read nothing but what is bundled for pages. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
}

/** Where the bundled scripts, styles and fonts of pages are. */
function webviewFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/**
 * A page with nothing but the script and the styles called `name`, and the icons. Nothing else is loaded or run: no
 * network, no inline script or style.
 */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(webviewFolder(extensionUri), file));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <title>Hopscope</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${address('codicon.css')}" id="vscode-codicon-stylesheet">
    <link rel="stylesheet" href="${address(`${name}.css`)}">
    <script type="module" nonce="${nonce}" src="${address(`${name}.js`)}"></script>
  </head>
  <body></body>
</html>`;
}
