/** What a person can do on the page of a preview. */
import type { FromPage } from './messages.ts';

export interface Actions {
  send(message: FromPage): void;
  markChanges(marks: boolean): void;
  /** Has the message at that position shown whole, from now on. */
  showWhole(message: number): void;
}
