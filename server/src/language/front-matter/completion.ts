/** Completion in front matter: keys that are not there yet, and values where they can be told. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type Range,
} from 'vscode-languageserver-types';
import type { Environment } from '../../engine/environments/environment.ts';
import type { Field } from '../../engine/prompts/fields.ts';
import type { FrontMatter } from '../../engine/prompts/front-matter.ts';
import { type FrontMatterCursor, frontMatterCursor } from './cursor.ts';
import { type AnyField, describeField, fieldAt, fieldsUnder } from './fields.ts';

/** The front matter that is completed, and what is known of it. */
export interface CompletedFrontMatter {
  /** Of the whole file. */
  readonly text: string;
  readonly frontMatter: FrontMatter | null;
  /** What may stand in it. */
  readonly fields: readonly Field[];
  readonly environment: Environment | undefined;
  readonly environments: readonly Environment[];
  /** Names that are offered for `model:`. */
  readonly models: readonly string[];
}

/** Asks the editor to complete again: right after a key one wants its values. */
const suggestAgain = { title: 'Suggest', command: 'editor.action.triggerSuggest' };

export function frontMatterCompletion(
  document: TextDocument,
  offset: number,
  completed: CompletedFrontMatter,
): CompletionItem[] {
  const content = completed.frontMatter?.content;
  const cursor = content ? frontMatterCursor(completed.text, content.start, offset) : null;
  if (!cursor) return [];
  const range = { start: document.positionAt(cursor.start), end: document.positionAt(cursor.end) };
  // Editors take completions within one line only.
  if (range.start.line !== range.end.line) return [];
  return cursor.kind === 'key' ? keys(completed, cursor, range) : values(completed, cursor, range);
}

function keys(
  { frontMatter, fields, environment }: CompletedFrontMatter,
  cursor: FrontMatterCursor,
  range: Range,
): CompletionItem[] {
  const { path, start } = cursor;
  const taken = frontMatter?.entries
    .filter(
      (entry) => entry.path.length === path.length + 1 && path.every((key, at) => entry.path[at] === key),
    )
    .filter(({ key }) => key.start !== start)
    .map((entry) => entry.path.at(-1));
  return fieldsUnder(fields, path, environment)
    .filter(({ key }) => !taken?.includes(key))
    .map((field, at) => ({
      label: field.key,
      kind: CompletionItemKind.Property,
      detail: `e.g. ${field.example}`,
      documentation: { kind: 'markdown', value: describeField(field) },
      sortText: String(at).padStart(2, '0'),
      insertTextFormat: InsertTextFormat.Snippet,
      textEdit: {
        range,
        newText: cursor.hasColon ? field.key : `${field.key}: ${field.type === 'mapping' ? '{ $0 }' : ''}`,
      },
      ...(cursor.hasColon ? {} : { command: suggestAgain }),
    }));
}

interface Value {
  readonly text: string;
  readonly detail?: string;
  readonly documentation?: string;
}

function values(
  completed: CompletedFrontMatter,
  { path }: FrontMatterCursor,
  range: Range,
): CompletionItem[] {
  const field = fieldAt(completed.fields, path, completed.environment);
  if (!field) return [];
  return valuesOf(field, path, completed).map(({ text, detail, documentation }, at) => ({
    label: text,
    kind: CompletionItemKind.Value,
    sortText: String(at).padStart(3, '0'),
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range, newText: text },
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation }),
  }));
}

function valuesOf(
  field: AnyField,
  path: readonly string[],
  { environment, environments, models }: CompletedFrontMatter,
): readonly Value[] {
  switch (path.join('.')) {
    case 'environment':
      return environments.map(({ id, title, description }) => ({
        text: id,
        detail: title,
        documentation: description,
      }));
    case 'split':
      return (environment?.splits ?? []).map(({ id, size, test, description }) => ({
        text: id,
        detail: `${size} instances${test ? ', for tests' : ''}`,
        documentation: description,
      }));
    case 'policy':
      return (environment?.policies ?? []).map(({ id, description }) => ({ text: id, detail: description }));
    case 'model':
      return models.map((text) => ({ text: plainOrQuoted(text) }));
    default:
      if (field.values) return field.values.map((text) => ({ text }));
      if (field.type === 'boolean') return [{ text: 'true' }, { text: 'false' }];
      return [{ text: field.example, detail: 'an example' }];
  }
}

/** A model's name as YAML reads it: names such as `a: b` or `1.5` need quotes. */
function plainOrQuoted(name: string): string {
  return /^[A-Za-z_][\w./@+-]*(?::[\w./@+-]+)*$/.test(name) ? name : JSON.stringify(name);
}
