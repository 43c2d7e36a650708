/**
 * Turns a template into closures once, so that rendering it is little more than joining texts.
 *
 * Each closure takes the text so far and returns it with its own part added. That is the fastest way measured:
 * the engine joins such texts in one pass at the end. Where a literal stands before a tag, the closure of the
 * tag adds both.
 */
import type { SectionNode, Template, TemplateNode, VariableNode } from './template.ts';
import { fieldsOf, isInherited, isTrue, lookUp, printValue, rootScope, type Scope } from './values.ts';

/** What rendering may produce before it is cut off. */
export interface Limits {
  /** Length of the output in UTF-16 code units. */
  readonly length: number;
  /** How often the insides of sections may be gone through: nested lists multiply, even when they print nothing. */
  readonly rounds: number;
}

/** Far beyond any prompt for a model: the map of a large document takes some hundred rounds. A slip costs little time. */
export const defaultLimits: Limits = { length: 1_000_000, rounds: 100_000 };

/** Renders an observation; null when a limit was passed (`renderTraced` then finds out where). */
export type Compiled = (observation: unknown) => string | null;

type Part = (scope: Scope, text: string) => string;

/** What the closures of one template share. Rendering does not nest, so this serves one rendering after the other. */
interface Run {
  readonly limit: number;
  /** Below zero once a limit has been passed: then no section prints any more. */
  roundsLeft: number;
  /** Set when anything is read that is not plainly a field of the innermost scope. */
  readOutside: boolean;
}

export function compileTemplate(template: Template, limits: Limits = defaultLimits): Compiled {
  const run: Run = { limit: limits.length, roundsLeft: 0, readOutside: false };
  const render = sequence(template.children, run);
  return (observation) => {
    run.roundsLeft = limits.rounds;
    const text = render(rootScope(observation), '');
    return run.roundsLeft < 0 || text.length > limits.length ? null : text;
  };
}

function sequence(nodes: readonly TemplateNode[], run: Run): Part {
  const parts: Part[] = [];
  let literal = '';
  for (const node of nodes) {
    if (node.kind === 'text') {
      literal += node.text;
    } else if (node.kind === 'variable' || node.kind === 'section') {
      parts.push(node.kind === 'variable' ? variable(node, literal, run) : section(node, literal, run));
      literal = '';
    }
  }
  if (literal !== '') {
    const last = literal;
    parts.push((_scope, text) => text + last);
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return (scope, text) => {
    let result = text;
    for (const part of parts) result = part(scope, result);
    return result;
  };
}

function variable(node: VariableNode, before: string, run: Run): Part {
  const read = reader(node, run);
  return (scope, text) => {
    const value = read(scope);
    const printed = typeof value === 'string' ? value : printValue(value);
    if (text.length + printed.length > run.limit) return passLimit(run, text);
    return text + (before + printed);
  };
}

function section(node: SectionNode, before: string, run: Run): Part {
  const read = reader(node, run);
  const body = sequence(node.children, run);
  const known: Known = new WeakMap();
  const usesValue = namesValue(node.children);
  if (node.inverted) {
    return (scope, text) => {
      const start = before === '' ? text : text + before;
      return isTrue(read(scope)) ? start : round(body, scope, start, run);
    };
  }
  return (scope, text) => {
    const start = before === '' ? text : text + before;
    const value = read(scope);
    if (value === false) return start;
    if (value === true && !usesValue) return round(body, scope, start, run);
    if (!isTrue(value)) return start;
    if (Array.isArray(value)) return list(body, known, value, scope, start, run);
    return round(body, { value, fields: fieldsOf(value), parent: scope }, start, run);
  };
}

/** Whether `.` is named where it means the value of the section around: inverted sections have none of their own. */
function namesValue(nodes: readonly TemplateNode[]): boolean {
  return nodes.some(
    (node) =>
      ('name' in node && node.name.text === '.') ||
      (node.kind === 'section' && node.inverted && namesValue(node.children)),
  );
}

function round(body: Part, scope: Scope, text: string, run: Run): string {
  return --run.roundsLeft < 0 ? text : body(scope, text);
}

/**
 * What a section has printed for an item. Frozen items are taken to be constant, with all that is in them, so an
 * environment that shares them between observations, such as lines of a map, has each of them rendered once.
 */
type Known = WeakMap<object, string>;

function list(
  body: Part,
  known: Known,
  items: readonly unknown[],
  parent: Scope,
  text: string,
  run: Run,
): string {
  // One scope serves all items: nothing keeps a scope after its body has been rendered.
  const scope: Scope = { value: undefined, fields: {}, parent };
  const constant = isConstant(items[0]);
  let result = text;
  for (const item of items) {
    if (result.length > run.limit) return passLimit(run, result);
    if (--run.roundsLeft < 0) return result;
    const printed = constant && typeof item === 'object' && item !== null ? known.get(item) : undefined;
    if (printed !== undefined) {
      result += printed;
      continue;
    }
    scope.value = item;
    scope.fields = fieldsOf(item);
    result =
      constant && isConstant(item) ? result + remember(body, known, item, scope, run) : body(scope, result);
  }
  return result;
}

function isConstant(item: unknown): item is object {
  return typeof item === 'object' && item !== null && Object.isFrozen(item);
}

/** Renders an item by itself and keeps the text if nothing but the item's own fields went into it. */
function remember(body: Part, known: Known, item: object, scope: Scope, run: Run): string {
  const { readOutside } = run;
  run.readOutside = false;
  const text = body(scope, '');
  if (!run.readOutside && run.roundsLeft >= 0) {
    // Looking into a text makes the engine join its pieces, which is wanted once and not each time.
    text.charCodeAt(0);
    known.set(item, text);
  }
  run.readOutside ||= readOutside;
  return text;
}

function passLimit(run: Run, text: string): string {
  run.roundsLeft = -1;
  return text;
}

/** How the value of a tag is found: by one quick look for an ordinary name, with all precautions otherwise. */
function reader({ name }: VariableNode | SectionNode, run: Run): (scope: Scope) => unknown {
  const [key] = name.path;
  if (key === undefined || name.path.length > 1 || isInherited(key)) {
    return (scope) => {
      run.readOutside = true;
      return lookUp(name, scope);
    };
  }
  return (scope) => {
    const value = scope.fields[key];
    if (value !== undefined || scope.parent === null) return value;
    run.readOutside = true;
    return search(scope.parent, key);
  };
}

function search(from: Scope, key: string): unknown {
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
    const value = scope.fields[key];
    if (value !== undefined) return value;
  }
  return undefined;
}
