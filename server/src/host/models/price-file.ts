/** Reading the user's table of prices. */
import { type Price, parsePrices, priceOf } from '../../engine/evals/prices.ts';
import { Failure } from '../failure.ts';
import { readText } from '../text-file.ts';

/** The prices in a file, by the name of the model; null for a model that is not in it. @throws Failure */
export async function readPriceTable(
  path: string,
  signal?: AbortSignal,
): Promise<(model: string) => Price | null> {
  const text = await readText(path, signal);
  if (!text.ok) throw new Failure('request', `${path} ${text.error}.`);
  let raw: unknown;
  try {
    raw = JSON.parse(text.value);
  } catch {
    throw new Failure('request', `${path} is not valid JSON.`);
  }
  const table = parsePrices(raw);
  if (!table.ok) throw new Failure('request', `${path}: ${table.error}`);
  return (model) => priceOf(table.value, model);
}
