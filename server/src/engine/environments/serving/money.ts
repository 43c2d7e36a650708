/** Amounts of money: kept in dollars as numbers, added up in whole cents so that sums are exact. */

/** The amount as a whole number of cents. */
export function cents(amount: number): number {
  return Math.round(amount * 100);
}

/** The sum of amounts in dollars. */
export function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + cents(amount), 0) / 100;
}

/** Rounded to cents. */
export function rounded(amount: number): number {
  return Math.round(amount * 100 + (amount < 0 ? -1e-7 : 1e-7)) / 100;
}
