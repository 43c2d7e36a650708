/** What a prompt must not spell out: the contents of the critical lines. */
import type { Secret } from '../secrets.ts';
import { distinctContents } from './fidelity.ts';
import type { Instance } from './instance.ts';

export function secrets(instance: Instance): readonly Secret[] {
  return distinctContents(instance).map((text) => ({ text, kind: 'content of a critical line' }));
}
