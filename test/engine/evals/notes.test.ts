import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  annotate,
  checkNote,
  noNotes,
  noteLimits,
  noteLine,
  parseNotes,
  printNotes,
} from '../../../server/src/engine/evals/notes.ts';

describe('notes', () => {
  it('come back as they were written', () => {
    const text = fc.string({ unit: 'binary' });
    const note = fc.record({ text, tags: fc.array(text) });
    fc.assert(
      fc.property(note, fc.array(fc.tuple(fc.nat(), note)), (about, episodes) => {
        const notes = { ...about, episodes: new Map(episodes) };
        expect(parseNotes(printNotes(notes))).toEqual({ ok: true, value: notes });
      }),
    );
  });

  it('are about a run or one of its episodes, and an empty one takes the other away', () => {
    const note = { text: 'a', tags: ['t'] };
    const run = annotate(noNotes, null, note);
    const both = annotate(run, 3, note);
    expect(both).toEqual({ ...note, episodes: new Map([[3, note]]) });
    expect(annotate(both, 3, { text: '', tags: [] })).toEqual(run);
    expect(annotate(run, null, { text: '', tags: [] })).toEqual(noNotes);
    expect(noteLine({ text: 'two\nlines', tags: ['a', 'b'] })).toBe('two lines [a, b]');
    expect(noteLine({ text: '', tags: [] })).toBe('');
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['[]', /^holds no notes: /],
    ['{}', /^holds no notes: format: /],
    ['{"format": 2}', 'holds no notes: format: is not the format this version reads: 1'],
    ['{"format": 1, "tags": [1]}', /^holds no notes: tags.0: /],
    ['{"format": 1, "episodes": {"-1": {}}}', /^holds no notes: episodes.-1: /],
  ])('%s is refused', (text, error) => {
    const read = parseNotes(text);
    expect(read.ok ? null : read.error).toMatch(error);
  });

  it.each([
    [{ text: 'x'.repeat(noteLimits.text + 1), tags: [] }, /^A note has at most 20000 characters/],
    [{ text: '', tags: ['x'.repeat(noteLimits.tag + 1)] }, /^A tag has at most 60 characters/],
    [{ text: '', tags: Array.from({ length: noteLimits.tags + 1 }, (_, at) => `${at}`) }, /^At most 30 tags/],
  ])('what is too long is no note', (note, error) => {
    const checked = checkNote(note);
    expect(checked.ok ? null : checked.error).toMatch(error);
  });
});
