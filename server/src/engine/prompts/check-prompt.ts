/** Checks a step prompt against the environment it is for: names, split and options. */
import type { Split } from '../environments/environment.ts';
import type { Variable } from '../environments/variables.ts';
import type { Checked, Problem } from '../problem.ts';
import { nearestName } from '../text/nearest.ts';
import { checkNames, printedNames } from './names.ts';
import type { StepPrompt } from './step-prompt.ts';
import type { Range } from './template.ts';

/** What of an environment a step prompt is checked against. */
export interface PromptTarget {
  readonly id: string;
  readonly splits: readonly Split[];
  readonly variables: readonly Variable[];
  parseOptions(raw: unknown): Checked<unknown>;
}

/**
 * What `parseStepPrompt` cannot know, in the order of the file. Codes: `front-matter.unknown-environment`,
 * `front-matter.unknown-split`, `front-matter.option`, and those of {@link checkPromptNames}. Without a known
 * environment nothing else is checked.
 */
export function checkStepPrompt(prompt: StepPrompt, targets: readonly PromptTarget[]): Problem[] {
  if (prompt.environment === '') return [];
  const target = targets.find(({ id }) => id === prompt.environment);
  const report = (key: string, code: string, message: string, nearest: string | null = null): Problem => ({
    code: `front-matter.${code}`,
    severity: 'error',
    message: nearest === null ? message : `${message} Did you mean "${nearest}"?`,
    ...placeOf(prompt, key),
    ...(nearest === null ? {} : { data: { nearest } }),
  });
  if (target === undefined) {
    const ids = targets.map(({ id }) => id);
    const message = `There is no environment "${prompt.environment}" (known: ${ids.join(', ')}).`;
    return [report('environment', 'unknown-environment', message, nearestName(prompt.environment, ids))];
  }
  const problems: Problem[] = [];
  const splits = target.splits.map(({ id }) => id);
  if (prompt.split !== null && !splits.includes(prompt.split)) {
    const message = `${target.id} has no split "${prompt.split}" (it has ${splits.join(', ')}).`;
    problems.push(report('split', 'unknown-split', message, nearestName(prompt.split, splits)));
  }
  const options = target.parseOptions(prompt.options);
  if (!options.ok) problems.push(report('options', 'option', options.error));
  return [...problems, ...checkPromptNames(prompt, target.variables)].sort((a, b) => a.start - b.start);
}

/**
 * What is wrong with the names in all blocks: see {@link checkNames}; and `template.unused-required` at the
 * last role line when neither a required variable nor one that can stand for it is printed anywhere.
 */
function checkPromptNames(prompt: StepPrompt, variables: readonly Variable[]): Problem[] {
  const loose = prompt.loose === null ? [] : checkNames(prompt.loose, variables);
  const problems = [...loose, ...prompt.blocks.flatMap(({ template }) => checkNames(template, variables))];
  const last = prompt.blocks.at(-1);
  if (last === undefined) return problems;
  const printed = new Set(prompt.blocks.flatMap(({ template }) => [...printedNames(template)]));
  for (const { name, required, alternatives = [] } of variables) {
    if (required !== true || [name, ...alternatives].some((known) => printed.has(known))) continue;
    // The alternatives of a reported variable may be required as well, each instead of the other.
    printed.add(name);
    const or = alternatives.length === 0 ? '' : ` (nor ${alternatives.join(', ')})`;
    problems.push({
      code: 'template.unused-required',
      severity: 'warning',
      message: `"${name}"${or} is never used: without it the agent lacks what it needs to act.`,
      ...last.line,
      data: { name },
    });
  }
  return problems;
}

/** Where the value of a top-level key stands; the start of the file when it is not written. */
function placeOf(prompt: StepPrompt, key: string): Range {
  const entry = prompt.frontMatter?.entries.find(({ path }) => path.length === 1 && path[0] === key);
  if (entry === undefined) return { start: 0, end: 0 };
  const { start, end } = entry.value;
  return { start, end };
}
