/** The arguments of a tool call: described once, for the model as a JSON schema and for the check of what comes back. */
import type { ToolSpec } from '../chat.ts';

type Kind = 'string' | 'strings' | 'integer' | 'decisions';

/** One parameter; optional ones have a `?` after their name where they are listed. */
export interface Parameter {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly values?: readonly string[];
}

export interface ToolShape {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A shape from a signature such as `read_docs(doc, section?, item_ids[], leg#)`. */
export function shape(
  signature: string,
  values: Readonly<Record<string, readonly string[]>> = {},
): ToolShape {
  const [, name = '', list = ''] = /^(\w+)\((.*)\)$/.exec(signature) ?? [];
  const parameters = list.split(',').flatMap((part): Parameter[] => {
    const [, parameter, mark, optional] = /^\s*(\w+)(\[\]|#|\{\})?(\?)?\s*$/.exec(part) ?? [];
    if (parameter === undefined) return [];
    const kind =
      mark === '[]' ? 'strings' : mark === '#' ? 'integer' : mark === '{}' ? 'decisions' : 'string';
    const legal = values[parameter];
    return [
      {
        name: parameter,
        kind,
        required: optional === undefined,
        ...(legal === undefined ? {} : { values: legal }),
      },
    ];
  });
  return { name, parameters };
}

/** The tool as a model is offered it. */
export function toolSpec({ name, parameters }: ToolShape, description: string): ToolSpec {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((it) => [it.name, schemaOf(it)])),
      required: parameters.filter(({ required }) => required).map((it) => it.name),
      additionalProperties: false,
    },
  };
}

function schemaOf({ kind, values }: Parameter): object {
  const legal = values === undefined ? {} : { enum: values };
  switch (kind) {
    case 'string':
      return { type: 'string', ...legal };
    case 'integer':
      return { type: 'integer' };
    case 'strings':
      return { type: 'array', items: { type: 'string' } };
    case 'decisions':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            line: { type: 'integer' },
            action: { type: 'string', enum: ['approve', 'deny', 'escalate'] },
            reason: { type: 'string', ...legal },
          },
          required: ['line', 'action'],
        },
      };
  }
}

/** What is wrong with arguments, as half a sentence; null when nothing is. */
export function argumentProblem({ parameters }: ToolShape, given: Arguments): string | null {
  for (const { name, kind, required } of parameters) {
    if (!Object.hasOwn(given, name) || given[name] === null) {
      if (required) return `${name} is missing`;
      continue;
    }
    if (!isOfKind(given[name], kind)) return `${name} has to be ${kindNames[kind]}`;
  }
  const known = parameters.map((it) => it.name);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  return stranger === undefined ? null : `there is no argument ${stranger}`;
}

const kindNames: Readonly<Record<Kind, string>> = {
  string: 'a text',
  strings: 'a list of texts',
  integer: 'a whole number',
  decisions: 'a list of objects with line, action and, where it is not approved, reason',
};

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'strings':
      return Array.isArray(value) && value.every((it) => typeof it === 'string');
    case 'decisions':
      return Array.isArray(value) && value.every(isDecision);
  }
}

function isDecision(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { line, action, reason } = value as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(line) && typeof action === 'string' && (reason == null || typeof reason === 'string')
  );
}

/** Levels of nesting in arguments. What is read without end cannot be printed without end. */
const mostLevels = 32;

/** Whether a value of JSON has no more levels than any tool could ask for. */
export function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= mostLevels; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}

/** A text argument that the check has let through; empty when it was left out. */
export function text(given: Arguments, name: string): string {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** A list of texts that the check has let through. */
export function texts(given: Arguments, name: string): readonly string[] {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
}
