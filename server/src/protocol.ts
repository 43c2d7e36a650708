/**
 * Every message between editor and language server that is not part of the Language Server Protocol, declared once.
 * Types only: both sides import them, neither gets code from here.
 *
 * A request that can fail for a reason a person should read returns {@link Checked}; a rejected request means a
 * defect or a server that is gone.
 */
import type { Checked } from './engine/problem.ts';

/** A split of an environment, as a person picks it. */
export interface SplitInfo {
  readonly id: string;
  readonly description: string;
  /** Published number of instances. Higher indices give fresh instances. */
  readonly size: number;
  readonly test: boolean;
}

export interface EnvironmentInfo {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly splits: readonly SplitInfo[];
}

/** Which generated instance is meant. */
export interface InstanceSelector {
  readonly environment: string;
  readonly split: string;
  /** Position in the split, from 0. */
  readonly index: number;
  /** Of the environment; its defaults when absent. Plain JSON. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Where an instance opens. */
export interface InstanceLocation {
  /** `hopscope:` and readable by {@link Requests} `hopscope/readInstance`, now and after a restart. */
  readonly uri: string;
  readonly id: string;
}

/** Requests from the editor to the server: method name, parameters, result. */
export interface Requests {
  /** What there is to open. */
  'hopscope/environments': { readonly params: null; readonly result: readonly EnvironmentInfo[] };
  /** The address of one instance; the error says why there is none, e.g. an index out of range. */
  'hopscope/locateInstance': {
    readonly params: InstanceSelector;
    readonly result: Checked<InstanceLocation>;
  };
  /** The text of the instance at a `hopscope:` address. The same address always gives the same text. */
  'hopscope/readInstance': { readonly params: { readonly uri: string }; readonly result: Checked<string> };
}

export type RequestMethod = keyof Requests;
export type RequestParams<M extends RequestMethod> = Requests[M]['params'];
export type RequestResult<M extends RequestMethod> = Requests[M]['result'];
