import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNotJson } from '../../../server/src/engine/text/not-json.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findNotJson', () => {
  // The mark stands before the first character that is wrong; without one the text is JSON.
  it.each([
    '{"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n"],"b":{}}',
    ' [ ] ',
    '‸x',
    '{‸a:1}',
    '{"a"‸}',
    '{"a":‸}',
    '{"a":1}‸}',
    '{"a":1,‸}',
    '{‸,}',
    '[1 ‸2]',
    '[1,‸]',
    '[0‸1]',
    '{"a":"x‸\n"}',
    '"\\‸x"',
    '"\\u00‸z0"',
    '[tru‸x]',
    '[‸N]',
    '[‸-]',
    '{"a"‸=1}',
    "{‸'a':1}",
    '‸\ufeff{}',
  ])('%j', (marked) => {
    const text = marked.replace('‸', '');
    expect(findNotJson(text)).toBe(marked.indexOf('‸'));
    expect(isJson(text)).toBe(!marked.includes('‸'));
  });

  it('says of every beginning of a text that it ends too early', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const start = text.slice(0, at % text.length);
        if (!isJson(start)) expect(findNotJson(start)).toBe(start.length);
      }),
    );
  });

  it('agrees with the parser that is built in', () => {
    const pieces = [...'{}[]:,"\\u0', '1', '-', '.', 'e', 'true', 'nul', ' ', '\n', '"a"', '\u2028'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const text = parts.join('');
        expect(findNotJson(text) < 0).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.json(), (text) => findNotJson(text) === -1));
  });

  it('is not afraid of depth or length', () => {
    expect(findNotJson('['.repeat(1e6))).toBe(1e6);
    expect(findNotJson(`"${'\\n'.repeat(1e6)}"`)).toBe(-1);
  });
});
