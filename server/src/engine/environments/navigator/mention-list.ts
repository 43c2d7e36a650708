/** Mentions as they are found, before it is known how many there will be. */
import { columns, MENTION_ROLES, type MentionRole, type Mentions, NONE } from '../links.ts';

const roleNumbers = new Map<MentionRole, number>(MENTION_ROLES.map((role, number) => [role, number]));

/** Numbers a mention takes in the list. */
const WIDTH = 6;

export class MentionList {
  readonly labels: string[] = [];
  readonly #labelNumbers = new Map<string, number>();
  /** Start, end, role, entity, owner, label; and again. Longer than what is used of it. */
  #numbers = new Int32Array(1024 * WIDTH);
  #used = 0;

  /** Adds one, behind all that have been added: the list is in text order. */
  add(start: number, end: number, role: MentionRole, entity: number, owner = NONE, label?: string): void {
    if (this.#used === this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    const at = this.#used;
    numbers[at] = start;
    numbers[at + 1] = end;
    numbers[at + 2] = roleNumbers.get(role) ?? 0;
    numbers[at + 3] = entity;
    numbers[at + 4] = owner;
    numbers[at + 5] = label === undefined ? NONE : this.#labelNumber(label);
    this.#used = at + WIDTH;
  }

  /** All of them as columns, without marks. */
  finish(): Mentions {
    const numbers = this.#numbers;
    const all = columns(this.#used / WIDTH);
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

  #grow(): void {
    const more = new Int32Array(this.#numbers.length * 2);
    more.set(this.#numbers);
    this.#numbers = more;
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
