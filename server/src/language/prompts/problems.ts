/** What is wrong with a step prompt: its front matter, its template, the names it uses, its example actions. */
import type { Environment } from '../../engine/environments/environment.ts';
import type { Checked, Problem } from '../../engine/problem.ts';
import { checkStepPrompt } from '../../engine/prompts/check-prompt.ts';
import { allNodes } from '../../engine/prompts/find.ts';
import { optionProblems } from '../front-matter/option-problems.ts';
import { promptActionProblems, type ReplyCheck } from './actions.ts';
import type { PromptDocument } from './document.ts';
import { previewProblems } from './preview-problems.ts';
import type { Preview } from './previews.ts';

/**
 * Problems of a step prompt, in text order; those that show only on an instance are looked for on that of `preview`. Adds
 * `front-matter.no-instance`: there is none under these options.
 *
 * @param failure why no instance can be made under the prompt's options, or null
 */
export function promptProblems(
  document: PromptDocument,
  environments: readonly Environment[],
  preview: Checked<Preview>,
  failure: string | null,
  spoilers: boolean,
): Problem[] {
  const { prompt, problems, environment } = document;
  const checked = checkStepPrompt(prompt, environments).flatMap((problem) =>
    problem.code === 'front-matter.option' && environment
      ? optionProblems(prompt.frontMatter, environment, problem)
      : [problem],
  );
  // A prompt that names no environment yet is most likely for one whose replies we can check.
  const checking = environment ?? environments.find(({ replyProblems }) => replyProblems);
  const check = checking?.replyProblems?.bind(checking);
  const found = [
    ...problems,
    ...checked,
    ...(check ? exampleProblems(document, (reply) => check(reply)) : []),
    ...(preview.ok ? previewProblems(document, preview.value, spoilers) : []),
    ...(failure === null ? [] : [noInstance(document, failure)]),
  ];
  return found.sort((a, b) => a.start - b.start);
}

function noInstance({ prompt }: PromptDocument, failure: string): Problem {
  const entry = prompt.frontMatter?.entries.find(({ path }) => path.join('.') === 'options');
  const { start, end } = entry?.value ?? { start: 0, end: 0 };
  const message = `With these options there is no instance: ${failure}.`;
  return { code: 'front-matter.no-instance', severity: 'error', message, start, end };
}

/** Problems of example actions, those in comments left out: no model reads them. */
function exampleProblems({ text, prompt }: PromptDocument, check: ReplyCheck): Problem[] {
  const comments = prompt.blocks.flatMap(({ template }) =>
    [...allNodes(template)].filter(({ kind }) => kind === 'comment'),
  );
  return promptActionProblems(text, check).filter(
    (problem) => !comments.some(({ start, end }) => start <= problem.start && problem.start < end),
  );
}
