import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTemplate, defaultLimits } from '../../../server/src/engine/prompts/compile.ts';
import { namedTags, positionAt } from '../../../server/src/engine/prompts/find.ts';
import { parseTemplate } from '../../../server/src/engine/prompts/parse-template.ts';
import type { TemplateNode } from '../../../server/src/engine/prompts/template.ts';
import { renderTraced } from '../../../server/src/engine/prompts/trace.ts';
import { showProblems } from '../../support/problems.ts';

function render(text: string, data: unknown): string | null {
  return compileTemplate(parseTemplate(text).template)(data);
}

describe('problems of a template', () => {
  const cases: readonly [text: string, problems: readonly string[]][] = [
    ['{{a}} {{{b}}} {{& c }} {{! anything {{ at all }} {{#d}}{{/d}}{{^d}}{{/ d }}', []],
    ['one } two }} {three} {"a": {"b": 1}}', []],
    ['{{\n  name\n}}', []],
    ['x {{name', ['template.unclosed-tag «{{name»']],
    ['x {{name  \ny {{z}}', ['template.unclosed-tag «{{name»']],
    ['{{a {{b}}', ['template.unclosed-tag «{{a»']],
    ['{{{a}} b', ['template.unclosed-tag «{{{a}}»']],
    ['{{', ['template.unclosed-tag «{{»']],
    ['{{! never closed\nmore', ['template.unclosed-tag «{{! never closed»']],
    [
      '{{}} {{ }} {{#}}{{/}}',
      ['{{}}', '{{ }}', '{{#}}', '{{/}}'].map((tag) => `template.empty-name «${tag}»`),
    ],
    ['{{a b}}', ['template.bad-name «a b»']],
    ['{{#if a}}x{{/if a}}', ['template.bad-name «if a»', 'template.bad-name «if a»']],
    ['{{a..b}} {{.a}}', ['template.bad-name «a..b»', 'template.bad-name «.a»']],
    ['{{> part}} {{=<% %>=}}', ['template.unsupported «{{> part}}»', 'template.unsupported «{{=<% %>=}}»']],
    ['{{#a}}x', ['template.unclosed-section «{{#a}}»']],
    ['x{{/a}}', ['template.stray-close «{{/a}}»']],
    ['{{#a}}{{/b}}', ['template.wrong-close «{{/b}}»']],
    ['{{#a}}{{/b}}{{/a}}', ['template.wrong-close «{{/b}}»']],
    ['{{#a}}{{#b}}{{/a}}', ['template.unclosed-section «{{#b}}»']],
    ['{{#a}}{{^b}}{{#c}}{{/a}}{{/b}}', ['{{^b}}', '{{#c}}', '{{/b}}'].map(show)],
  ];
  function show(tag: string): string {
    return `template.${tag.startsWith('{{/') ? 'stray-close' : 'unclosed-section'} «${tag}»`;
  }
  it.each(cases)('%j', (text, expected) => {
    expect(showProblems(text, parseTemplate(text).problems)).toEqual(expected);
    const moved = parseTemplate(text, 10).problems.map((p) => ({
      ...p,
      start: p.start - 10,
      end: p.end - 10,
    }));
    expect(showProblems(text, moved)).toEqual(expected);
  });

  it('says once that sections lie too deep, and keeps the tree shallow', () => {
    const deep = 50_000;
    const { template, problems } = parseTemplate(`${'{{#a}}'.repeat(deep)}x${'{{/a}}'.repeat(deep)}`);
    expect(problems.map(({ code }) => code)).toEqual(['template.too-deep']);
    expect(compileTemplate(template)({ a: true })).toBe('x');
  });

  it('takes no quadratic time over a text full of mistakes', () => {
    for (const piece of ['{{', '{{!', '{{#a ', '{{{a', '{{#a}}{{/b}}', '  {{', '{{ \n']) {
      parseTemplate(piece.repeat(50_000));
    }
    parseTemplate('{{#a}}'.repeat(50_000) + '{{/b}}'.repeat(50_000));
  });
});

