/**
 * What is known of an open instance document. Made when a feature first asks and kept as long as the document is open
 * and unchanged; its links are read when a feature first needs them.
 */
import type { CancellationToken } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { type InstanceLinks, noLinks } from '../../engine/environments/links.ts';
import type { InstanceText, Part } from '../../engine/environments/view.ts';
import type { Instances, OpenInstance } from './instances.ts';

export interface InstanceModel {
  readonly document: TextDocument;
  /** Of the instance. */
  readonly id: string;
  readonly environment: Environment;
  readonly view: InstanceText;
  readonly links: InstanceLinks;
  /** Parts of chunks by their number. */
  readonly chunks: ReadonlyMap<number, Part>;
}

/** Language id of instance documents. */
const LANGUAGE = 'hopscope-instance';

export interface InstanceModels {
  /**
   * Undefined when the document is no instance, when its text is not what its address says (so that no range can be
   * off), and when the request was cancelled.
   */
  of(document: TextDocument, token: CancellationToken): InstanceModel | undefined;
  /**
   * Reads the links of the instance at an address that has just been opened: an editor asks for what depends on them in a
   * moment, and has work of its own until then.
   */
  anticipate(uri: string): void;
  /** Reads the file of a document's instance if {@link InstanceModels.of} will need it. */
  prepare(document: TextDocument): Promise<void>;
}

export function createInstanceModels(instances: Instances): InstanceModels {
  interface Kept {
    readonly version: number;
    readonly model: InstanceModel | undefined;
  }
  const kept = new WeakMap<TextDocument, Kept>();
  return {
    of(document, token) {
      if (token.isCancellationRequested || document.languageId !== LANGUAGE) return undefined;
      const known = kept.get(document);
      if (known?.version === document.version) return known.model;
      const opened = instances.open(document.uri);
      const isIt = opened.ok && document.getText() === opened.value.view.text;
      const model = isIt ? new LazyModel(document, opened.value) : undefined;
      kept.set(document, { version: document.version, model });
      return model;
    },
    anticipate(uri) {
      const opened = instances.isReady(uri) ? instances.open(uri) : undefined;
      if (opened?.ok) linksOf(opened.value);
    },
    async prepare(document) {
      if (document.languageId !== LANGUAGE || kept.get(document)?.version === document.version) return;
      const opened = instances.isReady(document.uri) ? instances.open(document.uri) : undefined;
      if (!opened?.ok || opened.value.view.text !== document.getText()) await instances.load(document.uri);
    },
  };
}

/** A model of `opened`, whose text `document` holds. */
export function createInstanceModel(document: TextDocument, opened: OpenInstance): InstanceModel {
  return new LazyModel(document, opened);
}

/**
 * Ten documents of 128k tokens may be open, hence two savings: the text is the document's own, not one more like it, and
 * the instance is let go as soon as its links have been read.
 */
class LazyModel implements InstanceModel {
  readonly document: TextDocument;
  readonly id: string;
  readonly environment: Environment;
  readonly view: InstanceText;
  #instance: AnyInstance | undefined;
  #links: InstanceLinks | undefined;
  #chunks: ReadonlyMap<number, Part> | undefined;

  constructor(document: TextDocument, { environment, instance, view }: OpenInstance) {
    this.document = document;
    this.id = instance.id;
    this.environment = environment;
    this.view = { ...view, text: document.getText() };
    this.#instance = instance;
  }

  get links(): InstanceLinks {
    if (this.#links === undefined) {
      const { environment, view } = this;
      const instance = this.#instance;
      this.#links = instance ? linksOf({ environment, instance, view }) : noLinks;
      this.#instance = undefined;
    }
    return this.#links;
  }

  get chunks(): ReadonlyMap<number, Part> {
    this.#chunks ??= new Map(chunksOf(this.view.parts));
    return this.#chunks;
  }
}

/** Links that were read, as long as their instances are kept. */
const read = new WeakMap<AnyInstance, InstanceLinks>();

function linksOf({ environment, instance, view }: OpenInstance): InstanceLinks {
  const links = read.get(instance) ?? environment.links?.(instance, view) ?? noLinks;
  read.set(instance, links);
  return links;
}

function chunksOf(parts: readonly Part[]): [number, Part][] {
  return parts.flatMap((part) => [
    ...(part.chunk ? [[part.chunk.number, part] satisfies [number, Part]] : []),
    ...chunksOf(part.kind === 'section' ? part.children : []),
  ]);
}
