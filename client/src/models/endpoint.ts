/** Which model plays: what the settings say. A folder that is not trusted has no say in it, see package.json. */
import * as vscode from 'vscode';
import { textSetting } from '../settings.ts';

export interface Endpoint {
  /** Of an OpenAI-compatible interface, as the person wrote it, without blanks around it. */
  readonly baseUrl: string;
  /** Empty when the settings name none: then the step prompt must. */
  readonly model: string;
}

/** Settings by which the endpoint is known. */
const BASE_URL = 'endpoint.baseUrl';
const MODEL = 'endpoint.model';

/**
 * The endpoint of the settings; undefined when scripted policies play, which is the default.
 *
 * @param scope the file or folder that it is asked for
 */
export function readEndpoint(scope?: vscode.ConfigurationScope | null): Endpoint | undefined {
  const baseUrl = textSetting(BASE_URL, scope);
  return baseUrl === '' ? undefined : { baseUrl, model: textSetting(MODEL, scope) };
}

/** Writes it where it is written already, otherwise for all workspaces; undefined means scripted policies. */
export async function writeEndpoint(
  endpoint: Endpoint | undefined,
  scope?: vscode.ConfigurationScope | null,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration('hopscope', scope);
  for (const [name, value] of [
    [BASE_URL, endpoint?.baseUrl],
    [MODEL, endpoint?.model],
  ] as const) {
    const target = targetOf(settings.inspect(name));
    // An empty text where a wider setting would show through.
    const kept = value ?? (target === vscode.ConfigurationTarget.Global ? undefined : '');
    await settings.update(name, kept, target);
  }
}

function targetOf(known: ReturnType<vscode.WorkspaceConfiguration['inspect']>): vscode.ConfigurationTarget {
  if (known?.workspaceFolderValue !== undefined) return vscode.ConfigurationTarget.WorkspaceFolder;
  if (known?.workspaceValue !== undefined) return vscode.ConfigurationTarget.Workspace;
  return vscode.ConfigurationTarget.Global;
}

/** Scheme, host and port of a base URL, to which a key is bound; undefined when it is none that can be asked. */
export function originOf(baseUrl: string): string | undefined {
  const given = baseUrl.trim();
  if (!URL.canParse(given)) return undefined;
  const { protocol, origin } = new URL(given);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
