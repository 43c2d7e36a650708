/** The messages about environments and the data they need from outside. Part of `protocol.ts`, which has them all. */
import type { Checked } from '../engine/problem.ts';
import type { ExamineProgress } from './instances.ts';

/** A split of an environment, as a person picks it. */
export interface SplitInfo {
  readonly id: string;
  readonly description: string;
  /** Published number of instances. Higher indices give fresh instances unless the split is finite. */
  readonly size: number;
  readonly finite?: boolean;
  readonly test: boolean;
}

export interface EnvironmentInfo {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly splits: readonly SplitInfo[];
}

/** Data from outside that an environment needs. */
export interface DataInfo {
  readonly set: string;
  readonly title: string;
  /** Who publishes them and under what licence. */
  readonly origin: string;
  /** E.g. `5.6 MB`. */
  readonly size: string;
  /** Id of the environment. */
  readonly environment: string;
  /** Whether they are on this machine. */
  readonly isHere: boolean;
}

/** Requests about environments. */
export interface EnvironmentRequests {
  /** What there is to open. */
  'hopscope/environments': { readonly params: null; readonly result: readonly EnvironmentInfo[] };
  /** The data that environments need, one row for each environment that needs some. */
  'hopscope/data': { readonly params: null; readonly result: readonly DataInfo[] };
  /** Has the server look for data in a folder first; in none when it is empty. */
  'hopscope/dataFolder': { readonly params: { readonly folder: string }; readonly result: null };
  /**
   * Fetches a data set from its source, which is to be asked for by a person only. Tells of {@link ExamineProgress} under
   * `token` and stops when the request is cancelled; gives the folder.
   */
  'hopscope/fetchData': {
    readonly params: { readonly set: string; readonly token: string };
    readonly result: Checked<string>;
  };
}
