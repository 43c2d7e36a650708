/** Where the files of streams lie in a folder of results. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '../data/open.ts';
import { Failure } from '../failure.ts';
import { canonicalJson } from './canonical-json.ts';
import { differingConfig, readStreamConfig, type StreamConfig } from './stream-file.ts';

/** A stream that is to be played, as far as the name of its file goes. */
export interface Placed {
  readonly model: string;
  readonly stream: string;
  readonly method: string;
  /** The name of the step prompt; null where there is none. */
  readonly prompt: string | null;
  readonly config: StreamConfig;
}

/** The name of a file in a folder of results: by the last part of the model's name. */
export function streamFileName(model: string, stream: string, method: string): string {
  return `${folderName(model)}/${baseName(stream, method)}.jsonl`;
}

function folderName(model: string): string {
  return plain(model.split(/[\\/]/).at(-1) ?? '');
}

function baseName(stream: string, method: string): string {
  return `${stream}_${plain(method.split(/[\\/]/).at(-1) ?? '').replace(/\.[cm]?js$/, '')}`;
}

function plain(text: string): string {
  const name = text.replace(/[^\w.-]+/g, '-');
  return /^\.*$/.test(name) ? 'model' : name;
}

/** A name that no other model, prompt or method has, e.g. `org-m/retail_l1_rag--terse--1a2b3c4d.jsonl`. */
function ownName({ model, stream, method, prompt, config }: Placed): string {
  const { method_hash, prompt: hash, policy } = config;
  const sum = hashOf(Buffer.from(canonicalJson([model, method, method_hash, hash, policy]))).slice(0, 8);
  const words = [baseName(stream, method), ...(prompt === null ? [] : [plain(prompt)]), sum];
  return `${plain(model.replace(/^[\\/]+/, ''))}/${words.join('--')}.jsonl`;
}

/**
 * The file of each stream that one command plays. Those that would share a file, as with two step prompts or two models whose
 * names end alike, get one of their own each; where there is a file of the very same making already, it is gone on with.
 *
 * @throws Failure when a file is there that was made otherwise, so that it shows before anything is asked.
 */
export function streamPlaces(out: string, all: readonly Placed[]): readonly string[] {
  const usual = (it: Placed) => path.join(out, streamFileName(it.model, it.stream, it.method));
  const sharing = new Map<string, number>();
  // Some disks take no notice of capitals.
  const key = (it: Placed) => usual(it).toLowerCase();
  for (const it of all) sharing.set(key(it), (sharing.get(key(it)) ?? 0) + 1);
  return all.map((it) => {
    const own = path.join(out, ownName(it));
    const made = [usual(it), own].find((file) => differs(file, it.config) === 'same');
    if (made !== undefined) return made;
    const file = (sharing.get(key(it)) ?? 0) > 1 ? own : usual(it);
    const difference = differs(file, it.config);
    if (difference === null || difference === 'same') return file;
    throw new Failure(
      'request',
      `${file} was made with ${difference.other}; name another folder with --out.`,
    );
  });
}

/** How a file was made, compared with how it would be; null where nothing says how. */
function differs(file: string, config: StreamConfig): 'same' | { readonly other: string } | null {
  if (!existsSync(file)) return null;
  const found = readStreamConfig(file);
  if (found === null) return null;
  const other = differingConfig(found, config);
  return other === null ? 'same' : { other };
}
