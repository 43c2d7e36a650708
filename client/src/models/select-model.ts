/** "Select Model…": scripted policies, or a model of an endpoint, which is asked what it has. */
import * as vscode from 'vscode';
import type { Command } from '../runs/command.ts';
import { type Endpoint, readEndpoint, writeEndpoint } from './endpoint.ts';
import { tellModels } from './known.ts';
import { listModels, listPresets } from './list.ts';
import { askBaseUrl } from './set-key.ts';

interface Item extends vscode.QuickPickItem {
  /** Undefined for the entry that asks for a base URL, null for scripted policies. */
  readonly baseUrl?: string | null;
}

const title = 'Select Model';

/**
 * Asks for a model and writes it into the settings.
 *
 * @returns it; null for scripted policies, undefined when the person thought better of it.
 */
export async function selectModel(
  command: Command,
  scope?: vscode.ConfigurationScope,
): Promise<Endpoint | null | undefined> {
  if (!vscode.workspace.isTrusted) {
    await tellUntrusted();
    return undefined;
  }
  const present = readEndpoint(scope);
  const where = await pickPlace(command, present);
  if (where === undefined) return undefined;
  if (where === null) {
    await writeEndpoint(undefined, scope);
    return null;
  }
  const endpoint = await pickModel(command, where, present);
  if (endpoint) await writeEndpoint(endpoint, scope);
  return endpoint;
}

async function tellUntrusted(): Promise<void> {
  const manage = 'Manage Workspace Trust';
  const said = 'Models are asked only in a workspace that you trust: trust it, then select one.';
  if ((await vscode.window.showWarningMessage(said, manage)) !== manage) return;
  await vscode.commands.executeCommand('workbench.trust.manage');
}

async function pickPlace(
  command: Command,
  present: Endpoint | undefined,
): Promise<string | null | undefined> {
  const presets = await listPresets(command);
  const named = presets.find(({ baseUrl }) => baseUrl === present?.baseUrl);
  const others = presets.filter((preset) => preset !== named);
  const items: Item[] = [
    ...(present
      ? [
          { label: 'In the settings', kind: vscode.QuickPickItemKind.Separator },
          {
            label: `$(server) ${named?.title ?? present.baseUrl}`,
            description: present.model === '' ? "the step prompt's model" : present.model,
            detail: named ? present.baseUrl : 'Another model there.',
            baseUrl: present.baseUrl,
          },
        ]
      : []),
    { label: 'Without a model', kind: vscode.QuickPickItemKind.Separator },
    {
      label: '$(robot) Scripted Policies',
      detail: 'Need no key and no network; how each of them plays is chosen when an eval is run.',
      baseUrl: null,
    },
    { label: 'Endpoints', kind: vscode.QuickPickItemKind.Separator },
    ...others.map(({ title: label, baseUrl, hint }) => ({
      label: `$(server) ${label}`,
      description: baseUrl,
      detail: hint,
      baseUrl,
    })),
    { label: '$(edit) Another Endpoint…', detail: 'Any OpenAI-compatible one, by its base URL.' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'Where the model is',
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  if (picked.baseUrl !== undefined) return picked.baseUrl;
  const typed = (await askBaseUrl(title, present?.baseUrl))?.trim();
  return typed ? typed : undefined;
}

async function pickModel(
  command: Command,
  baseUrl: string,
  present: Endpoint | undefined,
): Promise<Endpoint | undefined> {
  const list = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Asking ${baseUrl} for its models`,
      cancellable: true,
    },
    (_, token) => listModels(command, baseUrl, token),
  );
  if (list.ok && list.models.length > 0) {
    tellModels(list.models.map(({ id }) => id));
    const items: (vscode.QuickPickItem & { id?: string })[] = list.models.map(({ id, context }) => ({
      label: id,
      description: [
        ...(context === undefined ? [] : [`${context.toLocaleString('en')} tokens`]),
        ...(id === present?.model ? ['in the settings'] : []),
      ].join(', '),
      id,
    }));
    items.push({ label: '$(edit) Another Model…', detail: 'By its name, if the list lacks it.' });
    const picked = await vscode.window.showQuickPick(items, {
      title,
      placeHolder: `Model at ${list.baseUrl}`,
    });
    if (!picked) return undefined;
    if (picked.id !== undefined) return { baseUrl: list.baseUrl, model: picked.id };
  }
  const reason = list.ok ? 'The endpoint lists no models.' : list.error;
  const model = await vscode.window.showInputBox({
    title,
    prompt: `${list.ok && list.models.length > 0 ? '' : `${reason} `}Name of the model at ${baseUrl}; leave it empty for the one that the step prompt names.`,
    value: present?.baseUrl === baseUrl ? present.model : '',
    ignoreFocusOut: true,
  });
  return model === undefined ? undefined : { baseUrl: list.ok ? list.baseUrl : baseUrl, model: model.trim() };
}
