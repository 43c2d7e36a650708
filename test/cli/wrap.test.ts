import { describe, expect, it } from 'vitest';
import { fitHelp, wrapText } from '../../server/src/cli/wrap.ts';

describe('wrapText', () => {
  it.each([
    ['a bb ccc', 80, 'a bb ccc'],
    ['a bb ccc dd', 6, 'a bb\n  ccc\n  dd'],
    ['a/very/long/path b', 6, 'a/very/long/path\n  b'],
    ['', 6, ''],
    ['é😀 é😀', 5, 'é😀 é😀'],
  ])('%j in %i columns', (text, width, wrapped) => expect(wrapText(text, width, '  ')).toBe(wrapped));
});

describe('fitHelp', () => {
  it('leaves what fits', () => {
    const help = 'Usage: x\n\nOptions:\n  --a <b>  text\n\nWords.\nMore.\n\nExamples:\n  x a\n';
    expect(fitHelp(help, 80)).toBe(help);
  });

  it('breaks paragraphs, descriptions and examples', () => {
    const help = [
      'Words that are set by hand,',
      'in two lines.',
      '',
      'Options:',
      '  -a, --all <b>  what is meant by it all',
      '',
      'Examples:',
      "  x run --all 'a quoted b' -n 5 | head -1",
      '',
    ].join('\n');
    expect(fitHelp(help, 32)).toBe(
      [
        'Words that are set by hand,',
        'in two lines.',
        '',
        'Options:',
        '  -a, --all <b>  what is meant',
        '      by it all',
        '',
        'Examples:',
        "  x run --all 'a quoted b' \\",
        '      -n 5 | head -1',
        '',
      ].join('\n'),
    );
    expect(fitHelp(help, 24)).toContain('Words that are set by\nhand, in two lines.\n\nOptions:\n');
  });
});
