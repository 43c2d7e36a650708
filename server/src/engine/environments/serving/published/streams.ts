/**
 * The published tasks as streams of their own, from the files of the authors' export. They go through the same episode
 * loop, tools and verifier as ours; their results name their source and are averaged apart.
 *
 *     data/<scenario>/{serving,test}.jsonl
 *     environments/<scenario>/{world.json,policy.md,workflow.md,tools.json,windows.json}
 */
import * as v from 'valibot';
import { accept, type Checked, refuse } from '../../../problem.ts';
import type { ToolSpec } from '../../chat.ts';
import type { StreamWindow } from '../../streams.ts';
import type { Document } from '../documents.ts';
import type { Instance } from '../instance.ts';
import { type Scenario, scenarios } from '../scenarios.ts';
import { callTool, openWorld } from '../toolbox.ts';
import { attach, type PublishedScenario } from './context.ts';
import { countProblem } from './counts.ts';
import { evaluatorOf, type PublishedTask, parseJson, personaOf, readTasks, sheetOf } from './format.ts';
import { contentProblem, manifestOf, type ReadFile } from './manifest.ts';
import { PREFIX } from './playable.ts';
import { pythonJson, pythonString } from './python-json.ts';
import { type PublishedWorld, readWorld } from './world.ts';

/** The scenarios there are. */
export const publishedScenarios: readonly Scenario[] = scenarios.filter(({ size }) => size === 'full');

/** The windows of a published scenario. */
export function loadScenario(scenario: Scenario, read: ReadFile): Checked<readonly StreamWindow<Instance>[]> {
  const context = loadContext(scenario, read);
  if (!context.ok) return context;
  const { shared, world, source } = context.value;
  const windows = scenario.windows.map(() => ({ serving: [] as Instance[], test: [] as Instance[] }));
  for (const phase of ['serving', 'test'] as const) {
    const path = `data/${scenario.id}/${phase}.jsonl`;
    const content = read(path);
    if (!content.ok) return content;
    const tasks = readTasks(path, content.value);
    if (!tasks.ok) return tasks;
    for (const task of tasks.value) {
      const strange = strangeness(scenario, task, phase);
      if (strange !== null) return refuse(`${path} has the task ${task.task_id}, whose ${strange}`);
      const made = instanceOf(scenario, task, world, source);
      if (!made.ok) return refuse(`the task ${task.task_id} cannot be played: ${made.error}`);
      const problem = playProblem(attach(made.value, shared));
      if (problem !== null) return refuse(`the task ${task.task_id} cannot be played: ${problem}`);
      const window = windows[task.window];
      if (window === undefined)
        return refuse(`the task ${task.task_id} is of a window ${task.window} that there is not`);
      window[phase].push(made.value);
    }
  }
  const wrong = countProblem(scenario, windows);
  return wrong === null ? accept(windows) : refuse(wrong);
}

/** What of a task belongs to another file. */
function strangeness({ id, domain, tier }: Scenario, task: PublishedTask, phase: string): string | null {
  const expected = { scenario: id, domain, tier: `L${tier}`, split: phase } as const;
  for (const [field, value] of Object.entries(expected)) {
    const found = task[field as keyof typeof expected];
    if (found !== value) return `${field} is ${found}`;
  }
  return null;
}

/** What is right has to be possible with the tools. */
function playProblem(instance: Instance): string | null {
  let world = openWorld(instance);
  for (const { name, kwargs } of instance.evaluator.actions) {
    const result = callTool(instance, world, name, kwargs);
    if (result.invalid === 'unknown_tool') return `it expects ${name}, and there is no such tool`;
    if (!result.ok) return `${name} refuses what is expected: ${result.problem ?? result.text}`;
    world = result.world;
  }
  return null;
}

function instanceOf(
  scenario: Scenario,
  task: PublishedTask,
  world: PublishedWorld | null,
  source: string,
): Checked<Instance> {
  const own = ownOf(task, world);
  if (!own.ok) return own;
  const { task_id, split, window, timestamp, category, instruction } = task;
  return accept({
    id: `${PREFIX}${scenario.id}-${task_id}`,
    split: `${PREFIX}${scenario.id}_${split}`,
    scenario: `${PREFIX}${scenario.id}`,
    domain: scenario.domain,
    tier: scenario.tier,
    phase: split,
    window,
    rules: window,
    timestamp,
    category,
    instruction: instruction.replace(/^Current timestamp: \d+\s*\n\s*\n/, ''),
    source,
    edition: 0,
    own: own.value,
    evaluator: evaluatorOf(task),
  });
}

