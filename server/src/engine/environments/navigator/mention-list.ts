/** Mentions as they are found, before it is known how many there will be. */
import { columns, MENTION_ROLES, type MentionRole, type Mentions, NONE } from '../links.ts';

const roleNumbers = new Map<MentionRole, number>(MENTION_ROLES.map((role, number) => [role, number]));

/** Numbers a mention takes in the list. */
const WIDTH = 6;

export class MentionList {
  readonly labels: string[] = [];
  readonly #labelNumbers = new Map<string, number>();
  /** Start, end, role, entity, owner, label; and again. */
  readonly #numbers: number[] = [];

  /** Adds one, behind all that have been added: the list is in text order. */
  add(start: number, end: number, role: MentionRole, entity: number, owner = NONE, label?: string): void {
    const labelNumber = label === undefined ? NONE : this.#labelNumber(label);
    this.#numbers.push(start, end, roleNumbers.get(role) ?? 0, entity, owner, labelNumber);
  }

  /** All of them as columns, without marks. */
  finish(): Mentions {
    const numbers = this.#numbers;
    const all = columns(numbers.length / WIDTH);
    for (let i = 0, at = 0; i < all.count; i++, at += WIDTH) {
      all.starts[i] = numbers[at] ?? 0;
      all.ends[i] = numbers[at + 1] ?? 0;
      all.roles[i] = numbers[at + 2] ?? 0;
      all.entities[i] = numbers[at + 3] ?? NONE;
      all.owners[i] = numbers[at + 4] ?? NONE;
      all.labels[i] = numbers[at + 5] ?? NONE;
    }
    return all;
  }

  #labelNumber(label: string): number {
    const known = this.#labelNumbers.get(label);
    if (known !== undefined) return known;
    // Column numbers are 16 bits wide; a hostile document may have more labels than any reader wants to know.
    if (this.labels.length > 0x7ffe) return NONE;
    const number = this.labels.push(label) - 1;
    this.#labelNumbers.set(label, number);
    return number;
  }
}
