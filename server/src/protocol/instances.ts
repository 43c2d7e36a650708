/** The messages about instances: where they are, what lists show of them, what stands in them. Part of `protocol.ts`, which has them all. */
import type { Examination } from '../engine/evals/examination.ts';
import type { Checked } from '../engine/problem.ts';

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

/** What a list of instances is of: a split, or a file of instances by its address. */
export type InstanceSource =
  | { readonly environment: string; readonly split: string }
  | { readonly file: string };

/** Values that are wanted, by grouping; a grouping that is not named allows all. */
export type InstanceFilter = Readonly<Record<string, readonly (string | number)[]>>;

/** An instance as a list shows it. */
export interface InstanceRow extends InstanceLocation {
  /** In the source, from 0. */
  readonly position: number;
  /** E.g. `3 hops, 32k document tokens`; may be empty. */
  readonly description: string;
}

export interface InstancePage {
  readonly rows: readonly InstanceRow[];
  /** Position to go on from; null when the list ends here. */
  readonly next: number | null;
  /** Of the source, whatever the filter. */
  readonly total: number;
}

/** A way to tell instances of a source apart, with the values that occur in it. */
export interface InstanceGroups {
  readonly id: string;
  readonly label: string;
  readonly values: readonly { readonly value: string | number; readonly count: number }[];
}

/** Sent as the value of `$/progress` while `hopscope/examine` works. */
export interface ExamineProgress {
  readonly done: number;
  readonly total: number;
}

/** A place in a document, counted as in the Language Server Protocol. */
export interface Place {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** What a marked place of an instance document is to its question. */
export type MarkKind = 'answer' | 'evidence' | 'distractor';

export interface Mark {
  readonly kind: MarkKind;
  readonly range: Place;
}

/** Requests about instances. */
export interface InstanceRequests {
  /** The address of one instance; the error says why there is none, e.g. an index out of range. */
  'hopscope/locateInstance': {
    readonly params: InstanceSelector;
    readonly result: Checked<InstanceLocation>;
  };
  /** The text of the instance, or the documentation page, at a `hopscope:` address: the same one whenever it is asked for. */
  'hopscope/readInstance': { readonly params: { readonly uri: string }; readonly result: Checked<string> };
  /** A page of at most `count` instances of a source from position `from` on. */
  'hopscope/listInstances': {
    readonly params: {
      readonly source: InstanceSource;
      readonly from: number;
      readonly count: number;
      readonly filter: InstanceFilter;
    };
    readonly result: Checked<InstancePage>;
  };
  /** By what the instances of a source can be filtered. */
  'hopscope/instanceGroups': {
    readonly params: { readonly source: InstanceSource };
    readonly result: Checked<readonly InstanceGroups[]>;
  };
  /** The instance of an id, generated or in one of the files. */
  'hopscope/findInstance': {
    readonly params: { readonly id: string; readonly files: readonly string[] };
    readonly result: Checked<InstanceLocation>;
  };
  /**
   * Validates the instances of a source, or the one at `position`, and with `audit` looks for what gives them away. Works
   * in threads of its own; tells of {@link ExamineProgress} under `token`, and stops when the request is cancelled.
   */
  'hopscope/examine': {
    readonly params: {
      readonly source: InstanceSource;
      readonly position: number | null;
      readonly audit: boolean;
      readonly token: string;
    };
    readonly result: Checked<Examination>;
  };
  /**
   * What to decorate in an instance document. All of it are spoilers, and whether they are shown is for the editor to
   * say: it knows of a changed setting before the server does.
   */
  'hopscope/instanceMarks': { readonly params: { readonly uri: string }; readonly result: readonly Mark[] };
}
