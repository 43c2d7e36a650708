/** The beginning of a transcript. */
import { reply } from '../../engine/environments/chat.ts';
import { accept, type Checked } from '../../engine/problem.ts';
import { printTranscript } from '../../engine/transcripts/print-transcript.ts';
import type { InstanceSelector } from '../../protocol.ts';
import type { Instances } from '../instances/instances.ts';
import { parseInstanceUri } from '../instances/uri.ts';

/** Front matter and an empty first step for the instance that `selector` names; the error says why there is none. */
export function newTranscript(
  selector: InstanceSelector | { readonly uri: string },
  instances: Instances,
): Checked<string> {
  const located = 'uri' in selector ? accept(selector) : instances.locate(selector);
  if (!located.ok) return located;
  const address = parseInstanceUri(located.value.uri);
  if (!address.ok) return address;
  const opened = instances.open(located.value.uri);
  if (!opened.ok) return opened;
  const { environment, id, split, index, options = {} } = address.value;
  return accept(
    printTranscript({
      environment,
      instance: id,
      instanceHash: null,
      split,
      index,
      instances: null,
      options,
      prompt: null,
      promptHash: null,
      model: null,
      policy: null,
      sampling: {},
      outcome: null,
      events: [reply('')],
    }),
  );
}
