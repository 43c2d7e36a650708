/** Reads the YAML block at the top of step prompts and transcripts, and keeps where everything stands. */
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml';
import type { Problem } from '../problem.ts';
import type { Line } from './lines.ts';
import type { Range } from './template.ts';

/** One key with its value, at any depth. */
export interface FrontMatterEntry {
  /** The keys from the top to this one. */
  readonly path: readonly string[];
  readonly key: Range;
  /** Empty and right after the key when there is no value. */
  readonly value: Range;
  readonly data: unknown;
}

export interface FrontMatter extends Range {
  /** Between the two `---` lines. */
  readonly content: Range;
  /** In the order of the file, each mapping before what is in it. */
  readonly entries: readonly FrontMatterEntry[];
  /** The same as plain data; empty when the YAML cannot be read. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Longer front matter is not read: it would be no front matter, and a parser should not be kept busy by it. */
const maxLength = 100_000;
/** How deep mappings and lists may lie in each other. */
const maxDepth = 30;

/**
 * The front matter that begins with the first of `lines`, and how many of the lines it takes. Without a closing
 * `---` it ends before the first line for which `endsUnclosed` holds.
 *
 * Problem codes: `front-matter.missing-block`, `front-matter.unclosed`, `front-matter.syntax`,
 * `front-matter.duplicate-key`.
 */
export function readFrontMatter(
  text: string,
  lines: readonly Line[],
  endsUnclosed: (line: string) => boolean,
  problems: Problem[],
): { readonly frontMatter: FrontMatter | null; readonly lineCount: number } {
  const [first] = lines;
  if (first === undefined || !isFence(text, first)) {
    const start = first?.start ?? 0;
    const message = 'The file must begin with front matter: YAML between two lines that consist of ---.';
    problems.push(error('front-matter.missing-block', message, start, first?.end ?? start));
    return { frontMatter: null, lineCount: 0 };
  }
  let last = lines.findIndex((line, index) => index > 0 && isFence(text, line));
  const closed = last > 0;
  if (!closed) {
    problems.push(
      error(
        'front-matter.unclosed',
        'The line --- that ends the front matter is missing.',
        first.start,
        first.end,
      ),
    );
    last = lines.findIndex((line, index) => index > 0 && endsUnclosed(text.slice(line.start, line.end)));
    if (last < 0) last = lines.length;
  }
  const content = { start: first.next, end: lines[last]?.start ?? text.length };
  const end = closed ? (lines[last]?.end ?? text.length) : content.end;
  const { data, entries } = readYaml(text, content, problems);
  return {
    frontMatter: { start: first.start, end, content, data, entries },
    lineCount: closed ? last + 1 : last,
  };
}

function isFence(text: string, line: Line): boolean {
  return text.slice(line.start, line.end).trimEnd() === '---';
}

function readYaml(text: string, content: Range, problems: Problem[]): Pick<FrontMatter, 'data' | 'entries'> {
  const nothing = { data: {}, entries: [] };
  if (content.end - content.start > maxLength) {
    const message = `Front matter of more than ${maxLength} characters is not read.`;
    problems.push(error('front-matter.syntax', message, content.start, content.end));
    return nothing;
  }
  const { start, end } = content;
  // The YAML library does not take a lone CR for a line break.
  const yaml = text.slice(start, end).replace(/\r(?!\n)/g, '\n');
  const known = recent.find((it) => it.yaml === yaml && it.start === start) ?? remember(yaml, start);
  for (const problem of known.problems) problems.push(problem);
  return known;
}

interface ReadYaml extends Pick<FrontMatter, 'data' | 'entries'> {
  readonly yaml: string;
  /** Where it begins in its file. */
  readonly start: number;
  readonly problems: readonly Problem[];
}

/** What was read last, the youngest first: while a person types, front matter mostly stays as it is. */
const recent: ReadYaml[] = [];
const mostRecent = 8;

function remember(yaml: string, start: number): ReadYaml {
  const problems: Problem[] = [];
  const read = { yaml, start, problems, ...readFresh(yaml, start, problems) };
  recent.unshift(read);
  recent.splice(mostRecent);
  return read;
}

function readFresh(yaml: string, start: number, problems: Problem[]): Pick<FrontMatter, 'data' | 'entries'> {
  try {
    return new YamlReader(yaml, start, problems).read();
  } catch (cause) {
    // The library recurses into nested values and has no limit of its own.
    if (!(cause instanceof RangeError)) throw cause;
    problems.push(error('front-matter.syntax', 'Values are nested too deeply.', start, start + yaml.length));
    return { data: {}, entries: [] };
  }
}

class YamlReader {
  readonly #yaml: string;
  /** Where the YAML begins in the file. */
  readonly #offset: number;
  readonly #problems: Problem[];
  readonly #entries: FrontMatterEntry[] = [];

