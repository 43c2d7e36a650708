/** What shows only on an instance: a prompt that gives its answer away, and one that grows beyond all bounds. */
import { findSecrets } from '../../engine/environments/secrets.ts';
import type { Problem } from '../../engine/problem.ts';
import { defaultLimits } from '../../engine/prompts/compile.ts';
import { allNodes } from '../../engine/prompts/find.ts';
import type { PromptDocument } from './document.ts';
import type { Preview } from './previews.ts';

/**
 * Problems of `document` on the instance and at the step of `preview`. Codes: `prompt.secret`, which without `spoilers`
 * would give the answer away and is left out, and `prompt.too-long`.
 */
export function previewProblems(document: PromptDocument, preview: Preview, spoilers: boolean): Problem[] {
  return [...(spoilers ? secretProblems(document, preview) : []), ...lengthProblems(document, preview)];
}

/** Literal text that says what the agent is to find out. */
function secretProblems({ prompt, text }: PromptDocument, { episode }: Preview): Problem[] {
  const { environment, instance } = episode;
  const secrets = environment.secrets?.(instance) ?? [];
  if (secrets.length === 0) return [];
  const printed = prompt.blocks.flatMap(({ template }) =>
    [...allNodes(template)].filter(({ kind }) => kind === 'text'),
  );
  return findSecrets(text, secrets)
    .filter(({ start, end }) => printed.some((node) => node.start <= start && end <= node.end))
    .map(({ secret, start, end }) => ({
      code: 'prompt.secret',
      severity: 'warning',
      message:
        `"${secret.text}" is the ${secret.kind} of ${instance.id}, on which the prompt is previewed: written ` +
        'into the prompt it helps on that instance only.',
      start,
      end,
      data: { kind: secret.kind },
    }));
}

function lengthProblems(document: PromptDocument, { observation, place }: Preview): Problem[] {
  const { truncated } = document.render(observation);
  if (!truncated) return [];
  const { start, end } = truncated;
  const message =
    `At step ${place.step} of the preview this prints more than ${defaultLimits.length} characters, or goes ` +
    `through sections more than ${defaultLimits.rounds} times: the prompt is cut off here.`;
  return [{ code: 'prompt.too-long', severity: 'error', message, start, end }];
}
