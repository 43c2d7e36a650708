/** Where runs are made and looked for, and whether any can be made here at all. */
import path from 'node:path';
import * as vscode from 'vscode';
import { countSetting, textSetting } from '../settings.ts';

/** What a run needs of the place where it is begun. */
export interface RunPlace {
  /** Folder that relative paths are meant from. */
  readonly base: string;
  /** Folder in which run folders are made. */
  readonly runs: string;
  /** Folder in which the command keeps streams unless asked otherwise. */
  readonly results: string;
  /** Table of prices; null for none. */
  readonly prices: string | null;
  readonly concurrency: number;
}

/** Why nothing can be run here, as a sentence; undefined when it can. */
export function whyNoRuns(): string | undefined {
  if (!vscode.workspace.isTrusted) {
    return 'Runs ask models, spend money and write files, so they need a workspace that you trust.';
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 0 && !folders.some(({ uri }) => uri.scheme === 'file')) {
    return 'Runs are kept in folders on a disk, and this workspace is not on one: open it from a disk.';
  }
  return undefined;
}

/** Shows that reason. @returns whether something can be run. */
export function canRun(): boolean {
  const reason = whyNoRuns();
  if (reason !== undefined) void vscode.window.showWarningMessage(reason);
  return reason === undefined;
}

/** The place for runs of a file, or of the workspace; undefined when there is no folder for them. */
export function placeFor(file?: vscode.Uri): RunPlace | undefined {
  const own = file?.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(file)?.uri : undefined;
  const first = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  const beside = file?.scheme === 'file' ? vscode.Uri.joinPath(file, '..') : undefined;
  const base = own ?? first ?? beside;
  return base && placeIn(base);
}

/** The folders of the workspace with their places for runs. */
export function allPlaces(): readonly RunPlace[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => placeIn(uri));
}

function placeIn(folder: vscode.Uri): RunPlace {
  const base = folder.fsPath;
  const prices = textSetting('eval.pricesFile', folder);
  return {
    base,
    runs: path.resolve(base, textSetting('runs.folder', folder) || 'outputs'),
    results: path.resolve(base, 'results'),
    prices: prices === '' ? null : path.resolve(base, prices),
    concurrency: countSetting('eval.concurrency', 32, 1024, folder),
  };
}

/** Instances that are proposed at first. */
export function proposedInstances(file?: vscode.Uri): number {
  return countSetting('eval.instances', 20, 1_000_000, file);
}
