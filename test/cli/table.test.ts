import { describe, expect, it } from 'vitest';
import { openProgress, progressLine } from '../../server/src/cli/progress.ts';
import { styleFor } from '../../server/src/cli/style.ts';
import { fixed, grouped, groupName, renderLegend, renderTable } from '../../server/src/cli/table.ts';
import { chance, dollars } from '../../server/src/engine/text/numbers.ts';

const plain = styleFor({ isTTY: false });
const coloured = styleFor({ isTTY: true, hasColors: () => true });

const columns = [
  { title: 'policy', align: 'left' },
  { title: 'reward', align: 'right' },
] as const;

describe('renderTable', () => {
  it('lines up names on the left and numbers on the right', () => {
    expect(renderTable(columns, [['oracle', '0.950'], 'rule', ['x', '–'], ['é😀']], plain)).toBe(
      [
        'policy  reward',
        '──────────────',
        'oracle   0.950',
        '──────────────',
        'x            –',
        'é😀',
        '',
      ].join('\n'),
    );
  });

  it('does not count colours', () => {
    const table = renderTable(columns, [[coloured.bold('oracle'), coloured.bad('1')]], coloured);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colour codes begin with
    expect(table.replace(/\u001b\[\d+m/g, '')).toBe(renderTable(columns, [['oracle', '1']], plain));
    expect(table).toContain('\u001b[1moracle\u001b[22m');
  });
});

it.each([
  [1, 'hops', '1 hop'],
  [2, 'hops', '2 hops'],
  [0, 'drops', '0 drops'],
  [1, 'final items', '1 final item'],
  ['retail', 'domain', 'retail domain'],
])('a group of %s %s is called %s', (value, label, name) => {
  expect(groupName(value, label)).toBe(name);
});

describe('a table that is too wide', () => {
  const narrow = styleFor({ isTTY: false }, '20');
  const titles = ['name', 'first', 'second', 'third'];
  const wide = titles.map((title, i) => ({ title, align: i === 0 ? 'left' : 'right' }) as const);
  const row = ['abcd', '1', '2', '3'];

  it('is set closer', () => {
    const longer = [{ title: 'longer', align: 'left' } as const, ...wide.slice(1, 3)];
    expect(renderTable(longer, [row], narrow)).toMatch(/^longer first second\n─{19}\n/);
  });

  it('comes in parts', () => {
    expect(renderTable(wide, [row, 'rule', ['x']], narrow)).toBe(
      [
        'name  first  second',
        '───────────────────',
        'abcd      1       2',
        '───────────────────',
        'x',
        '',
        'name  third',
        '───────────',
        'abcd      3',
        '───────────',
        'x',
        '',
      ].join('\n'),
    );
  });

  it('repeats all that tells rows apart in each part', () => {
    const keyed = wide.map((column, at) => (at === 1 ? { ...column, isKey: true } : column));
    const rows = [row, ['abcd', '7', '8', '9']];
    expect(renderTable([...keyed, { title: 'fourth', align: 'right' }], rows, narrow)).toBe(
      [
        'name  first  second',
        '───────────────────',
        'abcd      1       2',
        'abcd      7       8',
        '',
        'name  first  third',
        '──────────────────',
        'abcd      1      3',
        'abcd      7      9',
        '',
        'name  first  fourth',
        '───────────────────',
        'abcd      1',
        'abcd      7',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['on one line', 'a long name', '1', ['a long name  1']],
    [
      'each on its own where they are too long',
      'a very long name',
      'and more',
      ['a very long name', 'and more'],
    ],
  ])('has what tells rows apart above them when nothing else fits, %s', (_, name, first, lines) => {
    const keyed = wide.map((column, at) => (at === 1 ? { ...column, isKey: true } : column));
    const table = renderTable(keyed, [[name, first, '12', '3'], 'rule', ['x', '', '4', '5']], narrow);
    expect(table).toBe(
      [
        'name  first',
        '  second  third',
        '────────────────────'.slice(0, lines.length === 1 ? 18 : 20),
        ...lines,
        '      12      3',
        '────────────────────'.slice(0, lines.length === 1 ? 18 : 20),
        'x',
        '       4      5',
        '',
      ].join('\n'),
    );
    for (const line of table.split('\n')) expect([...line].length).toBeLessThanOrEqual(20);
  });

  it('has a legend that fits', () => {
    const items = [{ label: 'first', description: 'what comes before all others' }];
    expect(renderLegend(items, narrow)).toBe('first: what comes\n  before all others\n');
  });
});

describe('what would move the cursor', () => {
  it.each([plain, coloured])('is shown', (style) => {
    const table = renderTable(columns, [['a\u001b[2J\nb', style.bold('x\u0007')]], style);
    expect(table).toContain('a\\u001b[2J\\nb');
    expect(table).toContain(style.bold('x\\u0007'));
  });
});

describe('the width', () => {
  it.each([
    [{}, undefined, 80],
    [{ columns: 120 }, undefined, 120],
    [{ columns: 120 }, '60', 60],
    [{ columns: 120 }, '', 120],
    [{ columns: 120 }, 'wide', 120],
    [{ columns: 120 }, '0', 120],
    [{ columns: 3 }, undefined, 20],
  ])('of %o with COLUMNS=%s is %i', (stream, variable, width) => {
    expect(styleFor(stream, variable ?? '').width).toBe(width);
  });
});

describe('numbers', () => {
  it.each([
    [null, '–'],
    [undefined, '–'],
    [0, '0.000'],
    [-0.5, '-0.500'],
    [0.9999, '1.000'],
  ])('%s with three decimals', (value, text) => expect(fixed(value)).toBe(text));

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [122471, '122,471'],
    [1234567, '1,234,567'],
  ])('%s in groups', (value, text) => expect(grouped(value)).toBe(text));
});

describe('chances and money', () => {
  it.each([
    [1, '1.000'],
    [0.0404, '0.040'],
    [0.001, '0.001'],
    [0.0009, '<0.001'],
    [0, '<0.001'],
  ])('%s is a chance', (value, text) => expect(chance(value)).toBe(text));

  it.each([
    [null, '–'],
    [0, '$0.00'],
    [0.000049, '<$0.0001'],
    [0.0038, '$0.0038'],
    [0.5, '$0.5000'],
    [0.99996, '$1.00'],
    [1234.5, '$1234.50'],
  ])('%s are dollars', (value, text) => expect(dollars(value)).toBe(text));
});

describe('progress', () => {
  it.each([
    [0, 10, 0, 'x  ░░░░░░░░░░░░░░░░░░░░░░░░  0/10  0.0/s'],
    [5, 10, 1000, 'x  ████████████░░░░░░░░░░░░  5/10  5.0/s  1 s left'],
    [10, 10, 500, 'x  ████████████████████████  10/10  20/s'],
    [12, 10, 500, 'x  ████████████████████████  12/10  24/s'],
    [7, undefined, 1000, 'x  7  7.0/s'],
  ])('%s of %s', (done, total, elapsed, line) => expect(progressLine('x', done, total, elapsed)).toBe(line));

  it.each([
    [60, 'generate train  ███████░░░░░  50/90  50/s  1 s left'],
    [50, 'generate train  ███░░░  50/90  50/s  1 s left'],
    [38, 'generate train  50/90  50/s  1 s left'],
    [30, 'generate train  50/90'],
    [18, 'generate…  50/90'],
    [8, '50/90'],
  ])('in %i columns', (width, line) => {
    expect(progressLine('generate train', 50, 90, 1000, width)).toBe(line);
    expect([...line].length).toBeLessThanOrEqual(width);
  });

  it('draws on a terminal, not too often, and leaves nothing behind', () => {
    const written: string[] = [];
    let time = 0;
    const stream = { isTTY: true, write: (text: string) => written.push(text) };
    const progress = openProgress(stream, 'x', 3, () => time);
    for (const at of [1, 2, 200, 201]) {
      time = at;
      progress.update(at < 201 ? 1 : 3);
    }
    progress.clear();
    progress.clear();
    expect(written.map((text) => text.split('  ')[2] ?? text)).toEqual(['1/3', '1/3', '3/3', '\r\u001b[K']);
  });

  it('is silent elsewhere', () => {
    const written: string[] = [];
    const progress = openProgress({ isTTY: false, write: (text: string) => written.push(text) }, 'x', 1);
    progress.update(1);
    progress.clear();
    expect(written).toEqual([]);
  });
});
