/**
 * Entry point of the extension. It loads all the rest, of which the library for language clients is most, after it has
 * been called: other extensions need not wait for that.
 */
import type { ExtensionContext } from 'vscode';

export async function activate(context: ExtensionContext): Promise<void> {
  const { start } = await import('./start.ts');
  start(context);
}

export async function deactivate(): Promise<void> {
  const { stop } = await import('./start.ts');
  await stop();
}
