/** Whether a step prompt can be put in force in a session that is under way. */
import { checkStepPrompt } from '../../prompts/check-prompt.ts';
import { parseStepPrompt } from '../../prompts/step-prompt.ts';
import { canonicalJson } from '../identity.ts';
import type { Session } from './session.ts';
import type { SessionPromptText } from './view.ts';

/**
 * Why a prompt cannot be used here, as a sentence or two; null when it can. Errors are those of its editor, and what refuses
 * a run refuses it here, too. It must leave the options of the episode as they are: neither set others nor drop those that an
 * earlier version has set.
 */
export function promptProblem(source: SessionPromptText, session: Session): string | null {
  const { name, text } = source;
  const { id, title } = session.environment;
  const { prompt, problems } = parseStepPrompt(text);
  if (prompt.environment !== '' && prompt.environment !== id) {
    return `The prompt ${name} is for ${prompt.environment}, and this episode is one of ${title}: choose another prompt.`;
  }
  const [error] = [...problems, ...checkStepPrompt(prompt, [session.environment])]
    .filter(({ severity, code }) => severity === 'error' && !code.startsWith('action.'))
    .sort((a, b) => a.start - b.start);
  if (error !== undefined) {
    const line = text.slice(0, error.start).split(/\r\n|\r|\n/).length;
    return `The prompt ${name} has errors, so it was not taken. Line ${line}: ${error.message}`;
  }
  if (prompt.blocks.length === 0) {
    return `The prompt ${name} has errors, so it was not taken: It has no message.`;
  }
  return optionsProblem(name, prompt.options, session);
}

type RawOptions = Readonly<Record<string, unknown>>;

function optionsProblem(name: string, wanted: RawOptions, session: Session): string | null {
  const { environment, rawOptions, options, prompts } = session;
  const dropped = Object.keys(rawOptions).filter(
    (key) => !(key in wanted) && prompts.some((version) => version && key in version.prompt.options),
  );
  const kept = Object.entries(rawOptions).filter(([key]) => !dropped.includes(key));
  const parsed = environment.parseOptions({ ...Object.fromEntries(kept), ...wanted });
  if (parsed.ok && canonicalJson(parsed.value) === canonicalJson(options)) return null;
  const other = Object.keys(wanted).find(
    (key) => canonicalJson(wanted[key] ?? null) !== canonicalJson(rawOptions[key] ?? null),
  );
  const how =
    other === undefined
      ? `no longer sets ${dropped.join(', ')}, under which this episode is played`
      : `sets ${other} other than this episode is played`;
  return `The prompt ${name} ${how}: open the episode anew from the prompt.`;
}
