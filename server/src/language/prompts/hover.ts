/** Hover in step prompts: what a name means and what it is right now, and what may stand in the front matter. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Hover } from 'vscode-languageserver-types';
import { variableFacts } from '../../engine/environments/documentation.ts';
import type { Variable } from '../../engine/environments/variables.ts';
import type { Checked } from '../../engine/problem.ts';
import { positionAt } from '../../engine/prompts/find.ts';
import { resolveName } from '../../engine/prompts/names.ts';
import { promptFields } from '../../engine/prompts/step-prompt.ts';
import type { Name, Range, SectionNode } from '../../engine/prompts/template.ts';
import { describeField, fieldAt } from '../front-matter/fields.ts';
import { plain } from '../markdown.ts';
import { blockAt, type PromptDocument } from './document.ts';
import type { Preview } from './previews.ts';
import { showValue, valuesOf } from './values.ts';

/** @param spoilers whether to show values that the agent must not know. */
export function promptHover(
  document: TextDocument,
  offset: number,
  prompt: PromptDocument,
  preview: Checked<Preview>,
  spoilers: boolean,
): Hover | null {
  const found = frontMatterHover(offset, prompt) ?? nameHover(offset, prompt, preview, spoilers);
  if (!found) return null;
  const range = { start: document.positionAt(found.at.start), end: document.positionAt(found.at.end) };
  return { contents: { kind: 'markdown', value: found.text }, range };
}

interface Found {
  readonly at: Range;
  readonly text: string;
}

/** A key's meaning; of an environment and a split what it is. */
function frontMatterHover(
  offset: number,
  { prompt, environment, environments }: PromptDocument,
): Found | null {
  const touches = ({ start, end }: Range) => start <= offset && offset < end;
  const entry = prompt.frontMatter?.entries.findLast(({ key, value }) => touches(key) || touches(value));
  if (!entry) return null;
  if (touches(entry.key)) {
    const field = fieldAt(promptFields, entry.path, environment);
    return field ? { at: entry.key, text: describeField(field) } : null;
  }
  const [key] = entry.path;
  if (entry.path.length > 1) return null;
  if (key === 'environment') {
    const named = environments.find(({ id }) => id === entry.data);
    return named ? { at: entry.value, text: `**${named.title}**\n\n${named.description}` } : null;
  }
  const split = key === 'split' ? environment?.splits.find(({ id }) => id === entry.data) : undefined;
  if (!split) return null;
  const use = split.test
    ? 'It is a test split: the preview starts on another one.'
    : 'The preview starts on it.';
  return { at: entry.value, text: `\`${split.id}\`: ${split.description}, ${split.size} instances. ${use}` };
}

function nameHover(
  offset: number,
  prompt: PromptDocument,
  preview: Checked<Preview>,
  spoilers: boolean,
): Found | null {
  const block = blockAt(prompt, offset);
  if (!block || !prompt.environment) return null;
  const { name, scopes } = positionAt(block.template, offset);
  const variable = name ? resolveName(name.text, scopes, prompt.environment.variables) : null;
  if (!name || !variable) return null;
  const hidden = !spoilers && variable.privileged === true;
  const value = preview.ok && !hidden ? valueText(name, scopes, preview.value) : '';
  return { at: name, text: describe(variable) + value };
}

function describe(variable: Variable): string {
  return `**${variable.name}** (${variableFacts(variable).join(', ')})\n\n${variable.description}`;
}

/** The value where the prompt is previewed. */
function valueText(
  name: Name,
  scopes: readonly SectionNode[],
  { episode, place, observation }: Preview,
): string {
  const where = `${plain(episode.instance.id)}, step ${place.step} of ${episode.states.length}`;
  const { values, count, isCounted } = valuesOf(name, scopes, observation);
  const [only] = values;
  if (count === 0 && !isCounted) return '';
  if (count === 0) return `\n\nNot printed on ${where}.`;
  if (count === 1) return `\n\nOn ${where}:\n\n${fenced(showValue(only))}`;
  const lines = values.map((value) => showValue(value).split('\n', 1)[0] ?? '');
  const left = count - values.length;
  const more = left > 0 ? [isCounted ? `… ${left} more` : `… more than ${left} more`] : [];
  return `\n\nOn ${where}, item by item:\n\n${fenced([...lines, ...more].join('\n'))}`;
}

/** A code block whose fence is longer than any run of back-ticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
