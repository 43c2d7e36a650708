/** `hopscope check`: the findings of the editor, in three formats. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from 'sarif';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import {
  buildCommand,
  expectNoCrash,
  type Finished,
  type HopscopeCommand,
  parseLines,
} from '../support/command.ts';
import { smallInstance } from '../support/small-instance.ts';

const project = resolve(import.meta.dirname, '../..');
const fixtures = readdirSync(join(project, 'test/fixtures/check'));

let hopscope: HopscopeCommand;
beforeAll(async () => {
  hopscope = await buildCommand();
  cpSync(join(project, 'test/fixtures/check'), join(hopscope.folder, 'check'), { recursive: true });
  cpSync(join(project, 'prompts'), join(hopscope.folder, 'prompts'), { recursive: true });
  hopscope.file('check/instances.jsonl', `${JSON.stringify(smallInstance)}\n`);
});
afterAll(() => hopscope.remove());

async function check(args: readonly string[], input?: string | Uint8Array): Promise<Finished> {
  const finished = await hopscope.run(['check', ...args], input === undefined ? {} : { input });
  expectNoCrash(finished);
  return finished;
}

/** The codes that a file says it has, in its first lines. */
function expectedCodes(name: string): string[] {
  const text = readFileSync(join(project, 'test/fixtures/check', name), 'utf8');
  const [, codes] = /\bexpect:(.*?)(?:-->|\}\})?$/m.exec(text) ?? [];
  if (codes === undefined) throw new Error(`${name} does not say what is expected of it`);
  return codes.split(' ').filter(Boolean).sort();
}

describe('fixtures', () => {
  it('there are', () => expect(fixtures.length).toBeGreaterThan(15));

  it.each(fixtures)('%s has exactly the codes that it says', async (name) => {
    const { code, out, err } = await check(['--json', `check/${name}`]);
    const found = parseLines(out);
    expect([...new Set(found.map((finding) => finding['code']))].sort()).toEqual(expectedCodes(name));
    expect(new Set(found.map((finding) => finding['file']))).toEqual(
      new Set(found.length > 0 ? [`check/${name}`] : []),
    );
    expect(code).toBe(found.some(({ severity }) => severity === 'error') ? 1 : 0);
    expect(err).toBe('');
  });

  it('the shipped prompts are clean', async () => {
    const { code, out, err } = await check(['--strict', 'prompts']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^nothing wrong in \d+ files\n$/);
  });
});

describe('what is checked', () => {
  /** The files with findings, each once. */
  const files = (out: string) => [...new Set(parseLines(out).map(({ file }) => file))];

  it('folders with all below them, without Markdown and what package managers put there', async () => {
    mkdirSync(join(hopscope.folder, 'tree/deep/node_modules'), { recursive: true });
    mkdirSync(join(hopscope.folder, 'tree/.git'), { recursive: true });
    for (const name of ['a.episode', 'deep/B.Step.MD', 'deep/node_modules/c.episode', '.git/d.episode']) {
      hopscope.file(`tree/${name}`, 'ACTION: FETCH 1');
    }
    hopscope.file('tree/deep/e.md', '```hopscope-episode\nACTION: FETCH 1\n```');
    hopscope.file('tree/deep/f.txt', 'ACTION: FETCH 1');
    symlinkSync('..', join(hopscope.folder, 'tree/deep/up'));
    const expected = ['tree/a.episode', 'tree/deep/B.Step.MD'];
    expect(files((await check(['--json', 'tree'])).out)).toEqual(expected);
    expect(files((await check(['--json', './tree/', 'tree/a.episode'])).out)).toEqual(expected);
  });

  it('patterns, with the Markdown that they match', async () => {
    const { out } = await check(['--json', 'tree/**/*.{md,episode}', 'tree/a.*']);
    expect(files(out)).toEqual(['tree/a.episode', 'tree/deep/B.Step.MD', 'tree/deep/e.md']);
  });

  it('a file whose name looks like a pattern', async () => {
    hopscope.file('[1]*.episode', 'ACTION: FETCH 1');
    expect(files((await check(['--json', '[1]*.episode'])).out)).toEqual(['[1]*.episode']);
  });

  it.each([
    ['transcript', 'ACTION: FETCH 1', ['transcript.draft', 'action.unknown-verb']],
    ['step-prompt', '', ['front-matter.missing-block', 'prompt.no-role']],
    ['markdown', '~~~hopscope-episode\nACTION: FETCH 1', ['action.unknown-verb']],
  ])('standard input and a file without a telling name, as a %s', async (language, text, codes) => {
    const piped = await check(['--json', '--language', language, '-'], text);
    expect(parseLines(piped.out).map(({ file, code }) => [file, code])).toEqual(
      codes.map((code) => ['standard input', code]),
    );
    hopscope.file('anything.txt', text);
    const named = await check(['--json', '--language', language, 'anything.txt']);
    expect(parseLines(named.out).map(({ code }) => code)).toEqual(codes);
  });

  const refusals: [string, string | RegExp, number?][] = [
    ['check', /missing required argument 'files'/],
    ['check none.episode', 'Cannot read none.episode: there is no such file or folder; check the path.'],
    ['check check/good.md none/', 'Cannot read none/: there is no such file or folder; check the path.'],
    ['check none*', 'No step prompt, transcript or Markdown file matches none*.'],
    ['check empty', 'There is no step prompt or transcript in empty.', 1],
    ['check -', 'Say with --language what standard input is.'],
    ['check --language latin -', /Allowed choices are step-prompt, transcript, markdown\.$/],
    ['check foreign.txt', /^foreign\.txt is no step prompt .* say with --language what it is\.$/],
    ['check --json --sarif check', /'--json' cannot be used with option '--sarif'/],
  ];
  it.each(refusals)('%s is refused', async (line, message, code = 2) => {
    mkdirSync(join(hopscope.folder, 'empty'), { recursive: true });
    hopscope.file('foreign.txt', 'x');
    const finished = await hopscope.run(line.split(' '));
    expectNoCrash(finished);
    expect(finished).toMatchObject({ code, out: '' });
    expect(finished.err.trimEnd()).toMatch(message);
  });
});

