/** The folder of data that the settings name, for the processes that work with them. */
import * as vscode from 'vscode';
import { textSetting } from '../settings.ts';

/** As `hopscope.dataFolder` names it, otherwise as the editor's own environment does; empty for none. */
export function dataFolder(): string {
  return textSetting('dataFolder') || (process.env['HOPSCOPE_DATA'] ?? '');
}

/** What a process is started with so that it looks for data where the editor does. */
export function dataVariables(): Readonly<Record<string, string>> {
  const folder = dataFolder();
  const cache = process.env['HOPSCOPE_CACHE'];
  return {
    ...(folder === '' ? {} : { HOPSCOPE_DATA: folder }),
    ...(cache === undefined ? {} : { HOPSCOPE_CACHE: cache }),
  };
}

const changes = new vscode.EventEmitter<void>();

/** Fires when data may have come or gone: what is shown of environments that need some is out of date. */
export const onDataChanged = changes.event;

export function tellDataChanged(): void {
  changes.fire();
}
