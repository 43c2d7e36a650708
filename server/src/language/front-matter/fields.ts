/** What may stand in front matter: our own fields, with the options of its environment among them. */
import { optionType } from '../../engine/environments/documentation.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { OptionField } from '../../engine/environments/option-fields.ts';
import type { Field } from '../../engine/prompts/fields.ts';

/** A field of ours or an option of an environment. */
export type AnyField = Field | OptionField;

/**
 * The fields of the mapping at `path`; those of the whole front matter for an empty one.
 *
 * @param own those of the kind of file
 */
export function fieldsUnder(
  own: readonly Field[],
  path: readonly string[],
  environment: Environment | undefined,
): readonly AnyField[] {
  const [key, ...rest] = path;
  if (key === undefined) return own.map((field) => withExample(field, environment));
  let fields: readonly AnyField[] =
    key === 'options' ? (environment?.optionFields ?? []) : (find(own, key)?.fields ?? []);
  for (const part of rest) fields = find(fields, part)?.fields ?? [];
  return fields;
}

/** The field at `path`. */
export function fieldAt(
  own: readonly Field[],
  path: readonly string[],
  environment: Environment | undefined,
): AnyField | undefined {
  return find(fieldsUnder(own, path.slice(0, -1), environment), path.at(-1) ?? '');
}

/** What an example of `options` looks like depends on the environment. */
function withExample(field: Field, environment: Environment | undefined): Field {
  const option = environment?.optionFields?.[0];
  if (field.key !== 'options' || option === undefined) return field;
  return { ...field, example: `{ ${option.key}: ${option.example} }` };
}

function find(fields: readonly AnyField[], key: string): AnyField | undefined {
  return fields.find((field) => field.key === key);
}

/** Type, meaning, default and an example, as Markdown. */
export function describeField(field: AnyField): string {
  const usual = 'default' in field ? ` Default: ${field.default}.` : '';
  const required = 'required' in field && field.required === true ? ', required' : '';
  return `${field.description}\n\n${capital(optionType(field))}${required}.${usual} Example: \`${field.example}\``;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
