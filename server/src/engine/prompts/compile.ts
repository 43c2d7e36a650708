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

export const defaultLimits: Limits = { length: 1_000_000, rounds: 1_000_000 };

/** Renders an observation; null when a limit was passed (`renderTraced` then finds out where). */
export type Compiled = (observation: unknown) => string | null;

type Part = (scope: Scope, text: string) => string;

/** What the closures of one template share. Rendering does not nest, so one counter serves every rendering. */
interface Run {
  readonly limit: number;
  /** Below zero once a limit has been passed: then no section prints any more. */
  roundsLeft: number;
}

export function compileTemplate(template: Template, limits: Limits = defaultLimits): Compiled {
  const run: Run = { limit: limits.length, roundsLeft: 0 };
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
  const read = reader(node);
  return (scope, text) => {
    const value = read(scope);
    const printed = typeof value === 'string' ? value : printValue(value);
    if (text.length + printed.length > run.limit) return passLimit(run, text);
    return text + (before + printed);
  };
}

function section(node: SectionNode, before: string, run: Run): Part {
  const read = reader(node);
  const body = sequence(node.children, run);
  const usesValue = node.children.some((child) => 'name' in child && child.name.text === '.');
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
    if (Array.isArray(value)) return list(body, value, scope, start, run);
    return round(body, { value, fields: fieldsOf(value), parent: scope }, start, run);
  };
}

function round(body: Part, scope: Scope, text: string, run: Run): string {
  return --run.roundsLeft < 0 ? text : body(scope, text);
}

function list(body: Part, items: readonly unknown[], parent: Scope, text: string, run: Run): string {
  // One scope serves all items: nothing keeps a scope after its body has been rendered.
  const scope: Scope = { value: undefined, fields: {}, parent };
  let result = text;
  for (const item of items) {
    if (result.length > run.limit) return passLimit(run, result);
    if (--run.roundsLeft < 0) return result;
    scope.value = item;
    scope.fields = fieldsOf(item);
    result = body(scope, result);
  }
  return result;
}

function passLimit(run: Run, text: string): string {
  run.roundsLeft = -1;
  return text;
}

/** How the value of a tag is found: by one quick look for an ordinary name, with all precautions otherwise. */
function reader({ name }: VariableNode | SectionNode): (scope: Scope) => unknown {
  const [key] = name.path;
  if (key === undefined || name.path.length > 1 || isInherited(key)) return (scope) => lookUp(name, scope);
  return (scope) => {
    const value = scope.fields[key];
    return value === undefined && scope.parent !== null ? search(scope.parent, key) : value;
  };
}

function search(from: Scope, key: string): unknown {
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
    const value = scope.fields[key];
    if (value !== undefined) return value;
  }
  return undefined;
}
