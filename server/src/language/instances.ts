/** Generated instances by address, with a small memory: an open document is asked about many times. */
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import { type InstanceText, viewAsJson } from '../engine/environments/view.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import type { EnvironmentInfo, InstanceLocation, InstanceSelector } from '../protocol.ts';
import { type InstanceAddress, parseInstanceUri, printInstanceUri } from './instance-uri.ts';

/** Instances kept ready; an open document keeps what it needs by itself. One of 128k tokens is about 4 MB with its view. */
const KEPT = 4;

export interface OpenInstance {
  readonly environment: Environment;
  readonly instance: AnyInstance;
  readonly view: InstanceText;
}

export interface Instances {
  environments(): readonly EnvironmentInfo[];
  locate(selector: InstanceSelector): Checked<InstanceLocation>;
  open(uri: string): Checked<OpenInstance>;
}

/** Generating takes a few milliseconds, so it happens here, on the thread that answers the editor. */
export function createInstances(environments: readonly Environment[]): Instances {
  const kept = new Map<string, OpenInstance>();

  function generate(selector: InstanceSelector): Checked<OpenInstance> {
    const environment = environments.find(({ id }) => id === selector.environment);
    if (!environment) {
      const known = environments.map(({ id }) => id).join(', ');
      return refuse(`there is no environment "${selector.environment}"; there are ${known}`);
    }
    const options = environment.parseOptions(selector.options ?? {});
    if (!options.ok) return options;
    const generated = environment.generate(selector.split, selector.index, options.value);
    if (!generated.ok) return generated;
    const { instance } = generated.value;
    return accept({ environment, instance, view: environment.view?.(instance) ?? viewAsJson(instance) });
  }

  function recall(address: InstanceAddress): Checked<OpenInstance> {
    const key = printInstanceUri(address);
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known); // youngest again
      return accept(known);
    }
    const opened = generate(address);
    if (!opened.ok) return opened;
    const { id } = opened.value.instance;
    if (id !== address.id) {
      return refuse(`this address is of ${address.id}, but the same place now holds ${id}`);
    }
    kept.set(key, opened.value);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return opened;
  }

  return {
    environments: () =>
      environments.map(({ id, title, description, splits }) => ({ id, title, description, splits })),

    locate(selector) {
      const opened = generate(selector);
      if (!opened.ok) return opened;
      const { id } = opened.value.instance;
      return accept({ id, uri: printInstanceUri({ ...selector, id }) });
    },

    open(uri) {
      const address = parseInstanceUri(uri);
      return address.ok ? recall(address.value) : address;
    },
  };
}
