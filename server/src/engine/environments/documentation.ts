/**
 * The documentation page of an environment, made from what it publishes: splits, options, metrics, reason codes, and
 * every variable that a step prompt may use. `hopscope docs` prints it, the editor opens it when somebody asks where a variable is defined.
 */
import type { Environment } from './environment.ts';
import type { OptionField } from './option-fields.ts';
import type { Variable } from './variables.ts';

export interface Documentation {
  /** Markdown. */
  readonly text: string;
  /**
   * Where each name is explained, as a UTF-16 code unit offset of its line: `variable question`, `variable map.id`,
   * `option reward.beta`, `split train`, `metric correct`, `reason separation`.
   */
  readonly places: ReadonlyMap<string, number>;
}

export type DocumentedEnvironment = Pick<
  Environment,
  'id' | 'title' | 'description' | 'guide' | 'splits' | 'variables' | 'optionFields' | 'reasons'
> &
  Partial<Pick<Environment, 'metrics'>>;

/** The page of `environment`. */
export function documentation(environment: DocumentedEnvironment): Documentation {
  const page = new Page();
  page.add(`# ${environment.title}\n\n${environment.description}\n`);
  page.add(`\nIn a step prompt: \`environment: ${environment.id}\`\n`);
  page.add(
    `\n## A minimal step prompt\n\nIt tells what there is to know at a step; say in \`system:\` above it what to do.\n`,
  );
  page.add(`\n\`\`\`hopscope-prompt\n${minimalPrompt(environment)}\`\`\`\n`);
  if (environment.guide !== undefined) page.add(`\n## What it measures\n\n${environment.guide.trim()}\n`);
  page.add('\n## Splits\n\n');
  for (const { id, size, test, description } of environment.splits) {
    page.place(`split ${id}`);
    page.add(`- \`${id}\`: ${description}; ${size} instances${test ? ', for tests' : ''}\n`);
  }
  const options = environment.optionFields ?? [];
  if (options.length > 0) page.add(`\n## Options\n\n${optionsIntroduction(options)}\n`);
  for (const { scope, title } of optionGroups) {
    const group = options.filter((option) => option.scope === scope);
    if (group.length > 0) page.add(`\n${title}\n\n`);
    for (const option of group) addOption(page, option, []);
  }
  const { metrics = [] } = environment;
  if (metrics.length > 0) page.add('\n## Metrics\n\n');
  for (const { id, label, description } of metrics) {
    page.place(`metric ${id}`);
    page.add(`- \`${id}\`${label === id ? '' : ` (${label})`}: ${description}\n`);
  }
  const reasons = environment.reasons ?? [];
  if (reasons.length > 0) page.add(`\n## Reasons\n\n${reasonsIntroduction}\n\n`);
  for (const { code: name, description } of reasons) {
    page.place(`reason ${name}`);
    page.add(`- \`${name}\`: ${description}\n`);
  }
  page.add('\n## Variables\n\nWhat `{{name}}` prints, and what `{{#name}}…{{/name}}` goes through.\n');
  for (const variable of environment.variables) addVariable(page, variable);
  return page;
}

/** A step prompt with nothing but what every one needs: the text of a file. */
export function minimalPrompt({ id, variables }: Pick<DocumentedEnvironment, 'id' | 'variables'>): string {
  const isList = (name: string) => (variables.find((it) => it.name === name)?.items ?? []).length > 0;
  const printed = new Set<string>();
  for (const { name, required, alternatives = [] } of variables) {
    const names = [name, ...alternatives];
    if (required !== true || names.some((known) => printed.has(known))) continue;
    printed.add(names.find((known) => !isList(known)) ?? name);
  }
  const lines = [...printed].map((name) => (isList(name) ? `{{#${name}}}{{.}}{{/${name}}}` : `{{${name}}}`));
  return ['---', 'format: 1', `environment: ${id}`, '---', 'user:', ...lines, ''].join('\n');
}

