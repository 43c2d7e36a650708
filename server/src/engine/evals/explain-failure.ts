/** A failure of an endpoint as a person reads it. */
import type { ModelFailure } from './model.ts';

/** The provider's own words as a sentence, and then what to do; the latter alone is left out where nobody knows. */
export function explainFailure({ message, advice }: Pick<ModelFailure, 'message' | 'advice'>): string {
  const said = /[.!?…]["')\]]?$/.test(message) ? message : `${message}.`;
  return advice === '' ? said : `${said} ${advice}`;
}
