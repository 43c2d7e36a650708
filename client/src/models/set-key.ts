/** "Set API Key…": which key goes to which origin. The key is typed or pasted into a field that hides it. */
import * as vscode from 'vscode';
import type { Command } from '../runs/command.ts';
import { originOf, readEndpoint } from './endpoint.ts';
import { type Keys, keyProblem } from './keys.ts';
import { listPresets } from './list.ts';

/** @param given a base URL; otherwise that of the settings, and without one the person is asked. */
export async function setApiKey(command: Command, keys: Keys, given: unknown): Promise<void> {
  const baseUrl = typeof given === 'string' ? given : (readEndpoint()?.baseUrl ?? (await askUrl(command)));
  if (baseUrl === undefined) return;
  const origin = originOf(baseUrl);
  if (origin === undefined) {
    void vscode.window.showErrorMessage(
      `${baseUrl} is no base URL; it looks like https://api.openai.com/v1.`,
    );
    return;
  }
  if ((await keys.keyFor(origin)) !== undefined) {
    const wish = await askWhatToDo(origin);
    if (wish === undefined) return;
    if (wish === 'remove') {
      await keys.keep(origin, undefined);
      void vscode.window.showInformationMessage(`The API key for ${origin} is removed.`);
      return;
    }
  }
  const typed = await vscode.window.showInputBox({
    title: `API Key for ${origin}`,
    prompt: `Kept in the secret storage of the editor and sent to ${origin} only.${warningOf(origin)}`,
    password: true,
    ignoreFocusOut: true, // one fetches it from another window
    validateInput: (text) => (text === '' ? undefined : keyProblem(text)),
  });
  const key = typed?.trim() ?? '';
  if (key === '' || keyProblem(key) !== undefined) return;
  await keys.keep(origin, key);
  void vscode.window.showInformationMessage(`The API key for ${origin} is kept.`);
}

/** Plain HTTP across a network shows the key to whoever listens. */
function warningOf(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  const isHere = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || isHere
    ? ''
    : ' That origin is not encrypted: others may read the key on its way.';
}

async function askWhatToDo(origin: string): Promise<'replace' | 'remove' | undefined> {
  const items = [
    { label: '$(key) Replace the Key', detail: `The one kept for ${origin} is forgotten.`, wish: 'replace' },
    {
      label: '$(trash) Remove the Key',
      detail: `Nothing is sent to ${origin} as a key then.`,
      wish: 'remove',
    },
  ] as const;
  const picked = await vscode.window.showQuickPick(items, {
    title: `API Key for ${origin}`,
    placeHolder: `There is a key for ${origin}`,
  });
  return picked?.wish;
}

async function askUrl(command: Command): Promise<string | undefined> {
  const presets = await listPresets(command);
  const items: (vscode.QuickPickItem & { baseUrl?: string })[] = [
    ...presets
      .filter(({ needsKey }) => needsKey)
      .map(({ title, baseUrl }) => ({ label: title, description: baseUrl, baseUrl })),
    { label: '$(edit) Another Endpoint…' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Set API Key',
    placeHolder: 'The endpoint that the key is for',
  });
  if (!picked) return undefined;
  return picked.baseUrl ?? askBaseUrl('Set API Key');
}

/** Asks for a base URL. */
export function askBaseUrl(title: string, value = ''): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: 'Base URL of an OpenAI-compatible endpoint.',
    placeHolder: 'https://example.com/v1',
    value,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || originOf(text) !== undefined
        ? undefined
        : 'Write a URL such as http://localhost:8000/v1.',
  });
}
