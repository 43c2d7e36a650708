/** Looking into JSON that somebody else wrote, where anything may be missing or of another type. */

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; one without keys when it is none. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a list; an empty one when it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The value when it is a whole number from 0 on. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The entries that are numbers or null; true and false count as 1 and 0. */
export function asMetrics(value: unknown): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(asFields(value)).flatMap(([key, inner]): [string, number | null][] => {
      if (inner === null) return [[key, null]];
      const number = typeof inner === 'boolean' ? Number(inner) : asNumber(inner);
      return number === null ? [] : [[key, number]];
    }),
  );
}

/** The entries that are texts or numbers. */
export function asGroups(value: unknown): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(asFields(value)).flatMap(([key, inner]): [string, string | number][] => {
      const group = asText(inner) ?? asNumber(inner);
      return group === null ? [] : [[key, group]];
    }),
  );
}