describe('rendering', () => {
  const cases: readonly [text: string, data: unknown, expected: string][] = [
    ['{{a}}{{{a}}}{{&a}}', { a: '<&>' }, '<&><&><&>'],
    ['{{a}} {{b}} {{c}} {{d}}', { a: 1.5, b: 0, c: -0, d: 1e21 }, '1.5 0 0 1e+21'],
    ['{{a}}|{{b}}|{{c}}', { a: null, b: undefined, c: true }, '||true'],
    ['{{a}}|{{b}}', { a: ['x', 1, null], b: { c: 1 } }, 'x, 1, |'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: 0 }, 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: '' }, 'no'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: '0' }, 'yes'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: {} }, 'yes'],
    ['{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: () => 'lambda' }, 'no'],
    ['{{a}}', { a: () => 'lambda' }, ''],
    ['{{constructor}}{{toString}}{{__proto__}}{{#valueOf}}x{{/valueOf}}', {}, ''],
    ['{{constructor}} {{a.constructor}}', { constructor: 'own', a: { constructor: 'too' } }, 'own too'],
    ['{{a.length}}{{b.length}}{{#a}}{{length}}{{/a}}', { a: 'text', b: [1, 2] }, ''],
    ['{{#items}}{{n}}{{^last}}, {{/last}}{{/items}}', { items: [{ n: 1 }, { n: 2, last: true }] }, '1, 2'],
    ['{{#a}}{{b}}{{/a}}', { a: { b: null }, b: 'outer' }, ''],
    ['{{#a}}{{b}}{{/a}}', { a: { b: undefined }, b: 'outer' }, 'outer'],
    ['{{#a}}{{.}}{{#b}}{{.}}{{/b}}{{/a}}', { a: true, b: 'x' }, 'truex'],
    ['{{#a}}{{^b}}{{.}}{{/b}}{{/a}}', { a: true }, 'true'],
    ['{{#a}}{{c}}{{/a}}', { a: true, c: 'kept' }, 'kept'],
    ['  {{#a}}  \n x\n  {{/a}}\t\nend', { a: 1 }, ' x\nend'],
    ['{{#a}}{{#b}}\nx\n{{/b}}{{/a}}', { a: 1, b: 1 }, '\nx\n'],
    ['a\r{{! gone }}\rb', {}, 'a\rb'],
    ['{{a', { a: 'shown while it is typed' }, 'shown while it is typed'],
  ];
  it.each(cases)('%j with %j', (text, data, expected) => {
    expect(render(text, data)).toBe(expected);
    expect(renderTraced(parseTemplate(text).template, data).text).toBe(expected);
  });

  it('reads names from getters, own or inherited, and only those that are printed', () => {
    const asked: string[] = [];
    class Observation {
      get shown(): string {
        asked.push('shown');
        return 'text';
      }
      get hidden(): string {
        asked.push('hidden');
        return '';
      }
    }
    expect(render('{{shown}}{{#missing}}{{hidden}}{{/missing}}', new Observation())).toBe('text');
    expect(asked).toEqual(['shown']);
  });

  it('remembers what constant items print, unless something outside of them goes into it', () => {
    const lines = [
      Object.freeze({ id: 1, nested: Object.freeze([Object.freeze({ deep: 'x' })]) }),
      Object.freeze({ id: 2 }),
    ];
    const cases: readonly [text: string, first: string, second: string][] = [
      ['{{#lines}}{{id}};{{/lines}}', '1;2;', '1;2;'],
      ['{{#lines}}{{id}}{{outer}};{{/lines}}', '1a;2a;', '1b;2b;'],
      ['{{#lines}}{{#nested}}{{deep}}{{outer}}{{/nested}};{{/lines}}', 'xa;;', 'xb;;'],
      ['{{#lines}}{{#nested}}{{deep}}{{id}}{{/nested}};{{/lines}}', 'x1;;', 'x1;;'],
      ['{{#lines}}{{#outer}}{{.}}{{/outer}}{{^gone}}{{id}}{{/gone}};{{/lines}}', 'a1;a2;', 'b1;b2;'],
      ['{{#lines}}{{id}}{{/lines}}{{#lines}}-{{id}}{{/lines}}', '12-1-2', '12-1-2'],
    ];
    for (const [text, first, second] of cases) {
      const print = compileTemplate(parseTemplate(text).template);
      expect(print({ lines, outer: 'a' }), text).toBe(first);
      expect(print({ lines, outer: 'b' }), text).toBe(second);
      expect(print({ lines: [...lines].reverse().slice(1), outer: 'b' }), text).toBe(
        renderTraced(parseTemplate(text).template, { lines: [lines[0]], outer: 'b' }).text,
      );
    }
  });

  it('prints line feeds for every line end of the file when asked to', () => {
    const { template } = parseTemplate('a\r\n{{x}}\rb\n', 0, 'unix');
    expect(compileTemplate(template)({ x: '\r\n' })).toBe('a\n\r\n\nb\n');
  });
});

