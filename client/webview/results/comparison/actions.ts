/** What a person can do on the page of a comparison. */
import type { FromComparison } from './messages.ts';

export interface ComparisonActions {
  send(message: FromComparison): void;
  /** Brings the pair at a place to the front. */
  show(at: number): void;
}
