/** A world as an episode sees it: tables that all episodes share, and the few rows that are the episode's own. */

/** Rows by id. */
export type Table<R> = Readonly<Record<string, R>>;

/** What a database holds; `T` names the type of row of each table. */
export interface Database<T extends object> {
  readonly base: { readonly [K in keyof T]: Table<T[K]> };
  /** Rows that differ from the base or are not in it. */
  readonly own: { readonly [K in keyof T]: Table<T[K]> };
}

/** A row; undefined when there is none. Ids from outside may be names of inherited members, so only own ones count. */
export function find<T extends object, K extends keyof T>(
  { base, own }: Database<T>,
  table: K,
  id: string,
): T[K] | undefined {
  if (Object.hasOwn(own[table], id)) return own[table][id];
  return Object.hasOwn(base[table], id) ? base[table][id] : undefined;
}

/** The database with one row put in. */
export function put<T extends object, K extends keyof T>(
  db: Database<T>,
  table: K,
  id: string,
  row: T[K],
): Database<T> {
  return { base: db.base, own: { ...db.own, [table]: { ...db.own[table], [id]: row } } };
}

/** A row in which two databases differ. */
export interface Difference {
  readonly table: string;
  readonly id: string;
  /** Null where there is no such row. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The rows in which databases over one base differ, by their content. */
export function differences<T extends object>(before: Database<T>, after: Database<T>): Difference[] {
  const found: Difference[] = [];
  for (const table of tablesOf(before)) {
    const ids = new Set([...Object.keys(before.own[table]), ...Object.keys(after.own[table])]);
    for (const id of ids) {
      const old = find(before, table, id) ?? null;
      const now = find(after, table, id) ?? null;
      if (old !== now && canonical(old) !== canonical(now)) {
        found.push({ table: String(table), id, before: old, after: now });
      }
    }
  }
  return found;
}

function tablesOf<T extends object>(db: Database<T>): (keyof T)[] {
  return Object.keys(db.base) as (keyof T)[];
}

/** JSON in which the order of keys says nothing. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
