/** Colours on the page, in every kind of theme, against what the theme's own rules give. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { colours } from '../../support/textmate.ts';
import { readTheme, type THEMES } from './themes.ts';
import { Workbench } from './workbench.ts';

const names: readonly (keyof typeof THEMES)[] = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
];

describe.skipIf(whyNoWorkbench()).each(names)('%s', (name) => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ 'workbench.colorTheme': name });
  });
  afterAll(() => workbench?.close());

  test('a transcript', async () => {
    await workbench.openFile('play.episode');
    const text = 'ACTION: COMPRESS 12, S1 :: Lead of Coral Tern = Ida Berg';
    const painted = await expectColours(workbench, text, 'source.hopscope-episode', name);
    const at = (part: string) => painted[text.indexOf(part)];
    const parts = [at('ACTION'), at('COMPRESS'), at('12'), at('S1'), at('Lead')];
    expect(new Set(parts).size).toBe(parts.length);
    await workbench.screenshot(`transcript ${name}`);
  });
});

/**
 * Waits until the line that is `text` has the colours that `theme` gives it: the workbench first draws a line plain.
 *
 * @returns the colour of every character.
 */
async function expectColours(
  workbench: Workbench,
  text: string,
  scopeName: string,
  theme: keyof typeof THEMES,
): Promise<readonly string[]> {
  const [expected = []] = await colours(scopeName, text, readTheme(theme));
  const painted = () => workbench.coloursOf(workbench.line(text));
  await expect
    .poll(async () => (await painted()).map(({ colour }) => colour), { timeout: 15_000 })
    .toEqual(expected);
  expect((await painted()).map((character) => character.text).join('')).toBe(text);
  return expected;
}
