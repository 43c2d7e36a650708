/** "Get Data…": data that environments need are fetched, or looked for in a folder, when a person says so. */
import * as vscode from 'vscode';
import { type LanguageClient, ProgressType } from 'vscode-languageclient/node';
import type { DataInfo, ExamineProgress } from '../../../server/src/protocol.ts';
import { ask } from '../language-client.ts';
import { dataFolder, tellDataChanged } from './folder.ts';

const progressType = new ProgressType<ExamineProgress>();
let fetches = 0;

export function registerData(client: LanguageClient): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('hopscope.getData', (set?: unknown) =>
      getData(client, typeof set === 'string' ? set : undefined),
    ),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration('hopscope.dataFolder')) return;
      await ask(client, 'hopscope/dataFolder', { folder: dataFolder() });
      tellDataChanged();
    }),
  );
}

async function getData(client: LanguageClient, wanted: string | undefined): Promise<void> {
  const all = await ask(client, 'hopscope/data', null);
  const info = await choose(all.filter(({ set }) => wanted === undefined || set === wanted));
  if (info === undefined) return;
  if (info.isHere) {
    void vscode.window.showInformationMessage(`The data "${info.title}" are here already.`);
    return;
  }
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: '$(cloud-download) Fetch',
        description: `${info.size} from ${info.origin}`,
        detail: 'Once, into the cache on this machine; each file is held against its SHA-256.',
        act: fetchData,
      },
      {
        label: '$(folder-opened) Choose Folder…',
        description: '',
        detail: 'One that has them already, or a checkout of the source.',
        act: chooseFolder,
      },
    ],
    {
      title: `Get Data: ${info.title}`,
      placeHolder: 'Nothing is fetched unless you say so',
      ignoreFocusOut: true,
    },
  );
  await picked?.act(client, info);
}

async function choose(infos: readonly DataInfo[]): Promise<DataInfo | undefined> {
  if (infos.length < 2) return infos[0];
  const items = infos.map((info) => ({
    label: info.environment,
    description: info.isHere ? 'here' : info.size,
    detail: info.title,
    info,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Get Data' });
  return picked?.info;
}

async function fetchData(client: LanguageClient, { set, title }: DataInfo): Promise<void> {
  const token = `data ${++fetches}`;
  const fetched = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Getting ${title}`, cancellable: true },
    async (progress, cancellation) => {
      let before = 0;
      const listening = client.onProgress(progressType, token, ({ done, total }) => {
        const increment = total > 0 ? ((done - before) / total) * 100 : 0;
        before = done;
        progress.report({ message: `${done} of ${total} files`, increment });
      });
      try {
        return await ask(client, 'hopscope/fetchData', { set, token }, cancellation);
      } catch (error) {
        if (cancellation.isCancellationRequested) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    },
  );
  tellDataChanged();
  if (fetched?.ok) void vscode.window.showInformationMessage(`The data "${title}" are in ${fetched.value}.`);
  else if (fetched) void vscode.window.showErrorMessage(fetched.error);
}

/** Any folder will do in which they are by their name, or as the source has them. */
async function chooseFolder(client: LanguageClient, { set, title }: DataInfo): Promise<void> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: 'Use This Folder',
      title: `Folder of ${title}`,
    })) ?? [];
  if (folder === undefined) return;
  const settings = vscode.workspace.getConfiguration('hopscope');
  await settings.update('dataFolder', folder.fsPath, vscode.ConfigurationTarget.Global);
  await ask(client, 'hopscope/dataFolder', { folder: folder.fsPath });
  tellDataChanged();
  const after = await ask(client, 'hopscope/data', null);
  if (after.some((info) => info.set === set && info.isHere)) return;
  void vscode.window.showWarningMessage(`${folder.fsPath} does not hold the data "${title}".`);
}
