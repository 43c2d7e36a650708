/** Our own tasks as files of the published shape: what the loader of the published data set is tested with. */
import { scenarioTasks } from '../../server/src/engine/environments/serving/build.ts';
import { bulletin } from '../../server/src/engine/environments/serving/bulletin.ts';
import type { Instance } from '../../server/src/engine/environments/serving/instance.ts';
import { fingerprint } from '../../server/src/engine/environments/serving/published/manifest.ts';
import {
  pythonJson,
  pythonString,
} from '../../server/src/engine/environments/serving/published/python-json.ts';
import type { Scenario } from '../../server/src/engine/environments/serving/scenarios.ts';
import { documentsOf, toolSpecs } from '../../server/src/engine/environments/serving/toolbox.ts';
import { worldOf } from '../../server/src/engine/environments/serving/worlds.ts';

/** The files by path. */
export function exportScenario(scenario: Scenario): Map<string, string> {
  const { serving, test } = scenarioTasks(scenario, 0);
  const all = [...serving, ...test];
  const [first] = all;
  if (first === undefined) throw new Error('an empty scenario');
  const files = new Map<string, string>();
  const lines = (list: readonly Instance[]) => list.map((it) => `${JSON.stringify(taskOf(it))}\n`).join('');
  files.set(`data/${scenario.id}/serving.jsonl`, lines(serving));
  files.set(`data/${scenario.id}/test.jsonl`, lines(test));
  const folder = `environments/${scenario.id}`;
  const [policy, ...others] = documentsOf(first);
  for (const [name, documents] of [
    ['policy', policy === undefined ? [] : [policy]],
    ['workflow', others],
  ] as const) {
    const sections = documents.flatMap((it) => it.sections);
    files.set(
      `${folder}/${name}.md`,
      `# The ${name}\n\n${sections.map((it) => `## ${it.name}\n${it.text}\n`).join('\n')}`,
    );
  }
  files.set(
    `${folder}/tools.json`,
    JSON.stringify(toolSpecs(first).map((it) => ({ type: 'function', function: it }))),
  );
  const windows = scenario.windows.map((_, window) => {
    const task = all.find((it) => it.window === window);
    return { window, oracle_bulletin: task === undefined ? '' : bulletin(task) };
  });
  files.set(`${folder}/windows.json`, JSON.stringify(windows));
  files.set(`${folder}/world.json`, JSON.stringify(worldOfTasks(scenario, all)));
  sign(files, scenario.id);
  return files;
}

/** Has an export tell of its contents as they are now. */
export function sign(files: Map<string, string>, id: string): void {
  files.set('fingerprints.json', JSON.stringify({ [id]: fingerprintsOf(files, `environments/${id}`) }));
}

function fingerprintsOf(files: ReadonlyMap<string, string>, folder: string): object {
  const printed = (name: string) => pythonJson(files.get(`${folder}/${name}`) ?? '') ?? '';
  const windows: unknown = JSON.parse(files.get(`${folder}/windows.json`) ?? '');
  const list = (Array.isArray(windows) ? windows : []) as { oracle_bulletin: string }[];
  const bulletins = list.map((it) => pythonString(it.oracle_bulletin));
  return {
    world: fingerprint(printed('world.json')),
    tools: fingerprint(printed('tools.json')),
    oracle_bulletins: fingerprint(`[${bulletins.join(', ')}]`),
  };
}

function taskOf(instance: Instance): object {
  const { id, scenario, domain, tier, phase, window, timestamp, category, evaluator, own } = instance;
  const { slice, family, actions, answer } = evaluator;
  const metadata =
    own.domain === 'retail'
      ? { order_id: own.order.order_id }
      : own.domain === 'banking'
        ? { case_id: own.case.case_id, accepted_reasons: answer.kind === 'refuse' ? answer.reasons : [] }
        : {
            customer_key: own.persona,
            product: { name: own.sheet.name, category: own.sheet.category, ...valuesOf(own.sheet.facts) },
          };
  const isPlain = answer.kind === 'action' || answer.kind === 'pitch' || own.domain === 'banking';
  return {
    task_id: id,
    scenario,
    domain,
    tier: `L${tier}`,
    split: phase,
    window,
    timestamp,
    category,
    instruction: `Current timestamp: ${timestamp}\n\n${instance.instruction.replace(/^- \w[\w ]*: /gm, '  - ')}`,
    evaluator: { slice, family, actions, answer: isPlain ? null : answer, metadata },
  };
}

/** Some values have longer names there. */
const longer: Readonly<Record<string, string>> = {
  many: 'many_users',
  hand: 'handcrafted',
  mass: 'mass_produced',
};

function valuesOf(facts: readonly { readonly attribute: string; readonly value: string }[]): object {
  return Object.fromEntries(facts.map(({ attribute, value }) => [attribute, longer[value] ?? value]));
}

function worldOfTasks(scenario: Scenario, all: readonly Instance[]): object {
  const world = worldOf(scenario, 0);
  if (world.domain === 'pitch') return {};
  if (world.domain === 'banking') {
    const { accounts, merchants, payees } = world.banking;
    const cases = all.flatMap(({ own }) =>
      own.domain === 'banking' ? [[own.case.case_id, { ...own.case, _accept: ['x'] }]] : [],
    );
    return {
      accounts,
      merchants,
      payees,
      transactions: Object.fromEntries(cases),
      _episode_view: { kind: 'banking' },
    };
  }
  const orders = all.flatMap(({ own }) => (own.domain === 'retail' ? [own.order] : []));
  const users = Object.values(world.retail.users).map((user) => ({
    ...user,
    orders: orders.filter(({ user_id }) => user_id === user.user_id).map(({ order_id }) => order_id),
  }));
  return {
    users: Object.fromEntries(users.map((user) => [user.user_id, user])),
    products: world.retail.products,
    orders: Object.fromEntries(orders.map((order) => [order.order_id, order])),
    _episode_view: { base_orders: [] },
  };
}
