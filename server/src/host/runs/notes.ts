/** Notes and tags of runs, in a small file of the run's folder. Folders of other programs can have them as well. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  annotate,
  checkNote,
  type Note,
  noNotes,
  parseNotes,
  printNotes,
  type RunNotes,
} from '../../engine/evals/notes.ts';
import { accept, type Checked } from '../../engine/problem.ts';
import { Failure } from '../failure.ts';
import { writeWhole } from './atomic.ts';
import { readIfThere } from './folder.ts';

/** Beside `steps.jsonl`. */
const notesFile = 'notes.json';

/** The notes in a run folder for showing them beside what matters more; `problem` is told when they cannot be read. */
export async function showNotes(folder: string, problem: (sentence: string) => void): Promise<RunNotes> {
  try {
    return await readNotes(folder);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problem(error.message);
    return noNotes;
  }
}

/** The notes in a run folder; none when there is no file. @throws Failure when it cannot be understood. */
export async function readNotes(folder: string): Promise<RunNotes> {
  const path = join(folder, notesFile);
  const text = await readIfThere(path);
  if (text === null) return noNotes;
  const notes = parseNotes(text);
  if (notes.ok) return notes.value;
  throw new Failure('request', `${path} ${notes.error}; mend it or delete it.`);
}

/**
 * Writes a note about the run, or about the episode of that number in its plan. What was noted before about anything else
 * stays; an empty note takes away what is there.
 *
 * @returns all notes, or why the note is none, as a sentence.
 * @throws Failure when the file cannot be read or written.
 */
export async function writeNote(folder: string, task: number | null, note: Note): Promise<Checked<RunNotes>> {
  const checked = checkNote(note);
  if (!checked.ok) return checked;
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new Failure('request', `There is no run ${folder}; check the path.`);
  }
  const notes = annotate(await readNotes(folder), task, checked.value);
  await writeWhole(join(folder, notesFile), async (file) => {
    await file.writeFile(printNotes(notes));
  });
  return accept(notes);
}
