import { type Statement, statement } from '../../db/statement.ts';
import { Conflict } from '../../errors.ts';
import { type EntryKey, entryPosition, type StoredEntry } from '../../loaders/directories/source.ts';
import { entriesByKey, isPossibleEntry, keyValues } from '../../loaders/directories/table.ts';
import type { Directory } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';
import type { EntryLockMode, EntryWriter, UnsavedEntry } from './writer.ts';

const locks: Readonly<Record<EntryLockMode, Statement<StoredEntry>>> = {
  'KEY SHARE': entriesByKey('lock-entries-key-share', 'FOR KEY SHARE'),
  UPDATE: entriesByKey('lock-entries-update', 'FOR UPDATE'),
};

const update = statement('update-entries')`
  UPDATE directory_entry e SET ordering = n.ordering, properties = n.properties
  FROM unnest($2::text[], $3::bigint[], $4::jsonb[]) AS n (id, ordering, properties)
  WHERE e.directory = $1 AND e.id = n.id`;

const referenced = statement('referenced-entries')`
  SELECT FROM directory_entry
  WHERE directory = ANY($1::text[]) AND properties ->> 'parent' = ANY($2::text[])
    AND NOT (directory = $3 AND id = ANY($2::text[])) LIMIT 1`;

/** Assigns ids to entries without ids, using the directory's next numbers. */
async function withIds(
  { db }: Scope,
  { name }: Directory,
  entries: readonly UnsavedEntry[],
): Promise<StoredEntry[]> {
  const made = entries.filter(({ id }) => id === undefined).length;
  const [create, update] = [{ name, lastId: made }, { lastId: { increment: made } }];
  const row = made > 0 && (await db.prisma.directory.upsert({ where: { name }, create, update }));
  let next = row ? Number(row.lastId) - made : 0;
  const nextId = () => {
    next += 1;
    return String(next);
  };
  return entries.map(({ id = nextId(), properties }) => ({ directory: name, id, properties }));
}

/** The order in which entries are locked, so that two transactions cannot deadlock. */
const byId = (one: EntryKey, other: EntryKey): number => (one.id < other.id ? -1 : 1);

/** Writes entries to the common table of directory entries. */
export const tableWriter: EntryWriter = {
  lock: async ({ db }, keys, mode) => {
    const possible = keys.filter(isPossibleEntry).toSorted(byId);
    return possible.length > 0 ? db.query(locks[mode], keyValues(possible)) : [];
  },
  create: async (scope, directory, entries) => {
    const named = await withIds(scope, directory, entries);
    const data = named.toSorted(byId).map((entry) => ({
      ...entry,
      ordering: entryPosition(directory, entry).ordering,
    }));
    const select = { id: true };
    const { directoryEntry } = scope.db.prisma;
    const rows = await directoryEntry.createManyAndReturn({ data, skipDuplicates: true, select });
    const inserted = new Set(rows.map(({ id }) => id));
    return named.filter(({ id }) => inserted.delete(id));
  },
  update: async ({ db }, directory, entries) => {
    const ids = entries.map(({ id }) => id);
    const orderings = entries.map((entry) => entryPosition(directory, entry).ordering);
    const properties = entries.map((entry) => JSON.stringify(entry.properties));
    await db.query(update, [directory.name, ids, orderings, properties]);
    return entries;
  },
  delete: async ({ db }, { name, children }, entries) => {
    const ids = entries.map(({ id }) => id);
    if (children.length > 0 && (await db.query(referenced, [children, ids, name])).length > 0) {
      throw new Conflict('This entry is referenced in another vocabulary.');
    }
    await db.prisma.directoryEntry.deleteMany({ where: { directory: name, id: { in: ids } } });
  },
};
