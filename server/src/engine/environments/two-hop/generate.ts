/** Makes instances out of the rows of the data. There is no chance in it: an index is a place in the catalogue. */
import { accept, type Checked, refuse } from '../../problem.ts';
import { grouped } from '../../text/numbers.ts';
import type { DataFiles } from '../data-set.ts';
import type { Generated, Listing } from '../environment.ts';
import { type Catalogue, factFile, type RowCounts, testFile } from './catalogue.ts';
import { type Instance, idOf, isCondition, type Place } from './instance.ts';
import type { Options } from './options.ts';
import { parseRows, personAsked, personTold, type Row } from './rows.ts';
import { show } from './show.ts';

export interface Maker {
  generate(split: string, index: number, options: Options): Checked<Generated<Instance>>;
  /** Id and groups; refuses just what {@link Maker.generate} refuses. */
  listing(split: string, index: number, options: Options): Checked<Listing>;
  /** What the data say stands at a place; the error is a sentence without its full stop. */
  at(place: Place): Checked<Instance>;
}

/** A file of questions as it is needed. */
interface Questions {
  readonly rows: readonly Row[];
  readonly answers: readonly string[];
  readonly prior: string;
}

/** @param files are looked at when an instance needs them, and then kept as they were understood. */
export function makerOf(files: DataFiles, catalogue: Catalogue, counts: RowCounts): Maker {
  const rows = remember((path: string) => readRows(files, path));
  const bridges = remember((domain: string) => mapChecked(rows(factFile(domain)), bridgesOf));
  const questions = remember((path: string) => mapChecked(rows(path), questionsOf));

  function placeAt(split: string, index: number, options: Options): Checked<Place> {
    if (!isCondition(split)) return refuse(`two-hop has no split ${show(split)}`);
    const place = Number.isInteger(index) ? catalogue.member(split, options, index) : null;
    if (place !== null) return accept(place);
    const size = catalogue.size(split, options);
    return refuse(`there are ${grouped(size)} under these options, so the highest index is ${size - 1}`);
  }

  function fileOf(place: Place): Checked<Questions> {
    const path = testFile(place, place.split);
    const read = questions(path);
    if (!read.ok || read.value.rows.length === counts[place.split]) return read;
    return refuse(`${path} has ${read.value.rows.length} rows in place of ${counts[place.split]}`);
  }

  function at(place: Place): Checked<Instance> {
    const file = fileOf(place);
    if (!file.ok) return file;
    const facts = bridges(place.domain);
    if (!facts.ok) return facts;
    const { rows: all, answers, prior } = file.value;
    const row = all[place.row];
    if (row === undefined) return refuse(`there is no row ${place.row} of ${place.domain} ${place.relation}`);
    const { system, question, answer } = row;
    const person = personAsked(question);
    const bridge = person === null ? null : (facts.value.get(person) ?? null);
    return accept({ id: idOf(place), ...place, system, question, person, bridge, answer, answers, prior });
  }

  return {
    at,
    generate(split, index, options) {
      const place = placeAt(split, index, options);
      if (!place.ok) return place;
      return mapChecked(at(place.value), (instance) => ({ instance, attempts: 1, reasons: {} }));
    },
    listing(split, index, options) {
      const place = placeAt(split, index, options);
      if (!place.ok) return place;
      const { domain, relation } = place.value;
      return mapChecked(fileOf(place.value), () => ({
        id: idOf(place.value),
        groups: { domain, relation: `${domain}/${relation}` },
      }));
    },
  };
}

function readRows(files: DataFiles, path: string): Checked<readonly Row[]> {
  const text = files.text(path);
  if (!text.ok) return text;
  const rows = parseRows(text.value);
  return rows.ok ? rows : refuse(`${path}: ${rows.error}`);
}

/** What the facts of a domain say of each person. Of two facts about one the first counts. */
function bridgesOf(facts: readonly Row[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { question, answer } of facts) {
    const person = personTold(question);
    if (person !== null && !found.has(person)) found.set(person, answer);
  }
  return found;
}

function questionsOf(rows: readonly Row[]): Questions {
  const counts = new Map<string, number>();
  for (const { answer } of rows) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  let prior = '';
  for (const [answer, count] of counts) if (count > (counts.get(prior) ?? 0)) prior = answer;
  return { rows, answers: [...counts.keys()].sort(), prior };
}

/** The same function, which works out each value once; a refusal is worked out again. */
function remember<T>(work: (key: string) => Checked<T>): (key: string) => Checked<T> {
  const known = new Map<string, Checked<T>>();
  return (key) => {
    const result = known.get(key) ?? work(key);
    if (result.ok) known.set(key, result);
    return result;
  };
}

function mapChecked<A, B>(checked: Checked<A>, change: (value: A) => B): Checked<B> {
  return checked.ok ? accept(change(checked.value)) : checked;
}
