/** Colours of the grammars on the page, in every kind of theme, against what the theme's own rules give. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../../../server/src/engine/environments/navigator/generate.ts';
import { viewInstance } from '../../../server/src/engine/environments/navigator/view.ts';
import { whyNoWorkbench } from '../../rig/vscode-server.mjs';
import { colours } from '../../support/textmate.ts';
import { readTheme, type ThemeName } from './themes.ts';
import { Workbench } from './workbench.ts';

const names: readonly ThemeName[] = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
];

/** What else would colour or lengthen a line. Instances are coloured by meaning unless told for their language. */
const off = { 'editor.semanticHighlighting.enabled': false, 'editor.inlayHints.enabled': 'off' };
const grammarsOnly = { ...off, '[hopscope-instance]': off, 'hopscope.spoilers': 'hide' };

const patience = { timeout: 15_000 };

function fixture(name: string): string {
  return fs.readFileSync(path.join(import.meta.dirname, '../fixtures', name), 'utf8');
}

describe.skipIf(whyNoWorkbench()).each(names)('%s', (theme) => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await Workbench.open({ ...grammarsOnly, 'workbench.colorTheme': theme });
  });
  afterAll(() => workbench?.close());

  /**
   * Waits until the line of `text` that begins with `beginning` has the colours that the theme gives it: the workbench
   * draws a line plain at first.
   *
   * @returns the colour of a part of that line.
   */
  async function expectColours(
    scopeName: string,
    text: string,
    beginning: string,
  ): Promise<(part: string) => string | undefined> {
    const lines = text.split('\n');
    const number = lines.findIndex((line) => line.startsWith(beginning));
    const line = lines[number] ?? '';
    const expected = (await colours(scopeName, text, readTheme(theme)))[number] ?? [];
    const painted = () => workbench.coloursOf(workbench.line(beginning));
    await expect
      .poll(async () => (await painted()).map(({ colour }) => colour), patience)
      .toEqual(expected.slice(0, (await painted()).length)); // the rest of a long line is wrapped
    expect(line).toContain((await painted()).map((character) => character.text).join(''));
    return (part) => expected[line.indexOf(part)];
  }

  test('a transcript: verb, ids and summary can be told apart', async () => {
    await workbench.openFile('play.episode');
    const text = fixture('play.episode');
    const compress = await expectColours('source.hopscope-episode', text, 'ACTION: COMPRESS');
    const parts = ['COMPRESS', '12', 'S1', 'Lead'].map(compress);
    expect(new Set(parts).size).toBe(parts.length);
    expect(compress('ACTION')).not.toBe(compress('COMPRESS'));
    const answer = await expectColours('source.hopscope-episode', text, 'ACTION: ANSWER');
    expect(answer('4107')).toBe(compress('Lead'));
    const thought = await expectColours('source.hopscope-episode', text, 'THOUGHT');
    expect(parts).not.toContain(thought('The project'));
    await expectColours('source.hopscope-episode', text, '=== step 2');
    await expectColours('source.hopscope-episode', text, 'The desk extension');
    await workbench.screenshot(`transcript ${theme}`);
  });

  test('a step prompt', async () => {
    await workbench.openFile('terse.step.md');
    const text = fixture('terse.step.md');
    const action = await expectColours('text.hopscope-prompt', text, '    ACTION: COMPRESS');
    const parts = ['ACTION', 'COMPRESS', '<ids>'].map(action);
    expect(new Set(parts).size).toBe(parts.length);
    const role = await expectColours('text.hopscope-prompt', text, 'system:');
    const prose = await expectColours('text.hopscope-prompt', text, 'You answer');
    const variable = await expectColours('text.hopscope-prompt', text, 'QUESTION');
    expect(new Set([role('system'), prose('You'), variable('question}')]).size).toBe(3);
    await expectColours('text.hopscope-prompt', text, '{{#held}}');
    await workbench.screenshot(`step prompt ${theme}`);
  });

  test('a fenced transcript in Markdown', async () => {
    await workbench.openFile('notes.md');
    const text = fixture('notes.md');
    const line = await expectColours('text.html.markdown', text, 'ACTION: COMPRESS');
    const parts = ['COMPRESS', '12', 'Lead'].map(line);
    expect(new Set(parts).size).toBe(parts.length);
    await workbench.screenshot(`markdown ${theme}`);
  });

  test('an instance', async () => {
    await workbench.openInstance('train', 17);
    const made = generate('train', 17);
    if (!made.ok) throw new Error(made.error);
    const { text } = viewInstance(made.value.instance);
    await expectColours('text.hopscope-instance', text, 'Question');
    await expectColours('text.hopscope-instance', text, '# ');
    await expectColours('text.hopscope-instance', text, '[0]');
    await workbench.screenshot(`instance ${theme}`);
  });
});
