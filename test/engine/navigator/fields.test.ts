import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanFields } from '../../../server/src/engine/environments/navigator/fields.ts';

/** Every field as `label=value` or `label=value<superseded`. */
function fieldsOf(line: string, from = 0): string[] {
  return scanFields(line, from).map(({ label, value, superseded }) => {
    const now = `${label}=${line.slice(value.start, value.end)}`;
    return superseded ? `${now}<${line.slice(superseded.start, superseded.end)}` : now;
  });
}

test.each([
  ['Lead: Ida Berg. Status: running.', ['Lead=Ida Berg', 'Status=running']],
  ['Unit: A B [current since 2017; previously C D from 2015 to 2017].', ['Unit=A B<C D']],
  ['Unit: C D from 2015 to 2017, then A B [current since 2017].', ['Unit=A B<C D']],
  ['Floor area: 65,841.', ['Floor area=65,841']],
  ['Lead: Ida. Notes: Site: nowhere.', ['Lead=Ida']],
  ['lead: Ida. X1 Lead: Otto.', ['Lead=Otto']],
  ['A: . B: x[y]. C: z [y] D: w.', ['D=w']],
  ['A: b [no end.', []],
  ['', []],
])('%j has the fields %j', (line, expected) => {
  expect(fieldsOf(line)).toEqual(expected);
});

test('what stands before the offset does not count', () => {
  expect(fieldsOf('A: b. C: d.', 1)).toEqual(['C=d']);
});

/** The published patterns, whose matches the scanner must find. */
function matched(line: string): string[] {
  const notes = line.indexOf(' Notes: ');
  const text = notes < 0 ? line : line.slice(0, notes);
  const pattern = /([A-Z][A-Za-z ]*): ([^.[\]]+?)(?: \[([^\]]*)\])?\./g;
  return Array.from(text.matchAll(pattern), ([, label, body = '', bracket = '']) => {
    const change = /^(.+) from \d{4} to \d{4}, then (.+)$/.exec(body);
    if (change) return `${label}=${change[2]}<${change[1]}`;
    const previous = /previously (.+) from \d{4} to \d{4}$/.exec(bracket);
    return previous ? `${label}=${body}<${previous[1]}` : `${label}=${body}`;
  });
}

const piece = fc.constantFrom(
  ...[
    ': ',
    '. ',
    '.',
    ' [',
    '[',
    ']',
    '].',
    ' ',
    'A',
    'a',
    'Lead',
    'x y',
    '7',
    ', then ',
    'previously ',
    '\r',
  ],
  ...[' from 2015 to 2017', ' from 2015 to 2017, then ', 'current since 2017; ', ' Notes: ', '\u2028', 'é'],
);

test('the scanner finds what the published patterns match', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const line = pieces.join('');
      expect(fieldsOf(line)).toEqual(matched(line));
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  'A: ',
  'A: [',
  'A: b [',
  'A: b [previously ',
  'A',
  'A: b, then ',
  'A: b from 2015 to 2017, then ',
])('a million times %j is read in one go', (part) => {
  for (const end of ['', '.', '].', ' from 2015 to 2017].']) scanFields(part.repeat(200_000) + end, 0);
});