describe('texts of any kind', () => {
  /** What is said about the bytes as a transcript, as `line:column code`. */
  async function say(bytes: string | Uint8Array): Promise<string[]> {
    hopscope.file('odd.episode', bytes);
    const { out, code } = await check(['--json', 'odd.episode']);
    const found = parseLines(out);
    expect(code).toBe(found.some(({ severity }) => severity === 'error') ? 1 : 0);
    return found.map((finding) => `${finding['line']}:${finding['column']} ${finding['code']}`);
  }
  const text =
    '---\nformat: 1\nenvironment: navigator\ninstance: hs1-train-17\n---\n=== step 1\nACTION: READ S1\n';
  const found = ['7:14 action.read-needs-chunk'];

  it('line breaks and a byte order mark change nothing', async () => {
    expect(await say(text)).toEqual(found);
    expect(await say(text.replaceAll('\n', '\r\n'))).toEqual(found);
    expect(await say(`\uFEFF${text}`)).toEqual(found);
    expect(await say(text.trimEnd())).toEqual(found);
  });

  it('nothing at all is a transcript still to be begun, in the editor too', async () => {
    expect(await say('')).toEqual([]);
  });

  it('what is no UTF-8 is said, and the other files are checked all the same', async () => {
    const latin = Buffer.from('a\n\uFFFD\nb', 'utf8');
    hopscope.file('latin.episode', Buffer.concat([latin, Buffer.from([0x0a, 0x7a, 0xe9, 0x0a])]));
    hopscope.file('wide.episode', Buffer.from(`\uFEFF${text}`, 'utf16le'));
    hopscope.file('huge.episode', Buffer.alloc(50 * 2 ** 20 + 1, 'x\n'));
    hopscope.file('fine.episode', text);
    const { code, out } = await check([
      'latin.episode',
      'wide.episode',
      'huge.episode',
      '/dev/full',
      'fine.episode',
      '--language',
      'transcript',
    ]);
    expect(code).toBe(1);
    expect(out).toContain(
      'latin.episode:1:1 error file.unreadable This file is not UTF-8 text from line 4 on.\n',
    );
    expect(out).toContain(
      'wide.episode:1:1 error file.unreadable This file looks like UTF-16; save the file as UTF-8.\n',
    );
    expect(out).toContain(
      'huge.episode:1:1 error file.unreadable This file is larger than 50 MB, so it was not read.\n',
    );
    expect(out).toContain(
      '/dev/full:1:1 error file.unreadable This file is larger than 50 MB, so it was not read.\n',
    );
    expect(out).toContain('fine.episode:7:14 error action.read-needs-chunk ');
    expect(out).toMatch(/\n5 errors in 5 files\n$/);
  });

  it('a line of ten megabytes, and NUL', async () => {
    const line = 'ACTION: COMPRESS 1 :: '.padEnd(10_000_000, 'x\u0000 ');
    hopscope.file('long.episode', text.replace('ACTION: READ S1', line));
    const { out, code } = await check(['long.episode']);
    expect(code).toBe(1);
    expect(out).toContain('long.episode:7:18 error navigator.not-held ');
    expect(out.length).toBeLessThan(5_000);
    for (const args of [['--json'], ['--sarif']]) await check([...args, 'long.episode']);
  });

  it('nothing that a terminal would obey is printed', async () => {
    hopscope.file('escape.episode', 'ACTION: \u001b[31mFETCH\u202e \u009b1\u2028\u0007 x\t1\ud800');
    const { out } = await check(['escape.episode']);
    expect(out).toContain('escape.episode:1:1 ');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  });
});

