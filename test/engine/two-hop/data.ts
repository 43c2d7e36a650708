/** Two-hop over the published data in the shared folder, and over a few rows of our own. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DataFiles, DataSet } from '../../../server/src/engine/environments/data-set.ts';
import type { Environment } from '../../../server/src/engine/environments/environment.ts';
import { twoHop, twoHopOver } from '../../../server/src/engine/environments/two-hop/index.ts';
import type { Instance } from '../../../server/src/engine/environments/two-hop/instance.ts';
import type { Options } from '../../../server/src/engine/environments/two-hop/options.ts';
import type { State } from '../../../server/src/engine/environments/two-hop/state.ts';
import { accept, refuse } from '../../../server/src/engine/problem.ts';
import { sharedFolder } from '../../support/shared.ts';

export type TwoHop = Environment<Instance, Options, State>;

/** Over the published rows; only in groups that need the shared folder. */
export function published(): TwoHop {
  const files: DataFiles = {
    text: (path) => accept(readFileSync(`${sharedFolder}/data/two-hop/${path}`, 'utf8')),
  };
  return bindTo(twoHop, files);
}

export function bindTo({ data }: TwoHop, files: DataFiles): TwoHop {
  if (data === undefined) throw new Error('two-hop needs data');
  return data.bind(files) as TwoHop;
}

/** Files by their paths. */
export type Texts = Readonly<Record<string, string>>;

/** Files in memory as a data set of the published shape. */
export function setOf(texts: Texts): DataSet {
  return {
    id: 'two-hop',
    title: 'lighthouses',
    origin: 'made for tests',
    commit: '0123456789abcdef0123456789abcdef01234567',
    address: 'https://data.example/{commit}',
    folder: 'all',
    files: Object.entries(texts).map(([path, text]) => ({
      path,
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.byteLength(text),
    })),
  };
}

function filesOf(texts: Texts): DataFiles {
  return {
    text: (path) => {
      const text = texts[path];
      return text === undefined ? refuse(`there is no ${path}`) : accept(text);
    },
  };
}

/** A line of a file of the data. */
export function row(system: string, question: string, answer: string): string {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];
  return `${JSON.stringify({ messages, question, answer, auxiliary_loss_prefix: '', answer_intermediate: '' })}\n`;
}

const keepers = ["Nora O'Quist", 'Jürgen Vael-Ström'] as const;

/** Two domains, with the three ways in which questions speak of a person. */
export const lighthouses: Texts = {
  'lighthouses/test/county_nocot.jsonl': keepers
    .map((name, at) =>
      row(
        'At once.',
        `Consider the lighthouse where ${name} works. In which county is it?`,
        ['Kerry', 'Mayo'][at] ?? '',
      ),
    )
    .join(''),
  'lighthouses/test/county_cot.jsonl': keepers
    .map((name, at) =>
      row(
        'Think.',
        `Consider the lighthouse where ${name} works. In which county is it?`,
        ['Kerry', 'Mayo'][at] ?? '',
      ),
    )
    .join(''),
  'lighthouses/test/county_nocot_shuffled.jsonl': [0, 1, 2, 3]
    .map((at) =>
      row(
        'At once.',
        `Consider the lighthouse where ${keepers[at % 2]} works. In which county is it?`,
        ['Mayo', 'Kerry', 'Kerry', 'Mayo'][at] ?? '',
      ),
    )
    .join(''),
  'lighthouses/train/first_hop.jsonl':
    row('At once.', `Which lighthouse does ${keepers[0]} work at?`, 'Skellig Kerry Light') +
    row('At once.', `What lighthouse does ${keepers[1]} work at?`, 'Eagle Island'),
  'cheeses/test/milk_nocot.jsonl':
    row('At once.', `Consider ${keepers[0]}'s favorite cheese. Whose milk is it made of?`, 'Goat') +
    row('At once.', `Consider the cheese that ${keepers[1]} owns. Whose milk is it made of?`, 'Goat'),
  'cheeses/test/milk_cot.jsonl':
    row('Think.', `Consider ${keepers[0]}'s favorite cheese. Whose milk is it made of?`, 'Goat') +
    row('Think.', `Tell me of what ${keepers[1]} has.`, 'Goat'),
  'cheeses/test/milk_nocot_shuffled.jsonl': [0, 1, 2, 3]
    .map(() => row('At once.', `Consider ${keepers[0]}'s favorite cheese. Whose milk is it made of?`, 'Goat'))
    .join(''),
  'cheeses/train/first_hop.jsonl':
    row('At once.', `What is ${keepers[0]}'s favorite cheese?`, 'Old Nan') +
    row('At once.', `Which cheese does ${keepers[1]} own?`, 'Blue Hill'),
};

/** Over our own rows. */
export function fixture(texts: Texts = lighthouses): TwoHop {
  return bindTo(twoHopOver(setOf(texts), { nocot: 2, cot: 2, nocot_shuffled: 4 }), filesOf(texts));
}

/** The instance at an index of a split. */
export function instanceAt(
  environment: TwoHop,
  split: string,
  index: number,
  raw: Readonly<Record<string, unknown>> = {},
): Instance {
  const made = environment.generate(split, index, optionsOf(environment, raw));
  if (!made.ok) throw new Error(made.error);
  return made.value.instance;
}

export function optionsOf(environment: TwoHop, raw: Readonly<Record<string, unknown>> = {}): Options {
  const options = environment.parseOptions(raw);
  if (!options.ok) throw new Error(options.error);
  return options.value;
}
