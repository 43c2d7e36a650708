/** What a person can do on the page of an episode. */
import type { FromPage, Order } from './messages.ts';
import type { Model } from './model.ts';

export interface Actions {
  /** How things are now: what a person did since the page was drawn is in no model that was drawn. */
  now(): Model;
  send(message: FromPage): void;
  order(order: Order): void;
  /** Goes to a state; nowhere for null. */
  go(node: number | null): void;
  /** Changes what only the page knows of. */
  change(change: Partial<Model>): void;
  /** Answers a question of a judge, whatever was answered since the page was drawn. */
  answer(key: string, value: string): void;
  /** Gives the verdict that the answers make. */
  judge(): void;
  /** Folds a part of the page, or unfolds it. */
  turn(part: string): void;
  /** Goes on with the driver that is chosen. */
  play(reach: 'step' | 'end' | 'problem'): void;
  /** Acts as a person. */
  act(reply: string): void;
  /** Something was typed into the reply; the cursor is at `offset`. */
  type(text: string, offset: number): void;
}
