import type { Query } from '../db/database.ts';
import { quickForFew } from '../db/quick.ts';
import { Conflict } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import {
  type DirectorySource,
  type EntriesPart,
  type Entry,
  type EntryHold,
  type EntryKey,
  type EntryPlace,
  type NewEntry,
  placeOf,
} from './source.ts';

const columns = 'e.directory, e.id, e.properties';

// One key is by far the most frequent case.
const byKey: Query = {
  name: 'entry-by-key',
  isQuick: true,
  text: `SELECT ${columns} FROM directory_entry e WHERE e.directory = $1 AND e.id = $2`,
};

/** The limit keeps the planner at one look-up by key for each, whatever it takes the table to be. */
const found = (name: string, hold = ''): Query => ({
  name,
  text: `
    SELECT e.* FROM unnest($1::text[], $2::text[]) AS wanted (directory, id)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM directory_entry e
      WHERE e.directory = wanted.directory AND e.id = wanted.id LIMIT 1 ${hold}
    ) e`,
});

const byKeys = quickForFew(found('entries-by-key'));
const held: Readonly<Record<EntryHold, Query>> = {
  'KEY SHARE': found('entries-held-key-share', 'FOR KEY SHARE'),
  UPDATE: found('entries-held-update', 'FOR UPDATE'),
};

/** Parts of any number of directories in one statement; an empty one is a row without an entry. */
const parts = (name: string, { fitting, behind }: { fitting: string; behind: string }): Query => ({
  name,
  text: `
    SELECT d.name AS "of", c.total, e.id, e.properties
    FROM unnest($1::text[]) AS d (name)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS total FROM directory_entry e WHERE e.directory = d.name ${fitting}
    ) c
    LEFT JOIN LATERAL (
      SELECT e.id, e.ordering, e.properties FROM directory_entry e
      WHERE e.directory = d.name ${fitting} ${behind}
      ORDER BY e.ordering, e.id LIMIT $2::int OFFSET $3::int
    ) e ON true
    ORDER BY d.name, e.ordering, e.id`,
});

const page = parts('entries-page', { fitting: '', behind: '' });
const stretch = parts('entries-stretch', {
  fitting: 'AND e.properties @> $4::jsonb',
  behind: 'AND (e.ordering, e.id) > ($5::bigint, $6::text)',
});

/** No entry has a blank id, nor stands before this place. */
const beginning: EntryPlace = { ordering: Number.MIN_SAFE_INTEGER, id: '' };

/** Answers the last of so many. */
const nextIds: Query = {
  name: 'next-entry-ids',
  text: `
    INSERT INTO directory (name, last_id) VALUES ($1, $2::bigint)
    ON CONFLICT (name) DO UPDATE SET last_id = directory.last_id + $2::bigint RETURNING last_id::text AS last`,
};

const written = 'unnest($2::text[], $3::bigint[], $4::jsonb[]) AS n (id, ordering, properties)';

const insert: Query = {
  name: 'insert-entries',
  text: `
    INSERT INTO directory_entry (directory, id, ordering, properties)
    SELECT $1, n.id, n.ordering, n.properties FROM ${written} ORDER BY n.id
    ON CONFLICT DO NOTHING RETURNING id`,
};

const update: Query = {
  name: 'update-entries',
  text: `
    UPDATE directory_entry e SET ordering = n.ordering, properties = n.properties
    FROM ${written} WHERE e.directory = $1 AND e.id = n.id`,
};

const referenced: Query = {
  name: 'referenced-entries',
  text: `
    SELECT FROM directory_entry
    WHERE directory = ANY($1::text[]) AND properties ->> 'parent' = ANY($2::text[])
      AND NOT (directory = $3 AND id = ANY($2::text[])) LIMIT 1`,
};

const remove: Query = {
  name: 'delete-entries',
  text: 'DELETE FROM directory_entry WHERE directory = $1 AND id = ANY($2::text[])',
};

const valuesOf = (directory: Directory, entries: ReadonlyArray<Omit<Entry, 'directory'>>) => [
  directory.name,
  entries.map(({ id }) => id),
  entries.map((entry) => placeOf(directory, entry).ordering),
  entries.map(({ properties }) => JSON.stringify(properties)),
];

/** Entries with ids, made here where the server makes them. */
async function withIds({ db }: Scope, directory: Directory, entries: readonly NewEntry[]): Promise<Entry[]> {
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

/** The order in which everybody holds entries of a directory, so that nobody waits in a circle. */
const byId = (one: EntryKey, other: EntryKey): number => (one.id < other.id ? -1 : 1);

/** PostgreSQL has no text with NUL: nothing has such an id. */
const isPossible = ({ id }: EntryKey): boolean => !id.includes('\0');

type PartRow = { of: string; total: number } & ({ id: string; properties: StoredProperties } | { id: null });

/** The table `directory_entry`, which keeps the entries of most directories. */
export const table: DirectorySource = {
  list: async ({ db }, directories, { filter, limit, offset, after }) => {
    const fixed = [directories, limit, offset];
    const { ordering, id } = after ?? beginning;
    const isPage = !after && Object.keys(filter).length === 0;
    const rows = isPage
      ? await db.query<PartRow>(page, fixed)
      : await db.query<PartRow>(stretch, [...fixed, JSON.stringify(filter), ordering, id]);
    const found = new Map<string, { total: number; entries: Entry[] }>();
    for (const row of rows) {
      const part = found.get(row.of) ?? { total: row.total, entries: [] };
      found.set(row.of, part);
      if (row.id !== null) part.entries.push({ directory: row.of, id: row.id, properties: row.properties });
    }
    return directories.map((name): EntriesPart => found.get(name) ?? { total: 0, entries: [] });
  },
  find: async ({ db }, keys, hold) => {
    const wanted = keys.filter(isPossible);
    const [only] = wanted;
    if (!only) return [];
    if (wanted.length === 1 && !hold) return db.query<Entry>(byKey, [only.directory, only.id]);
    const all = hold ? wanted.toSorted(byId) : wanted;
    const values = [all.map(({ directory }) => directory), all.map(({ id }) => id)];
    return db.query<Entry>(hold ? held[hold] : byKeys(all), values);
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
