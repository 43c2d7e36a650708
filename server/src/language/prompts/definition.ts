/** Where a name of a step prompt is explained: in the documentation page of its environment. */
import type { Location } from 'vscode-languageserver-types';
import type { Environment } from '../../engine/environments/environment.ts';
import { positionAt } from '../../engine/prompts/find.ts';
import { visibleVariables } from '../../engine/prompts/names.ts';
import type { SectionNode } from '../../engine/prompts/template.ts';
import { documentationLocation } from '../documentation-pages.ts';
import { blockAt, type PromptDocument } from './document.ts';

export function promptDefinition(offset: number, prompt: PromptDocument): Location[] {
  const { environment } = prompt;
  const place = environment
    ? (frontMatterPlace(offset, prompt) ?? namePlace(offset, prompt, environment))
    : null;
  return environment && place !== null ? [documentationLocation(environment, place)] : [];
}

/** An option, a split or, for the environment itself, the top of the page. */
function frontMatterPlace(offset: number, { prompt }: PromptDocument): string | null {
  const entry = prompt.frontMatter?.entries.findLast(
    ({ key, value }) =>
      (key.start <= offset && offset < key.end) || (value.start <= offset && offset < value.end),
  );
  const [key, ...rest] = entry?.path ?? [];
  if (key === 'environment') return '';
  if (key === 'split') return `split ${prompt.split}`;
  return key === 'options' && rest.length > 0 ? `option ${rest.join('.')}` : null;
}

function namePlace(offset: number, prompt: PromptDocument, { variables }: Environment): string | null {
  const block = blockAt(prompt, offset);
  if (!block) return null;
  const { name, scopes } = positionAt(block.template, offset);
  const [first] = name?.path ?? [];
  return first === undefined ? null : placeOf(first, scopes, variables);
}

/** `variable id` or, for a field of a list's items, `variable held.id`. */
function placeOf(
  name: string,
  scopes: readonly SectionNode[],
  variables: Environment['variables'],
): string | null {
  for (let depth = scopes.length; depth > 0; depth--) {
    const around = scopes[depth - 1];
    if (!around || around.inverted) continue;
    const list = visibleVariables(scopes.slice(0, depth - 1), variables)
      .flat()
      .find((variable) => variable.name === around.name.text);
    if (list?.items?.some((item) => item.name === name)) return `variable ${list.name}.${name}`;
  }
  return variables.some((variable) => variable.name === name) ? `variable ${name}` : null;
}
