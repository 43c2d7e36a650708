/** What a prompt must not spell out: the items that are held in the end. */
import type { Secret } from '../secrets.ts';
import type { Instance } from './instance.ts';

/** The keys, each on its own. */
export function secrets({ truth }: Instance): readonly Secret[] {
  return truth.map((text) => ({ text, kind: 'item to be reported' }));
}
