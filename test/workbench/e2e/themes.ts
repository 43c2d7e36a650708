/** The colour themes that VS Code ships, as TextMate themes. */
import fs from 'node:fs';
import path from 'node:path';
import type { IRawTheme } from 'vscode-textmate';
import { install } from '../../rig/vscode-server-install.mjs';

/** Names as in the setting `workbench.colorTheme`, and their files. */
const THEMES = {
  'Default Dark Modern': 'dark_modern.json',
  'Default Light Modern': 'light_modern.json',
  'Default High Contrast': 'hc_black.json',
  'Default High Contrast Light': 'hc_light.json',
} as const;

export type ThemeName = keyof typeof THEMES;

/** The workbench's own colour of plain text in light high contrast, the one theme that does not state it. */
const WORKBENCH_FOREGROUND = '#292929';

interface ThemeFile {
  readonly include?: string;
  readonly colors?: Readonly<Record<string, string>>;
  readonly tokenColors?: IRawTheme['settings'];
}

/** Reads a theme with what it includes. */
export function readTheme(name: ThemeName): IRawTheme {
  const folder = path.join(install().folder, 'extensions/theme-defaults/themes');
  const settings: IRawTheme['settings'][number][] = [];
  let foreground = WORKBENCH_FOREGROUND;
  const read = (file: string): void => {
    const theme: ThemeFile = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    if (theme.include) read(theme.include);
    foreground = theme.colors?.['editor.foreground'] ?? foreground;
    settings.push(...(theme.tokenColors ?? []));
  };
  read(THEMES[name]);
  return { name, settings: [{ settings: { foreground } }, ...settings] };
}