class Page implements Documentation {
  readonly places = new Map<string, number>();
  #text = '';

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** What is added next explains `name`. */
  place(name: string): void {
    this.places.set(name, this.#text.length);
  }
}

const reasonsIntroduction =
  'Why an instance is not sound, and why the generator rejected an attempt. All checks are made, so there may be several.';

/** How options are written, in every place where they can be. */
function optionsIntroduction(options: readonly OptionField[]): string {
  const given = (key: string, value: string) =>
    `-o ${/[ "]/.test(value) ? `'${key}=${value}'` : `${key}=${value}`}`;
  const plain = options.find(({ fields }) => fields === undefined);
  const mapping = options.find(({ fields }) => fields !== undefined);
  const [inner] = mapping?.fields ?? [];
  const examples = [
    ...(plain ? [given(plain.key, plain.example)] : []),
    ...(mapping && inner ? [given(`${mapping.key}.${inner.key}`, inner.example)] : []),
    ...(mapping ? [given(mapping.key, mapping.example)] : []),
  ];
  return (
    'Keys of `options` in the front matter of step prompts and transcripts, and of `-o key=value` on the command line. ' +
    'There values are JSON, texts, or lists such as `2,3`, and a dot reaches into a mapping: ' +
    `${examples.map(code).join(', ')}.`
  );
}

const optionGroups = [
  { scope: 'episode', title: 'How an episode is played:' },
  { scope: 'instance', title: 'Which instances are made:' },
  { scope: undefined, title: 'For both:' },
] as const;

function addOption(page: Page, option: OptionField, path: readonly string[]): void {
  const { key, description, example, default: usual, fields = [] } = option;
  page.place(`option ${[...path, key].join('.')}`);
  const fallback = usual === undefined ? '' : ` Default: ${usual}.`;
  page.add(
    `${'  '.repeat(path.length)}- \`${key}\` (${optionType(option)}): ${description}${fallback} E.g. ${code(example)}\n`,
  );
  for (const field of fields) addOption(page, field, [...path, key]);
}

/** What {@link optionType} needs of an option, or of another field. */
interface DescribedType {
  readonly type: string;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
}

/** The type of an option and its bounds, in words. */
export function optionType({ type, min, max, values }: DescribedType): string {
  const name = optionTypes[type] ?? type;
  if (values !== undefined) return values.join(', ');
  if (min !== undefined && max !== undefined)
    return min === max ? String(min) : `${name} from ${min} to ${max}`;
  if (min !== undefined) return `${name} from ${min}`;
  return max === undefined ? name : `${name} up to ${max}`;
}

const optionTypes: Readonly<Record<string, string>> = {
  integer: 'whole number',
  integers: 'whole number or list of them',
  boolean: 'true or false',
  texts: 'text or list of texts',
};

function addVariable(page: Page, variable: Variable): void {
  const { name, items = [] } = variable;
  page.add('\n');
  page.place(`variable ${name}`);
  page.add(`### ${name}\n\n${variableFacts(variable).join(', ')}.\n\n${variable.description}\n`);
  page.add(`\nExample: ${code(variable.example)}\n`);
  if (items.length === 0) return;
  page.add(`\nInside of \`{{#${name}}}\`, for each item:\n\n`);
  for (const item of items) {
    page.place(`variable ${name}.${item.name}`);
    page.add(`- \`${item.name}\` (${item.type}): ${item.description} ${code(item.example)}\n`);
  }
}

/** Its type, and what is special about it, e.g. that a prompt needs it. */
export function variableFacts({
  type,
  items = [],
  required,
  alternatives = [],
  privileged,
}: Variable): string[] {
  const kind = type === 'list' && items.length === 0 ? 'list of texts' : type;
  const or = alternatives.map((name) => ` or \`${name}\``).join('');
  return [
    kind.charAt(0).toUpperCase() + kind.slice(1),
    ...(required === true ? [`needed${or}`] : []),
    ...(privileged === true ? ['privileged: tells what the agent must not know'] : []),
  ];
}

/** As inline code, whatever it holds. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${fence.length > 1 ? ` ${text} ` : text}${fence}`;
}
