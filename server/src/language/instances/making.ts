/**
 * Making instances for the editor. As a split has them they take some milliseconds and are made at once. Options that decide
 * about instances may ask for what takes many attempts, or for what there is not: after a few attempts here those are made
 * elsewhere, if the host can, and what failed once is remembered.
 */
import type { AnyInstance, Environment } from '../../engine/environments/environment.ts';
import { optionsOfScope } from '../../engine/environments/option-fields.ts';
import { accept, type Checked, refuse } from '../../engine/problem.ts';
import type { InstanceSelector } from '../../protocol.ts';
import { missingData } from './missing-data.ts';

/** Makes one off the thread that answers the editor. Rejects when it cannot, or when the signal fires. */
export type MakeElsewhere = (
  selector: InstanceSelector,
  signal: AbortSignal,
) => Promise<Checked<AnyInstance>>;

export interface Maker {
  /** Now, whatever it takes; at once what was prepared or has failed before. The error is half a sentence. */
  make(selector: InstanceSelector): Checked<AnyInstance>;
  /** Whether {@link Maker.make} is known to take no time, or cannot be helped. */
  isReady(selector: InstanceSelector): boolean;
  /**
   * To be awaited before making what is not ready; which it still is not if another wish came meanwhile.
   *
   * @param owner who asks, e.g. a document's address: of each only the last wish counts
   */
  prepare(selector: InstanceSelector, owner: string): Promise<void>;
}

/** Prepared instances kept until somebody takes them, and failures remembered. */
const kept = { instances: 2, failures: 200 };

/** Attempts made on the thread that answers the editor: most instances need one, and each takes some milliseconds. */
const quick = 4;

export function createMaker(
  environments: readonly Environment[],
  elsewhere: MakeElsewhere | undefined,
): Maker {
  const made = new Map<string, AnyInstance>();
  const failed = new Map<string, string>();
  const wishes = new Map<string, Wish>();

  const environmentOf = ({ environment }: InstanceSelector) =>
    environments.find(({ id }) => id === environment);

  function makeNow(selector: InstanceSelector, attempts?: number): Checked<AnyInstance> {
    const environment = environmentOf(selector);
    if (!environment) {
      const known = environments.map(({ id }) => id).join(', ');
      return refuse(`there is no environment "${selector.environment}"; there are ${known}`);
    }
    const options = environment.parseOptions(selector.options ?? {});
    if (!options.ok) return options;
    const generated = environment.generate(selector.split, selector.index, options.value, attempts);
    return generated.ok ? accept(generated.value.instance) : generated;
  }

  function remember(key: string, result: Checked<AnyInstance>): void {
    if (result.ok) keep(made, key, result.value, kept.instances);
    else keep(failed, key, result.error, kept.failures);
  }

  /** What tells instances apart; undefined for one as its split has it. */
  function keyOf(selector: InstanceSelector): string | undefined {
    const { environment, split, index, options = {} } = selector;
    const deciding = optionsOfScope(environmentOf(selector)?.optionFields, options, 'instance');
    if (Object.keys(deciding).length === 0) return undefined;
    // Nothing is remembered of what only waits for data.
    if (missingData(environmentOf(selector)) !== null) return undefined;
    return JSON.stringify([environment, split, index, deciding]);
  }

  const isKnown = (key: string) => made.has(key) || failed.has(key);

  return {
    make(selector) {
      const key = keyOf(selector);
      if (key === undefined) return makeNow(selector);
      const ready = made.get(key);
      made.delete(key); // whoever takes it keeps it as long as it is wanted
      if (ready !== undefined) return accept(ready);
      const failure = failed.get(key);
      if (failure !== undefined) return refuse(failure);
      const result = makeNow(selector);
      if (!result.ok) remember(key, result);
      return result;
    },
    isReady(selector) {
      const key = elsewhere && keyOf(selector);
      return key === undefined || isKnown(key);
    },
    async prepare(selector, owner) {
      const key = keyOf(selector);
      if (elsewhere === undefined || key === undefined || isKnown(key)) return;
      const before = wishes.get(owner);
      if (before?.key === key) return before.done;
      before?.abort.abort();
      const quickly = makeNow(selector, quick);
      if (quickly.ok) {
        wishes.delete(owner);
        remember(key, quickly);
        return;
      }
      const abort = new AbortController();
      const done = elsewhere(selector, abort.signal)
        .then(
          (result) => remember(key, result),
          (error: unknown) => {
            if (!abort.signal.aborted)
              remember(key, refuse(error instanceof Error ? error.message : 'it failed'));
          },
        )
        .finally(() => {
          if (wishes.get(owner)?.abort === abort) wishes.delete(owner);
        });
      wishes.set(owner, { key, abort, done });
      return done;
    },
  };
}

interface Wish {
  readonly key: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value); // youngest again
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
