/** Texts with slots, such as `{id}`. They stand in `prompts/`, as all text that a model reads; here they are filled. */

export type Slots = Readonly<Record<string, string | number>>;

const slot = /\{(\w+)\}/g;

/** Fills the slots of a text in one pass, which never looks into what is filled in. Unknown slots stay. */
export function fill(text: string, slots: Slots): string {
  return text.replace(slot, (whole, name: string) =>
    Object.hasOwn(slots, name) ? String(slots[name]) : whole,
  );
}

/** Things in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(things: readonly string[], last = 'and'): string {
  if (things.length < 2) return things.join('');
  return `${things.slice(0, -1).join(', ')} ${last} ${things.at(-1)}`;
}
