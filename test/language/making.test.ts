/** Instances that take long to make, or cannot be made, do not keep the editor waiting for anything else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { navigator } from '../../server/src/engine/environments/navigator/index.ts';
import { environments } from '../../server/src/engine/environments/registry.ts';
import { accept, refuse } from '../../server/src/engine/problem.ts';
import { createMaker, type MakeElsewhere } from '../../server/src/language/instances/making.ts';
import { createLanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS } from '../../server/src/language/settings.ts';
import type { InstanceSelector } from '../../server/src/protocol.ts';
import { ServerProcess } from '../support/server-process.ts';

const { token } = new CancellationTokenSource();

/** A host that makes what it is told to when it is told to. */
class Elsewhere {
  readonly asked: { readonly selector: InstanceSelector; readonly signal: AbortSignal }[] = [];
  readonly #answers: ((error: string | null) => void)[] = [];

  readonly make: MakeElsewhere = (selector, signal) => {
    this.asked.push({ selector, signal });
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      this.#answers.push((error) => {
        const made = navigator.generate('train', selector.index, {});
        if (!made.ok) throw new Error(made.error);
        resolve(error === null ? accept(made.value.instance) : refuse(error));
      });
    });
  };

  answer(error: string | null): void {
    this.#answers.shift()?.(error);
  }
}

const heavy = (hops: number): InstanceSelector => ({
  environment: 'navigator',
  split: 'train',
  index: 4,
  options: { n_hops: [hops] },
});

test('what is prepared is there, what failed is remembered, and options of episodes make no difference', async () => {
  const elsewhere = new Elsewhere();
  const maker = createMaker(environments, elsewhere.make);
  expect(maker.isReady({ ...heavy(2), options: { context_ceiling: 900 } })).toBe(true);
  expect(maker.isReady(heavy(50))).toBe(false);
  const both = Promise.all([maker.prepare(heavy(50), 'a'), maker.prepare(heavy(50), 'a')]);
  expect(elsewhere.asked).toHaveLength(1);
  elsewhere.answer('none was accepted');
  await both;
  expect(maker.make(heavy(50))).toEqual(refuse('none was accepted'));
  await maker.prepare({ ...heavy(50), options: { n_hops: [50], context_ceiling: 900 } }, 'b');
  const made = maker.prepare(heavy(48), 'a');
  elsewhere.answer(null);
  await made;
  expect(maker.make(heavy(48))).toMatchObject({ ok: true, value: { id: 'hs1-train-4' } });
  expect(elsewhere.asked).toHaveLength(2);
});

test('what takes no time is made here, and kept until it is taken', async () => {
  const elsewhere = new Elsewhere();
  const maker = createMaker(environments, elsewhere.make);
  await maker.prepare(heavy(3), 'a');
  expect(elsewhere.asked).toEqual([]);
  expect(maker.isReady(heavy(3))).toBe(true);
  expect(maker.make(heavy(3))).toMatchObject({ ok: true, value: { id: 'hs1-train-4-h3' } });
  expect(maker.isReady(heavy(3))).toBe(false);
});

test('of one asker only the last wish counts, and what was given up is not remembered', async () => {
  const elsewhere = new Elsewhere();
  const maker = createMaker(environments, elsewhere.make);
  const first = maker.prepare(heavy(49), 'a');
  const second = maker.prepare(heavy(50), 'a');
  const other = maker.prepare(heavy(48), 'b');
  await first;
  expect(elsewhere.asked.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
  expect(maker.isReady(heavy(49))).toBe(false);
  elsewhere.answer(null); // nobody waits for that
  elsewhere.answer(null);
  elsewhere.answer(null);
  await Promise.all([second, other]);
  expect([heavy(50), heavy(48)].map((it) => maker.isReady(it))).toEqual([true, true]);
});

test('a failure is found once where nothing else makes instances', () => {
  let attempts = 0;
  const counted = {
    ...navigator,
    generate: (...given: Parameters<typeof navigator.generate>) => {
      attempts++;
      return navigator.generate(...given);
    },
  };
  const maker = createMaker([counted], undefined);
  const first = maker.make(heavy(50));
  expect(first.ok).toBe(false);
  expect(maker.make(heavy(50))).toEqual(first);
  expect(attempts).toBe(1);
});

const prompt = (hops: number) =>
  `---\nformat: 1\nenvironment: navigator\noptions: { n_hops: ${hops} }\n---\nuser:\n{{question}} {{map_text}} {{held_text}}\n`;

test('edits that come while an instance is made ask for what they ask for', async () => {
  const elsewhere = new Elsewhere();
  const service = createLanguageService(environments, { make: elsewhere.make });
  let document = TextDocument.create('test:/a.step.md', 'hopscope-prompt', 1, prompt(49));
  const prepared = service.prepare(document);
  document = TextDocument.update(document, [{ text: prompt(50) }], 2);
  const again = service.prepare(document);
  await Promise.resolve();
  elsewhere.answer(null);
  elsewhere.answer('none was accepted');
  await Promise.all([prepared, again]);
  expect(elsewhere.asked.map(({ selector }) => selector.options)).toEqual([{ n_hops: 49 }, { n_hops: 50 }]);
  expect(service.diagnostics(document, DEFAULTS, token)).toMatchObject([
    {
      code: 'front-matter.no-instance',
      message: 'With these options there is no instance: none was accepted.',
      range: { start: { line: 3, character: 9 }, end: { line: 3, character: 23 } },
    },
  ]);
});

test('a transcript waits for its instance, and says why there is none', async () => {
  const elsewhere = new Elsewhere();
  const service = createLanguageService(environments, { make: elsewhere.make });
  const text =
    '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-4-h50\n---\n\n=== step 1\nACTION: READ 1\n';
  const document = TextDocument.create('test:/a.episode', 'hopscope-episode', 1, text);
  const prepared = service.prepare(document);
  elsewhere.answer('none was accepted');
  await prepared;
  expect(service.diagnostics(document, DEFAULTS, token)).toMatchObject([
    {
      code: 'transcript.unknown-instance',
      message: 'There is no instance "hs1-train-4-h50": none was accepted.',
    },
  ]);
  expect(elsewhere.asked).toHaveLength(1);
});

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, errors: '' });
});

test('another document is answered for meanwhile', async () => {
  await server.open('test:/hopeless.step.md', 'hopscope-prompt', prompt(50));
  await server.open('test:/other.step.md', 'hopscope-prompt', 'user:\nHello\n');
  const answered: string[] = [];
  await Promise.all(
    ['test:/hopeless.step.md', 'test:/other.step.md'].map(async (uri) => {
      const report = await server.diagnostics(uri);
      answered.push(uri, ...('items' in report ? report.items.map(({ code }) => String(code)) : []));
    }),
  );
  expect(answered).toEqual([
    'test:/other.step.md',
    'front-matter.missing-block',
    'test:/hopeless.step.md',
    'front-matter.no-instance',
  ]);
});
