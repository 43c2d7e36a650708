/** Parses a template: always a tree, and a list of what is wrong with it. */
import type { Problem } from '../problem.ts';
import { scanTags, type Tag } from './scan.ts';
import { maxDepth, type SectionNode, type Template, type TemplateNode } from './template.ts';

/** A section that has been opened and not yet closed. `children` is the list that nodes go to meanwhile. */
interface OpenSection {
  readonly tag: Tag;
  readonly children: TemplateNode[];
  /** Beyond the depth limit: its content goes to the section around it. */
  readonly flattened: boolean;
}

/** How literal text prints: with the line ends it has in the file, or with line feeds whatever the file has. */
export type LineEnds = 'kept' | 'unix';

/**
 * The tree of `text`, which stands at `offset` in its file; all ranges count from the start of the file.
 *
 * Never throws. Where a tag is wrong the tree holds what was most likely meant: an unclosed tag counts as
 * closed, a section that is never closed runs to the end, a closing tag with a wrong name closes the innermost
 * section unless that one's own closing tag still follows.
 */
export function parseTemplate(
  text: string,
  offset = 0,
  lineEnds: LineEnds = 'kept',
): { readonly template: Template; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const tags = scanTags(text, offset, problems);
  const builder = new TreeBuilder(tags, problems);
  const addText = (start: number, end: number) => {
    const literal = text.slice(start - offset, end - offset);
    if (literal !== '')
      builder.text(lineEnds === 'kept' ? literal : literal.replace(/\r\n?/g, '\n'), start, end);
  };
  let textStart = offset;
  for (const tag of tags) {
    addText(textStart, tag.textEnd);
    builder.tag(tag);
    textStart = tag.textStart;
  }
  const end = offset + text.length;
  addText(textStart, end);
  const children = builder.finish(end);
  problems.sort((a, b) => a.start - b.start);
  return { template: { start: offset, end, children }, problems };
}

class TreeBuilder {
  readonly #problems: Problem[];
  readonly #root: TemplateNode[] = [];
  readonly #open: OpenSection[] = [];
  /** How many sections of each name are open. */
  readonly #openNames = new Map<string, number>();
  /** For each name, how many closing tags more than opening ones are still to come. */
  readonly #closingsAhead = new Map<string, number>();
  #saidTooDeep = false;

  constructor(tags: readonly Tag[], problems: Problem[]) {
    this.#problems = problems;
    for (const tag of tags) this.#countAhead(tag, 1);
  }

  text(text: string, start: number, end: number): void {
    this.#add({ kind: 'text', text, start, end });
  }

  tag(tag: Tag): void {
    const { start, end } = tag;
    this.#countAhead(tag, -1);
    if (tag.kind === 'variable')
      this.#add({ kind: 'variable', name: tag.name, closed: tag.closed, start, end });
    else if (tag.kind === 'comment') this.#add({ kind: 'comment', start, end });
    else if (tag.kind === 'unsupported') this.#add({ kind: 'unsupported', sigil: tag.sigil, start, end });
    else if (tag.kind === 'close') this.#close(tag);
    else this.#openSection(tag);
  }

  /** Closes what is still open at `end` and returns the tree. */
  finish(end: number): readonly TemplateNode[] {
    while (this.#open.length > 0) this.#closeUnclosed(end);
    return this.#root;
  }

  #countAhead(tag: Tag, step: number): void {
    if (tag.kind !== 'close' && tag.kind !== 'open' && tag.kind !== 'inverted') return;
    add(this.#closingsAhead, tag.name.text, tag.kind === 'close' ? step : -step);
  }

  #add(node: TemplateNode): void {
    (this.#open.at(-1)?.children ?? this.#root).push(node);
  }

  #openSection(tag: Tag): void {
    const around = this.#open.at(-1);
    const flattened = this.#open.length >= maxDepth;
    add(this.#openNames, tag.name.text, 1);
    this.#open.push({ tag, flattened, children: flattened && around !== undefined ? around.children : [] });
    if (!flattened || this.#saidTooDeep) return;
    this.#saidTooDeep = true;
    this.#report('template.too-deep', `Sections may lie at most ${maxDepth} deep in each other.`, tag);
  }

  #close(tag: Tag): void {
    const name = tag.name.text;
    const innermost = this.#open.at(-1);
    if (innermost === undefined) {
      this.#report('template.stray-close', `{{/${name}}} closes nothing: no section is open here.`, tag);
      return;
    }
    const expected = innermost.tag.name.text;
    if (expected !== name) {
      if ((this.#openNames.get(name) ?? 0) > 0) {
        while (this.#open.at(-1)?.tag.name.text !== name) this.#closeUnclosed(tag.textEnd);
      } else {
        const message = `{{/${name}}} does not fit: the section open here is {{#${expected}}}.`;
        this.#report('template.wrong-close', message, tag, { expected });
        if ((this.#closingsAhead.get(expected) ?? 0) > 0) return;
      }
    }
    this.#end(tag.end, tag);
  }

  #closeUnclosed(end: number): void {
    const section = this.#open.at(-1);
    if (section === undefined) return;
    const { name } = section.tag;
    // Without a name there is nothing that could close it, and the missing name has been reported.
    if (name.text !== '') {
      const message = `This section is never closed: {{/${name.text}}} is missing.`;
      this.#report('template.unclosed-section', message, section.tag, { name: name.text });
    }
    this.#end(end, null);
  }

  #end(end: number, closing: Tag | null): void {
    const section = this.#open.pop();
    if (section === undefined) return;
    add(this.#openNames, section.tag.name.text, -1);
    if (section.flattened) return;
    const { tag, children } = section;
    const node: SectionNode = {
      kind: 'section',
      inverted: tag.kind === 'inverted',
      name: tag.name,
      open: { start: tag.start, end: tag.end },
      close: closing === null ? null : { start: closing.start, end: closing.end, name: closing.name },
      children,
      start: tag.start,
      end,
    };
    this.#add(node);
  }

  #report(code: string, message: string, at: { start: number; end: number }, data?: Problem['data']): void {
    const { start, end } = at;
    this.#problems.push({
      code,
      severity: 'error',
      message,
      start,
      end,
      ...(data === undefined ? {} : { data }),
    });
  }
}

function add(counts: Map<string, number>, name: string, change: number): void {
  counts.set(name, (counts.get(name) ?? 0) + change);
}
