/** The tools of an episode: offered to the model, and called on the episode's database. */
import bankingTexts from '../../../../../prompts/serving/banking.json' with { type: 'json' };
import pitchTexts from '../../../../../prompts/serving/pitch.json' with { type: 'json' };
import protocol from '../../../../../prompts/serving/protocol.json' with { type: 'json' };
import retailTexts from '../../../../../prompts/serving/retail.json' with { type: 'json' };
import type { ToolSpec } from '../chat.ts';
import { type Arguments, argumentProblem, shape, type ToolShape, text, toolSpec } from './arguments.ts';
import { bankingDocuments } from './banking/documents.ts';
import { bankingTools, callBanking } from './banking/tools.ts';
import { type Difference, differences } from './database.ts';
import { type Document, readDocument } from './documents.ts';
import { finishSchema } from './finish.ts';
import type { Instance } from './instance.ts';
import { publishedOf } from './published/context.ts';
import { retailDocuments } from './retail/documents.ts';
import { callRetail, retailTools } from './retail/tools.ts';
import type { Domain, Tier } from './scenarios.ts';
import type { EpisodeWorld } from './world.ts';
import { worldFor } from './worlds.ts';

/** The clean world that an episode begins with. */
export function openWorld(instance: Instance): EpisodeWorld {
  const published = publishedOf(instance);
  if (published !== undefined) return published.open(instance);
  const world = worldFor(instance.scenario, instance.edition);
  const { own } = instance;
  switch (own.domain) {
    case 'retail': {
      const { users = {}, products = {} } = world?.domain === 'retail' ? world.retail : {};
      const { order, user } = own;
      const rows = { users: { [user.user_id]: user }, products: {}, orders: { [order.order_id]: order } };
      return { domain: 'retail', db: { base: { users, products, orders: {} }, own: rows } };
    }
    case 'banking': {
      const { accounts = {}, merchants = {}, payees = {} } = world?.domain === 'banking' ? world.banking : {};
      const rows = { accounts: {}, merchants: {}, payees: {}, cases: { [own.case.case_id]: own.case } };
      return { domain: 'banking', db: { base: { accounts, merchants, payees, cases: {} }, own: rows } };
    }
    case 'pitch':
      return { domain: 'pitch' };
  }
}

/** How a world differs from an earlier one, row by row. */
export function worldDifferences(before: EpisodeWorld, after: EpisodeWorld): Difference[] {
  if (before.domain === 'retail' && after.domain === 'retail') return differences(before.db, after.db);
  if (before.domain === 'banking' && after.domain === 'banking') return differences(before.db, after.db);
  return [];
}

const readDocs = shape('read_docs(doc, section?)');

/** The tools of a domain, but for finish. */
function shapes(domain: Domain, tier: Tier): readonly ToolShape[] {
  if (domain === 'pitch') return [];
  return [readDocs, ...(domain === 'retail' ? retailTools : bankingTools(tier))];
}

const descriptions: Readonly<Record<Domain, Readonly<Record<string, string>>>> = {
  retail: retailTexts.tools,
  banking: bankingTexts.tools,
  pitch: pitchTexts.tools,
};

const specs = new Map<string, readonly ToolSpec[]>();

/** What a model is offered. The same list every time. */
export function toolSpecs(instance: Instance): readonly ToolSpec[] {
  const { domain, tier } = instance;
  const published = publishedOf(instance)?.tools;
  if (published !== undefined) return published;
  const key = `${domain}/${tier}`;
  const known = specs.get(key);
  if (known !== undefined) return known;
  const describe = (name: string) => descriptions[domain][name] ?? name;
  const list = [
    ...shapes(domain, tier).map((it) => toolSpec(it, describe(it.name))),
    { name: 'finish', description: describe('finish'), parameters: finishSchema(domain) },
  ];
  specs.set(key, list);
  return list;
}

const documentLists = new Map<string, readonly Document[]>();

/** The documents that an agent can read. */
export function documentsOf(instance: Instance): readonly Document[] {
  const { domain, tier } = instance;
  const published = publishedOf(instance)?.documents;
  if (published !== undefined) return published;
  const key = `${domain}/${tier}`;
  const known = documentLists.get(key);
  if (known !== undefined) return known;
  const list =
    domain === 'retail' ? retailDocuments(tier) : domain === 'banking' ? bankingDocuments(tier) : [];
  documentLists.set(key, list);
  return list;
}

/** What came of a call. `invalid` tells that nothing was called at all. */
export interface ToolResult {
  readonly world: EpisodeWorld;
  readonly text: string;
  readonly ok: boolean;
  readonly invalid?: 'unknown_tool' | 'schema_invalid';
  /** Half a sentence about the arguments. */
  readonly problem?: string;
}

/** Calls a tool other than finish, in the world of an episode on `instance`. */
export function callTool(instance: Instance, world: EpisodeWorld, name: string, args: Arguments): ToolResult {
  const { tier } = instance;
  const found = shapes(world.domain, tier).find((it) => it.name === name);
  if (found === undefined) return { world, text: '', ok: false, invalid: 'unknown_tool' };
  const problem = argumentProblem(found, args);
  if (problem !== null) return { world, text: '', ok: false, invalid: 'schema_invalid', problem };
  if (name === readDocs.name) {
    const read = readDocument(documentsOf(instance), text(args, 'doc'), text(args, 'section'));
    return { world, text: read ?? protocol.no_document, ok: read !== null };
  }
  if (world.domain === 'retail') {
    const { db, ...result } = callRetail(world.db, tier, name, args);
    return { world: { domain: 'retail', db }, ...result };
  }
  if (world.domain === 'banking') {
    const { db, ...result } = callBanking(world.db, name, args);
    return { world: { domain: 'banking', db }, ...result };
  }
  return { world, text: '', ok: false, invalid: 'unknown_tool' };
}