function ownOf(task: PublishedTask, world: PublishedWorld | null): Checked<Instance['own']> {
  if (world !== null) {
    const own = world.own(task);
    return own === null ? refuse('its order or case is not in the world') : accept(own);
  }
  const sheet = sheetOf(task);
  if (!sheet.ok) return sheet;
  const persona = personaOf(task);
  return persona === null
    ? refuse('nobody knows its customers')
    : accept({ domain: 'pitch', sheet: sheet.value, persona });
}

interface Context {
  readonly source: string;
  readonly shared: PublishedScenario;
  readonly world: PublishedWorld | null;
}

const toolSchema = v.array(
  v.looseObject({
    function: v.looseObject({
      name: v.string(),
      description: v.string(),
      parameters: v.record(v.string(), v.unknown()),
    }),
  }),
);

const windowSchema = v.array(v.looseObject({ oracle_bulletin: v.optional(v.string(), '') }));

function loadContext({ id, domain }: Scenario, read: ReadFile): Checked<Context> {
  const folder = `environments/${id}`;
  const manifest = manifestOf(read);
  if (!manifest.ok) return manifest;
  const pins = manifest.value.of(id);
  if (pins === null) return refuse(`fingerprints.json knows nothing of ${id}`);
  const pinned = [
    ['tools.json', pins.tools],
    ...(domain === 'pitch' ? [] : [['world.json', pins.world] as const]),
  ] as const;
  const json = (name: string): Checked<unknown> => {
    const content = read(`${folder}/${name}`);
    return content.ok ? accept(parseJson(content.value)) : content;
  };
  const tools = json('tools.json');
  if (!tools.ok) return tools;
  const windows = json('windows.json');
  if (!windows.ok) return windows;
  for (const [name, expected] of pinned) {
    const content = read(`${folder}/${name}`);
    if (!content.ok) return content;
    const problem = contentProblem(`${folder}/${name}`, pythonJson(content.value), expected);
    if (problem !== null) return refuse(problem);
  }
  const specs = v.safeParse(toolSchema, tools.value);
  if (!specs.success) return refuse(`${folder}/tools.json is no list of tools`);
  const bulletins = v.safeParse(windowSchema, windows.value);
  if (!bulletins.success) return refuse(`${folder}/windows.json is no list of windows`);
  const told = bulletins.output.map(({ oracle_bulletin }) => oracle_bulletin);
  const printed = `[${told.map(pythonString).join(', ')}]`;
  const changed = contentProblem(`${folder}/windows.json`, printed, pins.oracle_bulletins);
  if (changed !== null) return refuse(changed);
  const documents: Document[] = [];
  let world: PublishedWorld | null = null;
  if (domain !== 'pitch') {
    for (const name of ['policy', 'workflow']) {
      const content = read(`${folder}/${name}.md`);
      if (!content.ok) return content;
      documents.push(documentOf(name, content.value));
    }
    const raw = json('world.json');
    if (!raw.ok) return raw;
    const found = readWorld(`${folder}/world.json`, domain, raw.value);
    if (!found.ok) return found;
    world = found.value;
  }
  const shared: PublishedScenario = {
    open: ({ own }) => (own.domain === 'pitch' || world === null ? { domain: 'pitch' } : world.open(own)),
    documents,
    tools: specs.output.map((it): ToolSpec => {
      const { name, description, parameters } = it.function;
      return { name, description, parameters };
    }),
    bulletins: told,
  };
  return accept({ source: manifest.value.source, shared, world });
}

/** A document whose headings of the second level are its sections, named as links to headings are. */
function documentOf(id: string, content: string): Document {
  const [head = '', ...parts] = content.split(/^## /m);
  const title = /^# (.+)$/m.exec(head)?.[1] ?? id;
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const name = heading
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    return { name, text: lines.join('\n').trim() };
  });
  return { id, title, sections };
}
