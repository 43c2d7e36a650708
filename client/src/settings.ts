/**
 * What the settings of this extension say. They are what people wrote, so anything: a value of another kind counts as none,
 * and whoever wrote it is told once.
 */
import * as vscode from 'vscode';

/** For each setting the value that was complained of last. */
const told = new Map<string, string>();

/** A setting that is text, without blanks around it; empty when there is none. @param name without `hopscope.` */
export function textSetting(name: string, scope?: vscode.ConfigurationScope | null): string {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return (read(name, scope, isText, 'text') ?? '').trim();
}

/** A setting that is one of several words; the first of them when there is none. @param name without `hopscope.` */
export function choiceSetting<T extends string>(name: string, [first, ...others]: readonly [T, ...T[]]): T {
  const words = [first, ...others];
  const isWord = (value: unknown): value is T => words.some((word) => word === value);
  return read(name, null, isWord, `one of ${words.join(', ')}`) ?? first;
}

/** A setting that is a whole number from 1 to `most`; `otherwise` when there is none. @param name without `hopscope.` */
export function countSetting(
  name: string,
  otherwise: number,
  most: number,
  scope?: vscode.ConfigurationScope | null,
): number {
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  return read(name, scope, isCount, `a whole number from 1 to ${most}`) ?? otherwise;
}

function read<T>(
  name: string,
  scope: vscode.ConfigurationScope | null | undefined,
  isRight: (value: unknown) => value is T,
  kind: string,
): T | undefined {
  const value = vscode.workspace.getConfiguration('hopscope', scope).get<unknown>(name);
  if (value === undefined || value === null || isRight(value)) return value ?? undefined;
  complain(name, value, kind);
  return undefined;
}

function complain(name: string, value: unknown, kind: string): void {
  const written = JSON.stringify(value);
  if (told.get(name) === written) return;
  told.set(name, written);
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  void vscode.window.showWarningMessage(
    `The setting hopscope.${name} must be ${kind}, and is ${shown}: it counts as not set until you change it.`,
  );
}
