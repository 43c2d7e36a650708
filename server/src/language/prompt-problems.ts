/** What is wrong with a step prompt: its front matter, its template, the names it uses, its example actions. */
import type { Environment } from '../engine/environments/environment.ts';
import type { Problem } from '../engine/problem.ts';
import { checkStepPrompt } from '../engine/prompts/check-prompt.ts';
import { parseStepPrompt } from '../engine/prompts/step-prompt.ts';
import { promptActionProblems } from './prompt-actions.ts';

/** Problems of the step prompt `text`, in text order. */
export function promptProblems(text: string, environments: readonly Environment[]): Problem[] {
  const { prompt, problems } = parseStepPrompt(text);
  const named = environments.find(({ id }) => id === prompt.environment);
  // A prompt that names no environment yet is most likely for one whose replies we can check.
  const environment = named ?? environments.find(({ replyProblems }) => replyProblems);
  const check = environment?.replyProblems?.bind(environment);
  const found = [
    ...problems,
    ...checkStepPrompt(prompt, environments),
    ...(check ? promptActionProblems(text, (reply) => check(reply)) : []),
  ];
  return found.sort((a, b) => a.start - b.start);
}
