/** Numbers as people read them, the same on any machine. */

/** A whole number with thousands separated, e.g. `32,954`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number of things in words, e.g. `1 instance` or `2,000 instances`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a group is called, e.g. `2 hops`, `1 hop` or `retail domain`. @param label in the plural where it is of numbers. */
export function groupName(value: string | number, label: string): string {
  return `${value} ${value === 1 ? label.replace(/s$/, '') : label}`;
}

/** A number with fixed decimals, or a dash where there is none. */
export function fixed(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** A difference with its sign, e.g. `+0.091`; a dash where there is none. What rounds to nothing has no sign. */
export function signed(value: number | null, digits = 3): string {
  if (value === null) return '–';
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : value > 0 ? `+${text}` : text;
}

/** A probability as tests give it: three decimals, or that it is below what they can show. */
export function chance(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

/** US dollars: cents from a dollar up, four decimals below, so that small costs do not look like none. */
export function dollars(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '–';
  if (amount === 0 || amount >= 0.99995) return `$${amount.toFixed(2)}`;
  return amount < 0.00005 ? '<$0.0001' : `$${amount.toFixed(4)}`;
}
