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

/** Reads files when an instance needs them, and keeps them as they were understood. */
class RowMaker implements Maker {
  readonly #files: DataFiles;
  readonly #catalogue: Catalogue;
  readonly #counts: RowCounts;
  readonly #questions = new Map<string, Questions>();
  readonly #bridges = new Map<string, ReadonlyMap<string, string>>();

  constructor(files: DataFiles, catalogue: Catalogue, counts: RowCounts) {
    this.#files = files;
    this.#catalogue = catalogue;
    this.#counts = counts;
  }

  generate(split: string, index: number, options: Options): Checked<Generated<Instance>> {
    const place = this.#placeAt(split, index, options);
    if (!place.ok) return place;
    const instance = this.at(place.value);
    return instance.ok ? accept({ instance: instance.value, attempts: 1, reasons: {} }) : instance;
  }

  listing(split: string, index: number, options: Options): Checked<Listing> {
    const place = this.#placeAt(split, index, options);
    if (!place.ok) return place;
    const file = this.#questionsAt(place.value);
    if (!file.ok) return file;
    const { domain, relation } = place.value;
    return accept({ id: idOf(place.value), groups: { domain, relation: `${domain}/${relation}` } });
  }

  at(place: Place): Checked<Instance> {
    const file = this.#questionsAt(place);
    if (!file.ok) return file;
    const facts = this.#bridgesOf(place.domain);
    if (!facts.ok) return facts;
    const { split, domain, relation, row: number } = place;
    const { rows, answers, prior } = file.value;
    const row = rows[number];
    if (row === undefined) return refuse(`there is no row ${number} of ${domain}/${relation}`);
    const { system, question, answer } = row;
    const person = personAsked(question);
    const bridge = person === null ? null : (facts.value.get(person) ?? null);
    const id = idOf(place);
    return accept({
      id,
      split,
      domain,
      relation,
      row: number,
      system,
      question,
      person,
      bridge,
      answer,
      answers,
      prior,
    });
  }

  #placeAt(split: string, index: number, options: Options): Checked<Place> {
    if (!isCondition(split)) return refuse(`two-hop has no split ${show(split)}`);
    const place = Number.isInteger(index) ? this.#catalogue.member(split, options, index) : null;
    if (place !== null) return accept(place);
    const size = this.#catalogue.size(split, options);
    return refuse(`there are ${grouped(size)} under these options, so the highest index is ${size - 1}`);
  }

  #questionsAt(place: Place): Checked<Questions> {
    const path = testFile(place, place.split);
    const known = this.#questions.get(path);
    if (known !== undefined) return accept(known);
    const rows = readRows(this.#files, path);
    if (!rows.ok) return rows;
    const wanted = this.#counts[place.split];
    if (rows.value.length !== wanted) {
      return refuse(`${path} has ${rows.value.length} rows in place of ${wanted}`);
    }
    const read = questionsOf(rows.value);
    this.#questions.set(path, read);
    return accept(read);
  }

  #bridgesOf(domain: string): Checked<ReadonlyMap<string, string>> {
    const known = this.#bridges.get(domain);
    if (known !== undefined) return accept(known);
    const rows = readRows(this.#files, factFile(domain));
    if (!rows.ok) return rows;
    const read = bridgesOf(rows.value);
    this.#bridges.set(domain, read);
    return accept(read);
  }
}

/** @param files are looked at when an instance needs them; what is not there is looked for again the next time. */
export function makerOf(files: DataFiles, catalogue: Catalogue, counts: RowCounts): Maker {
  return new RowMaker(files, catalogue, counts);
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