describe('limits', () => {
  const limits = { length: 10, rounds: 20 };
  const cases: readonly [text: string, data: unknown, output: string, at: string | null][] = [
    ['0123456789', {}, '0123456789', null],
    ['01234{{a}}', { a: '56789' }, '0123456789', null],
    ['01234{{a}}b', { a: '567890' }, '0123456789', '{{a}}'],
    ['0123456789x', {}, '0123456789', '0123456789x'],
    ['012345678{{a}}', { a: '😀' }, '012345678', '{{a}}'],
    ['{{#a}}{{.}}-{{/a}}', { a: [1, 2, 3, 4, 5, 6] }, '1-2-3-4-5-', '{{.}}'],
    ['{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}', { a: [1, 2, 3] }, '', '{{#a}}'],
  ];
  it.each(cases)('%j with %j', (text, data, output, at) => {
    const { template } = parseTemplate(text);
    const traced = renderTraced(template, data, limits);
    expect(traced.text).toBe(output);
    expect(traced.cutOffAt === null ? null : text.slice(traced.cutOffAt.start, traced.cutOffAt.end)).toBe(at);
    expect(compileTemplate(template, limits)(data)).toBe(at === null ? output : null);
  });

  it('hold by default, for output and for work that prints nothing', () => {
    const many = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
    const { template } = parseTemplate('{{#many}}{{.}}{{#many}}{{.}}{{/many}}{{/many}}');
    expect(compileTemplate(template)({ many })).toBeNull();
    expect(renderTraced(template, { many }).text.length).toBe(defaultLimits.length);
    const silent = parseTemplate('{{#many}}{{#many}}{{#many}}{{/many}}{{/many}}{{/many}}').template;
    expect(compileTemplate(silent)({ many })).toBeNull();
  });
});

describe('trace', () => {
  it('tells where each piece came from', () => {
    const text = 'Q: {{q}}\n{{#held}}\n[{{id}}]\n{{/held}}\nend';
    const traced = renderTraced(parseTemplate(text).template, {
      q: 'why',
      held: [{ id: '7' }, { id: 'S1' }],
    });
    const shown = traced.spans.map(({ output, source, name }) => [
      traced.text.slice(output.start, output.end),
      text.slice(source.start, source.end),
      name,
    ]);
    expect(shown).toEqual([
      ['Q: ', 'Q: ', null],
      ['why', '{{q}}', 'q'],
      ['\n', '\n', null],
      ['[', '[', null],
      ['7', '{{id}}', 'id'],
      [']\n', ']\n', null],
      ['[', '[', null],
      ['S1', '{{id}}', 'id'],
      [']\n', ']\n', null],
      ['end', 'end', null],
    ]);
  });
});

