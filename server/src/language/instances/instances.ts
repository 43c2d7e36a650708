/** Instances by address, generated or from files, with a small memory. */
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { type InstanceText, viewAsJson } from '../../engine/environments/view.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { EnvironmentInfo, InstanceLocation, InstanceSelector } from '../../protocol.ts';
import type { Maker } from './making.ts';
import {
  type FileInstanceAddress,
  type InstanceAddress,
  parseFileInstanceUri,
  parseInstanceUri,
  printFileInstanceUri,
  printInstanceUri,
} from './uri.ts';

/** Instances kept ready; an open document keeps what it needs by itself. One of 128k tokens is about 4 MB with its view. */
const KEPT = 4;

export interface OpenInstance {
  readonly environment: Environment;
  readonly instance: AnyInstance;
  readonly view: InstanceText;
}

/** The instances of a file, in its order. */
interface FileListing {
  readonly environment: Environment;
  readonly instances: readonly {
    readonly id: string;
    /** By the environment's groupings. */
    readonly groups: Readonly<Record<string, string | number>>;
  }[];
}

/** Where instances of files come from: this layer opens no files. Errors are sentences. */
export interface FileInstances {
  /** What is in the file at that address as it is now. */
  index(file: string): Promise<Checked<FileListing>>;
  /** Reads the instance of that id in the file at that address as the file is now. */
  read(
    file: string,
    id: string,
  ): Promise<Checked<{ readonly environment: Environment; readonly instance: AnyInstance }>>;
}

/** For a host that opens no files. */
export const noFiles: FileInstances = {
  index: (file) => Promise.resolve(refuse(`Files such as ${file} cannot be opened here.`)),
  read: (file) => Promise.resolve(refuse(`Files such as ${file} cannot be opened here.`)),
};

export interface Instances {
  environments(): readonly EnvironmentInfo[];
  locate(selector: InstanceSelector): Checked<InstanceLocation>;
  /** At once. Of an instance in a file, what {@link Instances.load} has read last. */
  open(uri: string): Checked<OpenInstance>;
  /** Whether {@link Instances.open} takes no time; otherwise {@link Instances.load} is to be awaited before. */
  isReady(uri: string): boolean;
  /**
   * Reads the file if the instance is in one, or makes it elsewhere if it may take its time; then as {@link Instances.open}.
   *
   * @param owner who asks: of each only the last wish counts. The instance's own document unless told otherwise.
   */
  load(uri: string, owner?: string): Promise<Checked<OpenInstance>>;
  /**
   * Call when the file at that address was made, changed or taken away: what was read from it is forgotten.
   *
   * @returns whether anything was ever looked for in it
   */
  forget(file: string): boolean;
  /** Differs after each {@link Instances.forget}: what was made of instances in files may be out of date then. */
  readonly generation: number;
}

export function createInstances(
  environments: readonly Environment[],
  files: FileInstances,
  maker: Maker,
): Instances {
  const kept = new Map<string, OpenInstance>();
  /** Addresses of files that were looked into. */
  const consulted = new Set<string>();
  let generation = 0;

  function generate(selector: InstanceSelector): Checked<OpenInstance> {
    const made = maker.make(selector);
    if (!made.ok) return made;
    const environment = environments.find(({ id }) => id === selector.environment);
    return environment ? accept(withView(environment, made.value)) : refuse('there is no such environment');
  }

  function keep(key: string, opened: OpenInstance): void {
    kept.delete(key);
    kept.set(key, opened); // youngest again
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
  }

  function recall(address: InstanceAddress): Checked<OpenInstance> {
    const key = printInstanceUri(address);
    const known = kept.get(key);
    if (known) {
      keep(key, known);
      return accept(known);
    }
    const opened = generate(address);
    if (!opened.ok) return opened;
    const { id } = opened.value.instance;
    if (id !== address.id) {
      return refuse(`this address is of ${address.id}, but the same place now holds ${id}`);
    }
    keep(key, opened.value);
    return opened;
  }

  async function read(address: FileInstanceAddress): Promise<Checked<OpenInstance>> {
    consulted.add(decoded(address.file));
    const found = await files.read(address.file, address.id);
    if (!found.ok) return found;
    const opened = withView(found.value.environment, found.value.instance);
    keep(printFileInstanceUri(address), opened);
    return accept(opened);
  }

  return {
    environments: () =>
      environments.map(({ id, title, description, splits }) => ({ id, title, description, splits })),

    locate(selector) {
      const opened = generate(selector);
      if (!opened.ok) return opened;
      const { id } = opened.value.instance;
      const uri = printInstanceUri({ ...selector, id });
      keep(uri, opened.value); // most likely it is opened next
      return accept({ id, uri });
    },

    open(uri) {
      const inFile = parseFileInstanceUri(uri);
      if (inFile) {
        const known = kept.get(printFileInstanceUri(inFile));
        return known ? accept(known) : refuse(`${inFile.id} has not been read from ${inFile.file}`);
      }
      const address = parseInstanceUri(uri);
      return address.ok ? recall(address.value) : address;
    },

    isReady(uri) {
      if (parseFileInstanceUri(uri)) return true;
      const address = parseInstanceUri(uri);
      return !address.ok || kept.has(printInstanceUri(address.value)) || maker.isReady(address.value);
    },

    async load(uri, owner = uri) {
      const inFile = parseFileInstanceUri(uri);
      if (inFile) return read(inFile);
      const address = parseInstanceUri(uri);
      if (address.ok && !this.isReady(uri)) await maker.prepare(address.value, owner);
      return this.isReady(uri) ? this.open(uri) : refuse('something else was wanted meanwhile');
    },

    forget(file) {
      if (!consulted.has(decoded(file))) return false;
      generation++;
      for (const key of kept.keys()) if (parseFileInstanceUri(key)) kept.delete(key);
      return true;
    },

    get generation() {
      return generation;
    },
  };
}

/** An address as everybody would write it: editors encode more characters than others. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a stray percent sign
  }
}

function withView(environment: Environment, instance: AnyInstance): OpenInstance {
  const view = environment.view?.(instance) ?? viewAsJson(instance);
  return { environment, instance, view: { ...view, text: wellFormed(view.text) } };
}

/** `text` as it comes back from an editor, which no lone surrogate does. Offsets stay what they are. */
function wellFormed(text: string): string {
  const hasSurrogates = /[\uD800-\uDFFF]/.test(text); // the cheaper question, as most texts have none
  return hasSurrogates ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;
}
