/** Every environment in the language service: documents, previews and transcripts, by one and the same table. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createLanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import { environmentTable, readyEnvironments } from '../support/environments.ts';
import { openDocument, token } from '../support/language.ts';

const service = createLanguageService(readyEnvironments);
const spoilers = { ...DEFAULTS, spoilers: true };

/** Offsets spread over a document. */
function placesIn(document: TextDocument): number[] {
  const { length } = document.getText();
  return [0, 1, length >> 3, length >> 2, length >> 1, (3 * length) >> 2, Math.max(0, length - 1), length];
}

/** Asks every feature about a document, at many places. */
function askAll(document: TextDocument): void {
  const whole = { start: document.positionAt(0), end: document.positionAt(document.getText().length) };
  for (const settings of [spoilers, { ...DEFAULTS, spoilers: false }]) {
    service.diagnostics(document, settings, token);
    service.codeActions(document, whole, settings, token);
    service.codeLenses(document, settings, token);
    service.inlayHints(document, whole, settings, token);
    service.documentSymbols(document, settings, token);
    expect(service.semanticTokens(document, null, settings, token).length % 5).toBe(0);
    for (const offset of placesIn(document)) {
      const position = document.positionAt(offset);
      service.hover(document, position, settings, token);
      service.completion(document, position, settings, token);
    }
  }
  service.foldingRanges(document, token);
  service.documentLinks(document, token);
  for (const offset of placesIn(document)) {
    const position = document.positionAt(offset);
    for (const ask of [service.definition, service.references, service.documentHighlights]) {
      ask(document, position, token);
    }
  }
}

const odd = [
  '',
  '   ',
  'ACTION: READ 1',
  '<answer>a, b</answer>',
  '=== step',
  '\u2028\0',
  'x'.repeat(5000),
  '{"a":',
];

describe.each(environmentTable)('%s', (id, environment) => {
  const split = environment.splits.find(({ test }) => !test) ?? environment.splits[0];
  if (split === undefined) throw new Error('no split');
  const selector = { environment: id, split: split.id, index: 0 };

  it('is offered, and has a page', () => {
    expect(service.environments()).toContainEqual(
      expect.objectContaining({ id, title: environment.title, splits: environment.splits }),
    );
    const page = service.readInstance(`hopscope:/docs/${id}.md`);
    expect(page).toMatchObject({ ok: true, value: expect.stringContaining(environment.title) });
  });

  it('opens instances as documents with an outline', async () => {
    await service.prepareInstance(selector);
    const located = service.locateInstance(selector);
    if (!located.ok) throw new Error(located.error);
    const read = await service.loadInstance(located.value.uri);
    if (!read.ok) throw new Error(read.error);
    const document = openDocument('hopscope-instance', read.value, located.value.uri);
    await service.prepare(document);
    expect(service.documentSymbols(document, spoilers, token).length).toBeGreaterThan(0);
    expect(service.codeLenses(document, spoilers, token).length).toBeGreaterThan(0);
    askAll(document);
    service.instanceMarks(document, token);
    service.workspaceSymbols([document], 'a', spoilers, token);
  });

  it('lists its instances, and finds them by their ids', async () => {
    for (const { id: one } of environment.splits) {
      const source = { environment: id, split: one };
      const page = await service.lists.list(source, 0, 3, {});
      if (!page.ok) throw new Error(page.error);
      expect(page.value.rows).toHaveLength(3);
      for (const { id: instance, uri, description } of page.value.rows) {
        expect(await service.lists.find(instance, [])).toEqual({ ok: true, value: { id: instance, uri } });
        expect(description === '').toBe((environment.groupings ?? []).length === 0);
      }
      const other = await service.lists.list(source, 0, 3, { 'no such grouping': [1] });
      expect(other).toEqual(page);
      const groups = await service.lists.groups(source);
      expect(groups.ok && groups.value.map((group) => group.id)).toEqual(
        (environment.groupings ?? []).map((grouping) => grouping.id),
      );
    }
  });

  const folder = new URL(`../../prompts/${id}/`, import.meta.url);
  const prompts = readdirSync(folder).filter((name) => name.endsWith('.step.md'));

  it.each(prompts)('previews %s with every policy, from the first step to the last', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const document = openDocument('hopscope-prompt', text, `test:/${id}/${name}`);
    await service.prepare(document);
    expect(service.diagnostics(document, spoilers, token)).toEqual([]);
    for (const policy of environment.policies) {
      for (const step of [1, 1000]) {
        const preview = await service.prompts.preview(document, { policy: policy.id, step }, null, spoilers);
        expect(preview).toMatchObject({ problems: [], isBroken: false, reason: null });
        expect(preview.rendering?.messages.length).toBeGreaterThan(0);
      }
    }
    expect(await service.prompts.tokens(document)).toMatchObject({ ok: true });
    expect(service.prompts.request(document)).toMatchObject({ ok: true });
    askAll(document);
  });

  it('plays transcripts, whatever stands in them', async () => {
    await service.prepareInstance(selector);
    const begun = service.newTranscript(selector);
    if (!begun.ok) throw new Error(begun.error);
    const first = openDocument('hopscope-episode', begun.value, `test:/${id}/0.episode`);
    await service.prepare(first);
    expect(service.diagnostics(first, spoilers, token)).toEqual([]);
    for (const [at, said] of odd.entries()) {
      const text = `${begun.value.trimEnd()}\n${said}\n\n=== step 2\n${said}\n\n=== step 3\n${said}\n`;
      const document = openDocument('hopscope-episode', text, `test:/${id}/${at + 1}.episode`);
      await service.prepare(document);
      askAll(document);
      const held = service.heldChunks(document, document.positionAt(text.length));
      expect(held.ok).toBe(environment.commentary?.held !== undefined);
    }
  });

  it('completes its options, and says which are wrong', async () => {
    const [field] = environment.optionFields ?? [];
    if (field === undefined) return;
    const text = `---\nformat: 1\nenvironment: ${id}\noptions: { ${field.key}: {} }\n---\nuser:\nhi\n`;
    const document = openDocument('hopscope-prompt', text, `test:/${id}/options.step.md`);
    await service.prepare(document);
    const codes = service.diagnostics(document, spoilers, token).map(({ code }) => code);
    expect(codes.some((code) => String(code).startsWith('front-matter.'))).toBe(true);
    const inside = document.positionAt(text.indexOf(field.key));
    const labels = service.completion(document, inside, spoilers, token).map(({ label }) => label);
    expect(labels).toContain(field.key);
  });
});

it('a tag that is misspelt can be mended, and an example action is no whole reply', () => {
  const front = '---\nformat: 1\nenvironment: inventory\ninstance: hs1-inv-train-0\n---\n\n';
  const text = `${front}=== step 1\n<Answer>none</answer>\n`;
  const document = openDocument('hopscope-episode', text, 'test:/tag.episode');
  const whole = { start: document.positionAt(0), end: document.positionAt(text.length) };
  const titles = service.codeActions(document, whole, spoilers, token).map(({ title }) => title);
  expect(titles).toContain('Change to <answer>');
  const prompt = '---\nformat: 1\nenvironment: inventory\n---\nuser:\n{{chunk}} {{carried}}\nACTION: think\n';
  expect(
    service.diagnostics(openDocument('hopscope-prompt', prompt, 'test:/a.step.md'), spoilers, token),
  ).toEqual([]);
});
