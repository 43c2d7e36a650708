/** Step prompt files (`*.step.md`): YAML front matter, then a template for each message, under role lines. */
import { environments } from '../environments/registry.ts';
import type { Problem } from '../problem.ts';
import type { Field } from './fields.ts';
import { checkFields } from './fields.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { contentStart, type Line, linesOf } from './lines.ts';
import { parseTemplate } from './parse-template.ts';
import { type Sampling, samplingFields, toSampling } from './sampling.ts';
import type { Range, Template } from './template.ts';

export type PromptRole = 'system' | 'user' | 'assistant';

/** One message to be: its role line, and the template below it up to the next role line. */
export interface RoleBlock extends Range {
  readonly role: PromptRole;
  /** The role line without its line break. */
  readonly line: Range;
  readonly template: Template;
}

export interface StepPrompt {
  readonly frontMatter: FrontMatter | null;
  /** Empty when the file does not say. */
  readonly environment: string;
  readonly split: string | null;
  /** Options of the environment as they stand in the file: the environment checks them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly sampling: Sampling;
  readonly blocks: readonly RoleBlock[];
  /** Of a file without any role line its text, which gives no message: parsed so that more can be said of it than that. */
  readonly loose: Template | null;
}

/** What may stand in the front matter. */
export const promptFields: readonly Field[] = [
  {
    key: 'format',
    type: 'integer',
    required: true,
    min: 1,
    max: 1,
    example: '1',
    description: 'Version of the file format.',
  },
  {
    key: 'environment',
    type: 'text',
    required: true,
    example: environments[0]?.id ?? '',
    description: 'The environment whose observations this prompt renders.',
  },
  {
    key: 'split',
    type: 'text',
    example: 'train',
    description:
      'Where evals take their instances from; previews start there, too, unless it is a test split.',
  },
  {
    key: 'options',
    type: 'mapping',
    example: '{}',
    description: 'Options of the environment.',
  },
  {
    key: 'model',
    type: 'text',
    example: 'gpt-5-mini',
    description: 'The model to ask; otherwise the one in the settings or on the command line.',
  },
  {
    key: 'sampling',
    type: 'mapping',
    fields: samplingFields,
    example: '{ temperature: 0.8, top_p: 0.95, max_tokens: 512 }',
    description: 'How the model is asked.',
  },
];

const roleLine = /^(system|user|assistant):[ \t]*$/;
/** A role line in all but its letters; an indented one is meant as text. */
const nearRoleLine = /^(system|user|assistant)[ \t]*:[ \t]*$/i;

/**
 * Reads a step prompt. Never throws: `prompt` holds what could be understood, `problems` what could not, in the
 * order of the file, with those of the front matter (codes `front-matter.…`) and of the templates
 * (`template.…`). Codes of its own: `prompt.no-role`, `prompt.text-before-role`, `prompt.empty-block`,
 * `prompt.role-spelling`.
 *
 * Roles are found before anything is rendered, so nothing in an instance can open one. Line ends of the file
 * do not matter: templates print LF.
 */
export function parseStepPrompt(text: string): {
  readonly prompt: StepPrompt;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const lines = linesOf(text, contentStart(text));
  const { frontMatter, lineCount } = readFrontMatter(text, lines, (line) => roleLine.test(line), problems);
  const values = frontMatter === null ? {} : checkFields(frontMatter, promptFields, problems);
  const body = lines.slice(lineCount);
  const blocks = readBlocks(text, body, problems);
  const prompt: StepPrompt = {
    frontMatter,
    environment: asText(values['environment']) ?? '',
    split: asText(values['split']),
    options: asRecord(values['options']),
    model: asText(values['model']),
    sampling: toSampling(asRecord(values['sampling'])),
    blocks,
    loose: blocks.length > 0 ? null : readLoose(text, body[0]?.start ?? text.length, problems),
  };
  return { prompt, problems: problems.sort((a, b) => a.start - b.start) };
}

function readBlocks(text: string, lines: readonly Line[], problems: Problem[]): RoleBlock[] {
  const content = (line: Line) => text.slice(line.start, line.end);
  const roleAt = lines.flatMap((line, index) => (roleLine.test(content(line)) ? [index] : []));
  checkBefore(text, lines.slice(0, roleAt[0] ?? lines.length), roleAt.length > 0, problems);
  for (const line of lines) {
    const near = nearRoleLine.exec(content(line));
    if (near === null || roleLine.test(content(line))) continue;
    const role = near[1]?.toLowerCase() ?? '';
    const message = `This line is text. "${role}:" would begin a block; with a blank before it, it is surely text.`;
    problems.push({
      code: 'prompt.role-spelling',
      severity: 'info',
      message,
      start: line.start,
      end: line.end,
      data: { role },
    });
  }
  return roleAt.flatMap((index, block) => {
    const line = lines[index];
    const role = line === undefined ? null : toRole(roleLine.exec(content(line))?.[1]);
    if (line === undefined || role === null) return [];
    const end = lines[roleAt[block + 1] ?? -1]?.start ?? text.length;
    return [readBlock(text, role, line, end, problems)];
  });
}

function readLoose(text: string, start: number, problems: Problem[]): Template {
  const { template, problems: found } = parseTemplate(text.slice(start), start, 'unix');
  for (const problem of found) problems.push(problem);
  return template;
}

function readBlock(text: string, role: PromptRole, line: Line, end: number, problems: Problem[]): RoleBlock {
  const body = text.slice(line.next, end);
  const { template, problems: found } = parseTemplate(body, line.next, 'unix');
  for (const problem of found) problems.push(problem); // too many, perhaps, to be arguments of one call
  if (body.trim() === '') {
    const message = 'This block is empty and gives no message.';
    problems.push({
      code: 'prompt.empty-block',
      severity: 'warning',
      message,
      start: line.start,
      end: line.end,
    });
  }
  return { role, line: { start: line.start, end: line.end }, template, start: line.start, end };
}

/** Text between the front matter and the first role line belongs to no message. */
function checkBefore(text: string, lines: readonly Line[], hasRole: boolean, problems: Problem[]): void {
  const written = lines.filter((line) => text.slice(line.start, line.end).trim() !== '');
  const start = written[0]?.start ?? lines[0]?.start ?? text.length;
  const end = written.at(-1)?.end ?? start;
  if (!hasRole) {
    const message = 'No message: a line "system:", "user:" or "assistant:" begins one.';
    problems.push({ code: 'prompt.no-role', severity: 'error', message, start, end });
  } else if (written.length > 0) {
    const message = 'Text before the first role line belongs to no message and is never sent.';
    problems.push({ code: 'prompt.text-before-role', severity: 'error', message, start, end });
  }
}

function toRole(name: string | undefined): PromptRole | null {
  return name === 'system' || name === 'user' || name === 'assistant' ? name : null;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
