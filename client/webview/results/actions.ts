/** What a person can do on the page of results. */
import type { RowQuery, StepPart } from '../../../server/src/protocol.ts';
import type { FromPage, Tab } from './messages.ts';
import type { PageNote } from './schemas.ts';

export interface Actions {
  send(message: FromPage): void;
  show(tab: Tab): void;
  ask(change: Partial<RowQuery>): void;
  /** Sorts by a column; by the same one again, the other way round. */
  sort(column: string): void;
  /** Chooses the row at a place of the table. */
  choose(at: number): void;
  /** Goes from the table to what it shows of an episode, and back. */
  enterDetails(): void;
  leaveDetails(close: boolean): void;
  /** Fetches a text, or more of it. */
  fetch(at: number, part: StepPart, from: number): void;
  annotate(note: PageNote): void;
  key(event: KeyboardEvent): void;
}