  constructor(yaml: string, offset: number, problems: Problem[]) {
    this.#yaml = yaml;
    this.#offset = offset;
    this.#problems = problems;
  }

  read(): Pick<FrontMatter, 'data' | 'entries'> {
    const document = parseDocument(this.#yaml, {
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    for (const { message, pos } of [...document.errors, ...document.warnings]) {
      this.#report('front-matter.syntax', `YAML: ${message}`, toRange(pos));
    }
    if (document.contents === null) return { data: {}, entries: [] };
    if (!isMap(document.contents)) {
      if (document.errors.length === 0) {
        const message = 'Front matter consists of lines "key: value".';
        this.#report('front-matter.syntax', message, rangeOf(document.contents));
      }
      return { data: {}, entries: [] };
    }
    const data = this.#plain(document.contents, []);
    return { data: isRecord(data) ? data : {}, entries: this.#entries };
  }

  /** The value of a node as plain data; mappings also leave an entry for each of their keys. */
  #plain(node: unknown, path: readonly string[]): unknown {
    if (isScalar(node)) return node.value;
    if (path.length > maxDepth) throw new RangeError('nested too deeply');
    if (isSeq(node)) return node.items.map((item, index) => this.#plain(item, [...path, String(index)]));
    if (isMap(node)) {
      const seen = new Set<string>();
      const pairs = node.items.filter(isPair).map((pair) => this.#pair(pair.key, pair.value, path, seen));
      return Object.fromEntries(pairs.filter((pair) => pair !== null));
    }
    if (isAlias(node)) {
      this.#report('front-matter.syntax', 'References (*name) are not supported here.', rangeOf(node));
    }
    return null;
  }

  #pair(key: unknown, value: unknown, path: readonly string[], seen: Set<string>): [string, unknown] | null {
    const keyRange = rangeOf(key);
    if (!isScalar(key) || keyRange === null) {
      this.#report('front-matter.syntax', 'A key must be a plain text.', keyRange);
      return null;
    }
    const name = String(key.value);
    if (seen.has(name)) {
      this.#report('front-matter.duplicate-key', `"${name}" is given twice; the last one counts.`, keyRange);
    }
    seen.add(name);
    const at = this.#entries.length;
    const data = this.#plain(value, [...path, name]);
    const valueRange = rangeOf(value) ?? { start: keyRange.end, end: keyRange.end };
    const entry = { path: [...path, name], key: this.#place(keyRange), value: this.#place(valueRange), data };
    this.#entries.splice(at, 0, entry);
    return [name, data];
  }

  #report(code: string, message: string, range: Range | null): void {
    const { start, end } = this.#place(range ?? { start: 0, end: 0 });
    if (end > start) {
      this.#problems.push(error(code, message, start, end));
      return;
    }
    // What is missing at the end is shown at the last thing that is there.
    const last = Math.max(this.#yaml.trimEnd().length - 1, 0) + this.#offset;
    const at = Math.min(start, last);
    this.#problems.push(error(code, message, at, Math.min(at + 1, this.#yaml.length + this.#offset)));
  }

  /** The place in the file of a range in the YAML, without white space at its end. */
  #place({ start, end }: Range): Range {
    const from = Math.min(start, this.#yaml.length);
    const to = from + this.#yaml.slice(from, Math.max(end, from)).trimEnd().length;
    return { start: from + this.#offset, end: to + this.#offset };
  }
}

/** A node's own text, without the white space and comments after it. */
function rangeOf(node: unknown): Range | null {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return null;
  return node.range === null || node.range === undefined ? null : toRange(node.range);
}

function toRange(positions: readonly number[]): Range {
  const start = positions[0] ?? 0;
  return { start, end: positions[1] ?? start };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function error(code: string, message: string, start: number, end: number): Problem {
  return { code, severity: 'error', message, start, end };
}
