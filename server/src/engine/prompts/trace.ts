/**
 * Renders by walking the tree and notes where each piece of output came from. Slower than the compiled form
 * and exact about limits: used for the preview, for hovers, and to find out where an output grew too long.
 */
import { defaultLimits, type Limits } from './compile.ts';
import type { Range, SectionNode, Template, TemplateNode } from './template.ts';
import { fieldsOf, isTrue, lookUp, printValue, rootScope, type Scope } from './values.ts';

/** `output` of the rendered text was printed by `source` of the file: literal text, or the tag of a variable. */
export interface Span {
  readonly output: Range;
  readonly source: Range;
  /** The name in the tag; null for literal text. */
  readonly name: string | null;
}

export interface Traced {
  readonly text: string;
  /** In order and without gaps; what printed nothing has no span. */
  readonly spans: readonly Span[];
  /** The text or tag at which a limit was passed; the output ends there. */
  readonly cutOffAt: Range | null;
}

/**
 * The same text as the compiled template gives, except that it is cut off exactly at a limit.
 *
 * @param wantsSpans without them it is several times as fast
 */
export function renderTraced(
  template: Template,
  observation: unknown,
  limits: Limits = defaultLimits,
  wantsSpans = true,
): Traced {
  const tracer = new Tracer(limits, wantsSpans);
  tracer.nodes(template.children, rootScope(observation));
  return { text: tracer.pieces.join(''), spans: tracer.spans, cutOffAt: tracer.cutOffAt };
}

class Tracer {
  readonly pieces: string[] = [];
  readonly spans: Span[] = [];
  cutOffAt: Range | null = null;
  readonly #limit: number;
  readonly #wantsSpans: boolean;
  #length = 0;
  #roundsLeft: number;

  constructor(limits: Limits, wantsSpans: boolean) {
    this.#limit = limits.length;
    this.#wantsSpans = wantsSpans;
    this.#roundsLeft = limits.rounds;
  }

  nodes(nodes: readonly TemplateNode[], scope: Scope): void {
    for (const node of nodes) {
      if (this.cutOffAt !== null) return;
      if (node.kind === 'text') this.#print(node.text, node, null);
      else if (node.kind === 'variable')
        this.#print(printValue(lookUp(node.name, scope)), node, node.name.text);
      else if (node.kind === 'section') this.#section(node, scope);
    }
  }

  #section(node: SectionNode, scope: Scope): void {
    const value = lookUp(node.name, scope);
    if (isTrue(value) === node.inverted) return;
    if (node.inverted) {
      this.#round(node, scope);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      if (this.cutOffAt !== null) return;
      this.#round(node, { value: item, fields: fieldsOf(item), parent: scope });
    }
  }

  #round(node: SectionNode, scope: Scope): void {
    if (--this.#roundsLeft < 0) this.cutOffAt = node.open;
    else this.nodes(node.children, scope);
  }

  #print(text: string, { start, end }: Range, name: string | null): void {
    const room = this.#limit - this.#length;
    if (text.length > room) this.cutOffAt = { start, end };
    const piece = text.length > room ? cut(text, room) : text;
    if (piece === '') return;
    this.pieces.push(piece);
    const output = { start: this.#length, end: this.#length + piece.length };
    if (this.#wantsSpans) this.spans.push({ output, source: { start, end }, name });
    this.#length = output.end;
  }
}

/** The first `length` code units, one less where that would cut a character in two. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
