import type { Statement } from '../../db/database.ts';
import { Conflict } from '../../errors.ts';
import { type EntryKey, entryPosition, type StoredEntry } from '../../loaders/directories/source.ts';
import { entriesByKey, isPossibleKey, keyValues } from '../../loaders/directories/table.ts';
import type { Directory } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';
import type { EntryLockMode, EntryWriter, UnsavedEntry } from './writer.ts';

const locks: Readonly<Record<EntryLockMode, Statement>> = {
  'KEY SHARE': entriesByKey('lock-entries-key-share', 'FOR KEY SHARE'),
  UPDATE: entriesByKey('lock-entries-update', 'FOR UPDATE'),
};

/** Reserves a number of ids. @returns the last one. */
const nextIds: Statement = {
  name: 'next-entry-ids',
  text: `
    INSERT INTO directory (name, last_id) VALUES ($1, $2::bigint)
    ON CONFLICT (name) DO UPDATE SET last_id = directory.last_id + $2::bigint RETURNING last_id::text AS last`,
};

const written = 'unnest($2::text[], $3::bigint[], $4::jsonb[]) AS n (id, ordering, properties)';

const insert: Statement = {
  name: 'insert-entries',
  text: `
    INSERT INTO directory_entry (directory, id, ordering, properties)
    SELECT $1, n.id, n.ordering, n.properties FROM ${written} ORDER BY n.id
    ON CONFLICT DO NOTHING RETURNING id`,
};

const update: Statement = {
  name: 'update-entries',
  text: `
    UPDATE directory_entry e SET ordering = n.ordering, properties = n.properties
    FROM ${written} WHERE e.directory = $1 AND e.id = n.id`,
};

const referenced: Statement = {
  name: 'referenced-entries',
  text: `
    SELECT FROM directory_entry
    WHERE directory = ANY($1::text[]) AND properties ->> 'parent' = ANY($2::text[])
      AND NOT (directory = $3 AND id = ANY($2::text[])) LIMIT 1`,
};

const remove: Statement = {
  name: 'delete-entries',
  text: 'DELETE FROM directory_entry WHERE directory = $1 AND id = ANY($2::text[])',
};

const valuesOf = (directory: Directory, entries: ReadonlyArray<Omit<StoredEntry, 'directory'>>) => [
  directory.name,
  entries.map(({ id }) => id),
  entries.map((entry) => entryPosition(directory, entry).ordering),
  entries.map(({ properties }) => JSON.stringify(properties)),
];

/** Entries with ids, which are made here for those without. */
async function withIds(
  { db }: Scope,
  directory: Directory,
  entries: readonly UnsavedEntry[],
): Promise<StoredEntry[]> {
  const made = entries.filter(({ id }) => id === undefined).length;
  const values = [directory.name, made];
  const [row] = made > 0 ? await db.query<{ last: string }>(nextIds, values) : [];
  let next = Number(row?.last) - made;
  const nextId = () => {
    next += 1;
    return String(next);
  };
  return entries.map(({ id = nextId(), properties }) => ({ directory: directory.name, id, properties }));
}

/** Entries are locked in this order, so that two transactions do not deadlock. */
const byId = (one: EntryKey, other: EntryKey): number => (one.id < other.id ? -1 : 1);

export const tableWriter: EntryWriter = {
  lock: async ({ db }, keys, mode) => {
    const possible = keys.filter(isPossibleKey).toSorted(byId);
    return possible.length > 0 ? db.query<StoredEntry>(locks[mode], keyValues(possible)) : [];
  },
  create: async (scope, directory, entries) => {
    const named = await withIds(scope, directory, entries);
    const rows = await scope.db.query<{ id: string }>(insert, valuesOf(directory, named));
    const inserted = new Set(rows.map(({ id }) => id));
    return named.filter(({ id }) => inserted.delete(id));
  },
  update: async ({ db }, directory, entries) => {
    await db.query(update, valuesOf(directory, entries));
    return entries;
  },
  delete: async ({ db }, { name, children }, entries) => {
    const ids = entries.map(({ id }) => id);
    if (children.length > 0 && (await db.query(referenced, [children, ids, name])).length > 0) {
      throw new Conflict('This entry is referenced in another vocabulary.');
    }
    await db.query(remove, [name, ids]);
  },
};
