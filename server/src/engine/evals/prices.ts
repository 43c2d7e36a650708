/**
 * What requests cost, where that is known. There is no built-in table: prices change, and a wrong figure is worse than
 * none. A table is a small JSON file of the user:
 *
 *     { "gpt-5-mini*": { "input": 0.25, "cachedInput": 0.025, "output": 2 } }
 */
import type { Usage } from '../environments/chat.ts';
import { accept, type Checked, refuse } from '../problem.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** For input the endpoint had in its cache; as `input` when absent. */
  readonly cachedInput?: number;
  /** Reasoning included. */
  readonly output: number;
}

/** Prices by model, as the endpoint names it; a `*` at the end stands for any rest of a name. */
export type PriceTable = Readonly<Record<string, Price>>;

const priceKeys = ['input', 'cachedInput', 'output'];

/** Checks the parsed JSON of a table; the error names the entry. */
export function parsePrices(raw: unknown): Checked<PriceTable> {
  if (!isRecord(raw)) return refuse('A price table is a JSON object: prices by model name.');
  const table: Record<string, Price> = {};
  for (const [model, entry] of Object.entries(raw)) {
    const price = parsePrice(model, entry);
    if (!price.ok) return price;
    table[model] = price.value;
  }
  return accept(table);
}

function parsePrice(model: string, entry: unknown): Checked<Price> {
  const where = `The price of "${model}"`;
  if (!isRecord(entry)) return refuse(`${where} must be an object with "input" and "output".`);
  const unknown = Object.keys(entry).find((key) => !priceKeys.includes(key));
  if (unknown !== undefined) return refuse(`${where} has an unknown key "${unknown}".`);
  const { input, cachedInput, output } = entry;
  const legal = 'a number of US dollars for a million tokens, 0 or more';
  if (!isAmount(input)) return refuse(`${where} needs "input": ${legal}.`);
  if (!isAmount(output)) return refuse(`${where} needs "output": ${legal}.`);
  if (cachedInput === undefined) return accept({ input, output });
  return isAmount(cachedInput)
    ? accept({ input, cachedInput, output })
    : refuse(`"cachedInput" in the price of "${model}" must be ${legal}.`);
}

/** The price of a model: its own entry, else the one with the longest beginning in common; null when there is none. */
export function priceOf(table: PriceTable, model: string): Price | null {
  const own = Object.hasOwn(table, model) ? table[model] : undefined;
  if (own !== undefined) return own;
  const patterns = Object.keys(table).filter(
    (key) => key.endsWith('*') && model.startsWith(key.slice(0, -1)),
  );
  const longest = patterns.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (table[longest] ?? null);
}

/** What a usage costs, in US dollars. */
export function costOf(price: Price, usage: Usage): number {
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const millionths =
    (usage.input - cached) * price.input +
    cached * (price.cachedInput ?? price.input) +
    usage.output * price.output;
  return millionths / 1_000_000;
}

/** The prices of a run: of the model that plays and of the one that judges; null where they are not known. */
export interface RunPrices {
  readonly agent: Price | null;
  readonly judge: Price | null;
}

/** What an episode, or a run, has used of both. */
export interface Used {
  readonly usage: Usage | null;
  readonly judgeUsage?: Usage;
}

/** What all of it cost, in US dollars; null when nobody counted, or anything was used whose price is not known. */
export function dollarsOf({ agent, judge }: RunPrices, { usage, judgeUsage }: Used): number | null {
  const parts = [
    [agent, usage],
    [judge, judgeUsage ?? null],
  ] as const;
  let sum: number | null = null;
  for (const [price, used] of parts) {
    if (used === null) continue;
    if (price === null) return null;
    sum = (sum ?? 0) + costOf(price, used);
  }
  return sum;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
