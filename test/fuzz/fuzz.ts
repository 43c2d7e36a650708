/**
 * Random edits of documents of all our languages. Whatever the text, no feature throws, and every answer is one that an
 * editor can use. And after each edit the service, which goes on from what it knew of the text before, must say the
 * same as of the same text when it sees it for the first time.
 */
import { setImmediate } from 'node:timers/promises';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openStream, type Stream } from '../../server/src/engine/random/stream.ts';
import { EditedDocument } from './edits.ts';
import { askEverything, askInVain, randomOccasion, type Slowest } from './questions.ts';
import { type Subject, fuzzedService as service, subjects } from './subjects.ts';

/** After so many edits a text begins anew, or every text would end up as noise. */
const PATIENCE = 150;

export interface FuzzReport {
  /** Edits by language. */
  readonly edits: Readonly<Record<string, number>>;
  /** Longest that a single answer took. */
  readonly slowest: Slowest;
}

/**
 * Makes `count` edits, shared among the languages.
 *
 * @param seed the same one makes the same edits
 * @param progress is told of the number of edits made
 * @throws Error with seed, number of the edit and text when something is wrong
 */
export async function fuzz(
  count: number,
  seed: string,
  progress: (edits: number) => void = () => {},
): Promise<FuzzReport> {
  const stream = openStream('fuzz', seed);
  const slowest = { name: '', milliseconds: 0 };
  const edits: Record<string, number> = {};
  let made = 0;
  while (made < count) {
    const subject = furthestBehind(edits);
    const session = Math.min(count - made, stream.between(1, PATIENCE));
    const done = fuzzOne(subject, session, stream, slowest, `seed ${seed}, ${made} edits before`);
    edits[subject.language] = (edits[subject.language] ?? 0) + done;
    made += done;
    progress(made);
    await setImmediate(); // what the service does by and by has its turn, too
  }
  return { edits, slowest };
}

/** The language with the fewest edits for its share. */
function furthestBehind(edits: Readonly<Record<string, number>>): Subject {
  const progress = ({ language, share }: Subject) => (edits[language] ?? 0) / share;
  return subjects.reduce((least, subject) => (progress(subject) < progress(least) ? subject : least));
}

/** Opens one text, makes at most `most` edits, and says how many they were. */
function fuzzOne(subject: Subject, most: number, stream: Stream, slowest: Slowest, where: string): number {
  const edited = new EditedDocument(subject, stream);
  const saved = edited.document.getText();
  let edits = 0;
  try {
    look(edited.document, stream, saved, slowest);
    while (edits < most && !edited.isTooLong) {
      edited.edit();
      edits++;
      // Now and then edits come faster than questions.
      if (stream.chance(0.8) || edits === most) look(edited.document, stream, saved, slowest);
    }
  } catch (error) {
    const text = JSON.stringify(edited.document.getText());
    throw new Error(`${where}, edit ${edits} of a ${subject.language}, text ${text}`, { cause: error });
  } finally {
    service.prompts.forget(subject.uri);
  }
  return edits;
}

function look(document: TextDocument, stream: Stream, saved: string, slowest: Slowest): void {
  const { uri, languageId, version } = document;
  const occasion = randomOccasion(document, stream, saved);
  if (stream.chance(0.05)) askInVain(service, document, occasion, slowest);
  const known = askEverything(service, document, occasion, slowest);
  const fresh = TextDocument.create(uri, languageId, version, document.getText());
  const anew = askEverything(service, fresh, occasion, slowest);
  for (const [feature, answer] of Object.entries(known)) {
    const [one, other] = [JSON.stringify(answer), JSON.stringify(anew[feature])];
    if (one !== other)
      throw new Error(`${feature} differs from that of the same text, opened anew: ${one} / ${other}`);
  }
}
