/**
 * What people write about a run and its episodes: a note and tags, in `notes.json` beside the steps. It never belongs to
 * what identifies a run, and no figure depends on it.
 */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../problem.ts';
import { parseJsonFile } from './formats/json-file.ts';

export interface Note {
  /** Empty for none. */
  readonly text: string;
  /** Without repetitions, in the order in which they were given. */
  readonly tags: readonly string[];
}

export interface RunNotes extends Note {
  /** By the number of the episode in the plan of the run. */
  readonly episodes: ReadonlyMap<number, Note>;
}

export const noNotes: RunNotes = { text: '', tags: [], episodes: new Map() };

/** Longest note, in UTF-16 units, and tag; more belongs into a file of its own. */
export const noteLimits = { text: 20_000, tag: 60, tags: 30 } as const;

/** A note as it is kept: without blanks around it, tags told apart by more than case. The error is a sentence. */
export function checkNote({ text, tags }: Note): Checked<Note> {
  const trimmed = text.trim();
  if (trimmed.length > noteLimits.text) {
    return refuse(`A note has at most ${noteLimits.text} characters, and this one has ${trimmed.length}.`);
  }
  const kept: string[] = [];
  for (const tag of tags.map((it) => it.trim().replace(/\s+/g, ' '))) {
    if (tag === '' || kept.some((it) => it.toLowerCase() === tag.toLowerCase())) continue;
    if (tag.length > noteLimits.tag) {
      return refuse(`A tag has at most ${noteLimits.tag} characters: shorten ${tag.slice(0, 20)}….`);
    }
    kept.push(tag);
  }
  if (kept.length > noteLimits.tags) return refuse(`At most ${noteLimits.tags} tags can be given.`);
  return accept({ text: trimmed, tags: kept });
}

/** The notes with another note about the run, or about the episode of that number; an empty one takes it away. */
export function annotate(notes: RunNotes, task: number | null, note: Note): RunNotes {
  if (task === null) return { ...notes, ...note };
  const episodes = new Map(notes.episodes);
  if (note.text === '' && note.tags.length === 0) episodes.delete(task);
  else episodes.set(task, note);
  return { ...notes, episodes };
}

const noteFields = { text: v.optional(v.string(), ''), tags: v.optional(v.array(v.string()), []) };
const fileSchema = v.object({
  format: v.literal(1, 'is not the format this version reads: 1'),
  ...noteFields,
  episodes: v.optional(v.record(v.pipe(v.string(), v.regex(/^\d{1,15}$/)), v.object(noteFields)), {}),
});

/** Reads the file. The error continues "… notes.json". */
export function parseNotes(content: string): Checked<RunNotes> {
  const parsed = parseJsonFile(content, fileSchema, 'holds no notes');
  if (!parsed.ok) return parsed;
  const { text, tags, episodes } = parsed.value;
  return accept({
    text,
    tags,
    episodes: new Map(Object.entries(episodes).map(([task, note]) => [Number(task), note])),
  });
}

/** The text of the file. */
export function printNotes({ text, tags, episodes }: RunNotes): string {
  const listed = [...episodes].sort(([a], [b]) => a - b);
  return `${JSON.stringify({ format: 1, text, tags, episodes: Object.fromEntries(listed) }, null, 2)}\n`;
}

/** A note on one line, e.g. `too eager to drop [baseline, v2]`; empty when there is nothing. */
export function noteLine({ text, tags }: Note): string {
  const list = tags.length === 0 ? '' : `[${tags.join(', ')}]`;
  return [text.replace(/\s+/g, ' '), list].filter((part) => part !== '').join(' ');
}
