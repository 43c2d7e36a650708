/** Scripted agents of known skill at full size, through the endpoint for tests, with real tool calls. */
import { expect, test } from 'vitest';
import { streams } from '../../../server/src/engine/environments/serving/stream/index.ts';
import { served } from '../../support/served.ts';

const full = streams.list.filter(({ size }) => size === 'full').map(({ id }) => id);

const patience = 300_000;

async function scores(stream: string, policy: string) {
  const { scores: list } = await served(stream, policy, 'blind');
  return Object.fromEntries(list.map(({ category, score }) => [category, score]));
}

// The category hidden is the adapt slice there.
test.each(full.filter((id) => !id.startsWith('pitch')))(
  '%s: documents give all that they tell and nothing else',
  async (stream) => {
    expect(await scores(stream, 'documents')).toEqual({ hidden: 0, fully_specified: 100 });
  },
  patience,
);

test.each(full)(
  '%s: the oracle is right throughout',
  async (stream) => {
    const expected = stream.startsWith('pitch') ? { hidden: 100 } : { hidden: 100, fully_specified: 100 };
    expect(await scores(stream, 'oracle')).toEqual(expected);
  },
  patience,
);
