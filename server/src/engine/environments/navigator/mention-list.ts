/** Mentions as they are found, before it is known how many there will be. */
import { columns, MENTION_ROLES, type MentionRole, type Mentions, NONE } from '../links.ts';

const roleNumbers = new Map<MentionRole, number>(MENTION_ROLES.map((role, number) => [role, number]));

export class MentionList {
  readonly labels: string[] = [];
  readonly #labelNumbers = new Map<string, number>();
  /** Longer than what is used of them. */
  #columns = columns(2048);
  #count = 0;

  /** Adds one, behind all that have been added: the list is in text order. */
  add(start: number, end: number, role: MentionRole, entity: number, owner = NONE, label?: string): void {
    if (this.#count === this.#columns.count) this.#columns = resized(this.#columns, this.#count * 2);
    const { starts, ends, roles, entities, owners, labels } = this.#columns;
    const at = this.#count++;
    starts[at] = start;
    ends[at] = end;
    roles[at] = roleNumbers.get(role) ?? 0;
    entities[at] = entity;
    owners[at] = owner;
    labels[at] = label === undefined ? NONE : this.#labelNumber(label);
  }

  /** All of them, without marks. */
  finish(): Mentions {
    return resized(this.#columns, this.#count);
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

/** The first `count` mentions of `from`, with room for those that it does not have. */
function resized(from: Mentions, count: number): Mentions {
  const to = columns(count);
  to.starts.set(from.starts.subarray(0, count));
  to.ends.set(from.ends.subarray(0, count));
  to.roles.set(from.roles.subarray(0, count));
  to.entities.set(from.entities.subarray(0, count));
  to.owners.set(from.owners.subarray(0, count));
  to.labels.set(from.labels.subarray(0, count));
  return to;
}
