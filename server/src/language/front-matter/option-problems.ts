/** Says which of the options is wrong: the environment checks them all at once and names only the first. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { Problem } from '../../engine/problem.ts';
import type { FrontMatter } from '../../engine/prompts/front-matter.ts';
import { nearestName } from '../../engine/text/nearest.ts';

/**
 * One problem for each option that the environment refuses by itself, at its value or, when it does not know the
 * name, at its key: codes `front-matter.option` and `front-matter.unknown-option`. When each by itself is fine,
 * `whole` stands: it is about how they go together.
 */
export function optionProblems(
  frontMatter: FrontMatter | null,
  environment: Environment,
  whole: Problem,
): Problem[] {
  const entries = frontMatter?.entries.filter(({ path }) => path.length === 2 && path[0] === 'options') ?? [];
  const known = environment.optionFields?.map(({ key }) => key);
  const problems: Problem[] = [];
  for (const { path, key, value, data } of entries) {
    const name = path[1] ?? '';
    const checked = environment.parseOptions({ [name]: data });
    if (checked.ok) continue;
    if (known && !known.includes(name)) {
      const nearest = nearestName(name, known);
      const hint = nearest === null ? `It has ${known.join(', ')}.` : `Did you mean "${nearest}"?`;
      problems.push({
        code: 'front-matter.unknown-option',
        severity: 'error',
        message: `${environment.title} has no option "${name}". ${hint}`,
        ...key,
        data: nearest === null ? { key: name } : { key: name, nearest },
      });
      continue;
    }
    const message = `${checked.error}.`;
    const at = value.end > value.start ? value : key;
    problems.push({ code: 'front-matter.option', severity: 'error', message, start: at.start, end: at.end });
  }
  return problems.length > 0 ? problems : [{ ...whole, message: `${whole.message}.` }];
}