describe('tree', () => {
  const text = 'a {{x}}{{y}} {{#held}}b {{id}} {{^z}}c{{/z}}{{/held}} {{unfinished';
  const { template } = parseTemplate(text);
  const cases: readonly [
    before: string,
    scopes: readonly string[],
    node: string | null,
    name: string | null,
  ][] = [
    ['a', [], 'a ', null],
    ['a {{', [], '{{x}}', 'x'],
    ['a {{x', [], '{{x}}', 'x'],
    ['a {{x}', [], '{{x}}', null],
    ['a {{x}}', [], '{{y}}', null],
    ['a {{x}}{{y}} {{#hel', [], '{{#held}}b {{id}} {{^z}}c{{/z}}{{/held}}', 'held'],
    ['a {{x}}{{y}} {{#held}}', ['held'], 'b ', null],
    ['a {{x}}{{y}} {{#held}}b {{id', ['held'], '{{id}}', 'id'],
    ['a {{x}}{{y}} {{#held}}b {{id}} {{^z}}', ['held', 'z'], 'c', null],
    ['a {{x}}{{y}} {{#held}}b {{id}} {{^z}}c{{/z', ['held'], '{{^z}}c{{/z}}', 'z'],
    [text, [], '{{unfinished', 'unfinished'],
  ];
  it.each(cases)('position after %j', (before, scopes, node, name) => {
    const found = positionAt(template, before.length);
    expect(found.scopes.map((scope) => scope.name.text)).toEqual(scopes);
    expect(found.node === null ? null : text.slice(found.node.start, found.node.end)).toBe(node);
    expect(found.name?.text ?? null).toBe(name);
  });

  it('lists every named tag with the sections around it', () => {
    const shown = namedTags(template).map(({ name, part, scopes }) => [
      name.text,
      part,
      scopes.map((scope) => scope.name.text).join('/'),
    ]);
    expect(shown).toEqual([
      ['x', 'variable', ''],
      ['y', 'variable', ''],
      ['held', 'open', ''],
      ['id', 'variable', 'held'],
      ['z', 'open', 'held'],
      ['z', 'close', 'held'],
      ['held', 'close', ''],
      ['unfinished', 'variable', ''],
    ]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{{{',
    '}}}',
    '#',
    '^',
    '/',
    '!',
    '&',
    '>',
    '=',
    'a',
    'b',
    '.',
    ' ',
    '\n',
    '\r\n',
    '{{#a}}',
    '{{/a}}',
    '{{^b}}',
    '{{/b}}',
    '{{a}}',
    '{{.}}',
    '\ud800',
  );
  const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const anyData = fc.record({
    a: fc.oneof(fc.boolean(), fc.string(), fc.array(fc.record({ b: fc.string() }), { maxLength: 3 })),
    b: fc.anything(),
  });

  it('gives a tree whose ranges lie within each other and in order', () => {
    const checkNodes = (text: string, nodes: readonly TemplateNode[], from: number, to: number): void => {
      let at = from;
      for (const node of nodes) {
        expect(node.start).toBeGreaterThanOrEqual(at);
        expect(node.end).toBeGreaterThanOrEqual(node.start);
        if (node.kind === 'text') expect(text.slice(node.start, node.end)).toBe(node.text);
        if (node.kind === 'section')
          checkNodes(text, node.children, node.open.end, node.close?.start ?? node.end);
        at = node.end;
      }
      expect(at).toBeLessThanOrEqual(to);
    };
    fc.assert(
      fc.property(anyText, (text) => {
        const { template, problems } = parseTemplate(text);
        checkNodes(text, template.children, 0, text.length);
        for (const { start, end } of problems) {
          expect(0 <= start && start < end && end <= text.length, `${start}-${end}`).toBe(true);
        }
        for (let offset = 0; offset <= text.length; offset++) positionAt(template, offset);
      }),
    );
  });

  it('renders the same compiled and traced, within limits and beyond', () => {
    fc.assert(
      fc.property(anyText, anyData, fc.integer({ min: 0, max: 60 }), (text, data, length) => {
        const { template } = parseTemplate(text);
        const limits = { length, rounds: 30 };
        const traced = renderTraced(template, data, limits);
        expect(compileTemplate(template, limits)(data)).toBe(traced.cutOffAt === null ? traced.text : null);
        expect(traced.text.length).toBeLessThanOrEqual(length);
        expect(traced.spans.map(({ output }) => traced.text.slice(output.start, output.end)).join('')).toBe(
          traced.text,
        );
      }),
    );
  });

  it('renders the same with constant items, whatever has been rendered before', () => {
    const items = [{ a: 'x' }, { b: true, a: [{ b: 'deep' }] }, { a: 0 }].map((item) => Object.freeze(item));
    fc.assert(
      fc.property(
        anyText,
        fc.array(fc.record({ a: fc.subarray(items), b: fc.anything() }), { maxLength: 4 }),
        (text, all) => {
          const { template } = parseTemplate(text);
          const print = compileTemplate(template);
          for (const data of all) expect(print(data)).toBe(renderTraced(template, data).text);
        },
      ),
    );
  });
});
