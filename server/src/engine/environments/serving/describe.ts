/** A task for a person who may know everything. */
import { bulletin } from './bulletin.ts';
import type { Instance } from './instance.ts';

/** As Markdown. */
export function describe(instance: Instance): string {
  const { id, scenario, window, timestamp, category, evaluator, instruction } = instance;
  const { slice, family, actions, answer } = evaluator;
  const calls = actions.map(({ name, kwargs }) => `- \`${name}(${JSON.stringify(kwargs)})\``);
  return [
    `# ${id}`,
    '',
    `${scenario}, window ${window}, position ${timestamp}: ${category} (${slice}, ${family})`,
    '',
    '## Task',
    '',
    instruction,
    '',
    '## What is right',
    '',
    ...(calls.length === 0 ? ['No call changes anything.'] : calls),
    '',
    `Finish: ${JSON.stringify(answer)}`,
    '',
    '## What holds',
    '',
    bulletin(instance),
    '',
  ].join('\n');
}
