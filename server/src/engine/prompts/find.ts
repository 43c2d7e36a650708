/** Questions that editor features ask of a template's tree: what stands here, and in which sections. */
import type { Name, SectionNode, Template, TemplateNode } from './template.ts';

/** A tag that names something, and the sections around it, outermost first. */
export interface NamedTag {
  readonly node: Exclude<TemplateNode, { kind: 'text' | 'comment' | 'unsupported' }>;
  readonly name: Name;
  /** `open` for both kinds of section. */
  readonly part: 'variable' | 'open' | 'close';
  readonly scopes: readonly SectionNode[];
}

export interface Position {
  /**
   * The sections whose inside contains the offset, outermost first. A name written here is looked up in them
   * from the last to the first. An inverted section is among them, though it adds no names.
   */
  readonly scopes: readonly SectionNode[];
  /** The tag or text at the offset; for a section, its opening or closing tag. Null outside of the template. */
  readonly node: TemplateNode | null;
  /** The name in that tag when the offset touches it, its end included, so that it can be completed. */
  readonly name: Name | null;
}

/** What stands at `offset` of the file. Between two tags that touch, the second counts. */
export function positionAt(template: Template, offset: number): Position {
  const scopes: SectionNode[] = [];
  let nodes = template.children;
  for (;;) {
    const node = findNode(nodes, offset);
    if (node === null || node.kind !== 'section') return { scopes, node, name: touchedName(node, offset) };
    if (contains(node.open, offset) || (node.close !== null && contains(node.close, offset))) {
      return { scopes, node, name: touchedName(node, offset) };
    }
    scopes.push(node);
    nodes = node.children;
  }
}

function findNode(nodes: readonly TemplateNode[], offset: number): TemplateNode | null {
  let touching: TemplateNode | null = null;
  for (const node of nodes) {
    if (node.start > offset) break;
    if (contains(node, offset)) return node;
    // At the very end of an unclosed tag one is still typing in it; after an unclosed section one is inside.
    if (node.end === offset && isUnclosed(node)) touching = node;
  }
  return touching;
}

function isUnclosed(node: TemplateNode): boolean {
  return (node.kind === 'variable' && !node.closed) || (node.kind === 'section' && node.close === null);
}

function touchedName(node: TemplateNode | null, offset: number): Name | null {
  if (node === null || node.kind === 'text' || node.kind === 'comment' || node.kind === 'unsupported')
    return null;
  const names = node.kind === 'section' && node.close !== null ? [node.name, node.close.name] : [node.name];
  return names.find((name) => name.start <= offset && offset <= name.end) ?? null;
}

function contains(range: { readonly start: number; readonly end: number }, offset: number): boolean {
  return range.start <= offset && offset < range.end;
}

/** Everything in a template, each section before what is in it. */
export function* allNodes({ children }: Pick<Template, 'children'>): Generator<TemplateNode> {
  const left: TemplateNode[] = [];
  const push = (nodes: readonly TemplateNode[]) => {
    for (let at = nodes.length - 1; at >= 0; at--) {
      const node = nodes[at];
      if (node !== undefined) left.push(node);
    }
  };
  push(children);
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    if (node.kind === 'section') push(node.children);
  }
}

/** Every tag that names something, in the order of the file. */
export function namedTags(template: Template): NamedTag[] {
  const found: NamedTag[] = [];
  collect(template.children, [], found);
  return found;
}

function collect(nodes: readonly TemplateNode[], scopes: readonly SectionNode[], found: NamedTag[]): void {
  for (const node of nodes) {
    if (node.kind === 'variable') found.push({ node, name: node.name, part: 'variable', scopes });
    if (node.kind !== 'section') continue;
    found.push({ node, name: node.name, part: 'open', scopes });
    collect(node.children, [...scopes, node], found);
    if (node.close !== null) found.push({ node, name: node.close.name, part: 'close', scopes });
  }
}