it('shows the source with carets', async () => {
  hopscope.file('play.episode', `${'x'.repeat(200)}\nACTION: FETCH\t1 ${'y'.repeat(300)}\n`);
  const { out, err } = await check(['play.episode']);
  expect(err).toBe('');
  expect(out).toMatchInlineSnapshot(`
    "play.episode:1:1 info transcript.draft A draft. To be replayed it needs front matter (format, environment, instance) and a line "=== step 1" before the first reply.
        1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    play.episode:2:9 error action.unknown-verb No action begins with "FETCH". Write READ, COMPRESS, DROP or ANSWER.
        2 | ACTION: FETCH 1 yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
                    ^^^^^
    1 error, 1 info in 1 file
    "
  `);
});

it('fails on warnings only when it is to be strict', async () => {
  const file = 'check/unused.step.md';
  expect((await check([file])).code).toBe(0);
  expect((await check(['--strict', file])).code).toBe(1);
});

describe('SARIF', () => {
  it('has a result for each finding', async () => {
    const outside = join(project, 'test/fixtures/check/options.step.md');
    hopscope.file('a b #1.episode', 'ACTION: FETCH 1');
    const names = ['check', 'check/notes.md', 'a b #1.episode', outside];
    const { code, out } = await check(['--sarif', ...names]);
    expect(code).toBe(1);
    const log: Log = JSON.parse(out);
    expect(log).toMatchObject({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'hopscope', version: manifest.version } },
          invocations: [{ executionSuccessful: true }],
          columnKind: 'utf16CodeUnits',
        },
      ],
    });
    const [run] = log.runs;
    const rules = run?.tool.driver.rules?.map(({ id }) => id) ?? [];
    expect(new Set(rules).size).toBe(rules.length);
    expect(run?.originalUriBaseIds).toEqual({
      '%SRCROOT%': { uri: `${pathToFileURL(hopscope.folder).href}/` },
    });
    const lines = parseLines((await check(['--json', ...names])).out);
    expect(lines.length).toBeGreaterThan(20);
    const levels: Readonly<Record<string, string>> = { error: 'error', warning: 'warning', info: 'note' };
    expect(run?.results).toEqual(
      lines.map((finding) => ({
        ruleId: finding['code'],
        ruleIndex: rules.indexOf(String(finding['code'])),
        level: levels[String(finding['severity'])],
        message: { text: finding['message'] },
        locations: [
          {
            physicalLocation: {
              artifactLocation:
                finding['file'] === outside
                  ? { uri: pathToFileURL(outside).href }
                  : { uri: encodeURI(String(finding['file'])).replace('#', '%23'), uriBaseId: '%SRCROOT%' },
              region: {
                startLine: finding['line'],
                startColumn: finding['column'],
                endLine: finding['endLine'],
                endColumn: finding['endColumn'],
              },
            },
          },
        ],
      })),
    );
  });

  it('of nothing wrong, of standard input, and of what cannot be read', async () => {
    const clean: Log = JSON.parse((await check(['--sarif', 'prompts'])).out);
    expect(clean.runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
    const piped: Log = JSON.parse(
      (await check(['--sarif', '--language', 'transcript', '-'], 'ACTION: X')).out,
    );
    expect(piped.runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation).toEqual({
      uri: 'stdin',
    });
    hopscope.file('latin.md', Buffer.from([0xe9]));
    const broken: Log = JSON.parse((await check(['--sarif', 'latin.md'])).out);
    expect(broken.runs[0]?.invocations).toEqual([{ executionSuccessful: false }]);
    expect(broken.runs[0]?.results).toMatchObject([{ ruleId: 'file.unreadable', level: 'error' }]);
  });
});
