/** Checks the names in a template against the variables that an environment publishes. */
import type { Variable } from '../environments/variables.ts';
import type { Problem } from '../problem.ts';
import { nearestName } from '../text/nearest.ts';
import { type NamedTag, namedTags } from './find.ts';
import type { Name, SectionNode, Template } from './template.ts';

/**
 * What is wrong with the names of `template`, in the order of the file:
 *
 * - `template.unknown-name`: no such variable, or none in this place; `data.nearest` when one is close
 * - `template.no-fields`: a dotted name, for lists have fields only inside their section
 * - `template.list-as-text`: a list of items where a text is printed
 * - `template.privileged`: tells what the agent must not know
 */
export function checkNames(template: Template, variables: readonly Variable[]): Problem[] {
  const problems: Problem[] = [];
  for (const tag of namedTags(template)) {
    if (tag.part !== 'close') checkTag(tag, variables, problems);
  }
  return problems;
}

/** Names that print something of `template`: those of variables and sections, but not of inverted ones. */
export function printedNames(template: Template): Set<string> {
  const names = new Set<string>();
  for (const { node, name, part } of namedTags(template)) {
    if (part !== 'close' && !(node.kind === 'section' && node.inverted)) names.add(name.text);
  }
  return names;
}

/**
 * Which variable a name means inside of `scopes` (outermost first), or null. Of a dotted name the first part
 * counts. Also null for the implicit iterator.
 */
export function resolveName(
  name: string,
  scopes: readonly SectionNode[],
  variables: readonly Variable[],
): Variable | null {
  const [first] = name.split('.');
  const levels = visibleVariables(scopes, variables);
  for (const level of levels) {
    const found = level.find((variable) => variable.name === first);
    if (found !== undefined) return found;
  }
  return null;
}

/** The variables that can be named inside of `scopes`: those of the innermost section first, the outermost last. */
export function visibleVariables(
  scopes: readonly SectionNode[],
  variables: readonly Variable[],
): readonly (readonly Variable[])[] {
  let levels: readonly (readonly Variable[])[] = [variables];
  for (const scope of scopes) {
    const items = scope.inverted ? [] : (meantVariable(scope.name, levels)?.items ?? []);
    if (items.length > 0) levels = [items, ...levels];
  }
  return levels;
}

/** As {@link resolveName}, but a misspelt name counts as the nearest one, so that one slip is reported once. */
function meantVariable(name: Name, levels: readonly (readonly Variable[])[]): Variable | null {
  const all = levels.flat();
  const exact = all.find((variable) => variable.name === name.text);
  if (exact !== undefined) return exact;
  const nearest = nearestName(
    name.text,
    all.map((variable) => variable.name),
  );
  return all.find((variable) => variable.name === nearest) ?? null;
}

function checkTag(tag: NamedTag, variables: readonly Variable[], problems: Problem[]): void {
  const { name, scopes } = tag;
  if (!name.legal || name.text === '.') return;
  const { start, end } = name;
  const variable = resolveName(name.text, scopes, variables);
  if (variable === null) {
    if (isInsideUnknown(scopes, variables)) return;
    const all = visibleVariables(scopes, variables).flat();
    const nearest = nearestName(
      name.text,
      all.map((known) => known.name),
    );
    problems.push({
      code: 'template.unknown-name',
      severity: 'error',
      message: `There is no variable "${name.text}" here.${nearest === null ? '' : ` Did you mean "${nearest}"?`}`,
      start,
      end,
      data: nearest === null ? { name: name.text } : { name: name.text, nearest },
    });
    return;
  }
  if (name.path.length > 1) {
    const message =
      variable.type === 'list'
        ? `"${variable.name}" is a list: its fields are named inside {{#${variable.name}}}…{{/${variable.name}}}.`
        : `"${variable.name}" has no fields.`;
    problems.push({ code: 'template.no-fields', severity: 'error', message, start, end });
  } else if (tag.part === 'variable' && variable.items !== undefined && variable.items.length > 0) {
    const message = `"${variable.name}" is a list of items and prints nothing here: use {{#${variable.name}}}…{{/${variable.name}}}.`;
    problems.push({ code: 'template.list-as-text', severity: 'warning', message, start, end });
  }
  if (variable.privileged === true) {
    const message = `"${variable.name}" tells what the agent must not know: results with it are no results.`;
    problems.push({
      code: 'template.privileged',
      severity: 'warning',
      message,
      start,
      end,
      data: { name: variable.name },
    });
  }
}

/** True inside of a section whose name is unknown and near to nothing: what its items have cannot be told. */
function isInsideUnknown(scopes: readonly SectionNode[], variables: readonly Variable[]): boolean {
  return scopes.some((scope, depth) => {
    if (scope.inverted || scope.name.text === '.') return false;
    return meantVariable(scope.name, visibleVariables(scopes.slice(0, depth), variables)) === null;
  });
}
