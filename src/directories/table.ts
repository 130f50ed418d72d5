import type { Query } from '../db/database.ts';
import { quickForFew } from '../db/quick.ts';
import { Conflict } from '../errors.ts';
import type { StoredProperties } from '../model/stored.ts';
import {
  type DirectorySource,
  type EntriesPart,
  type Entry,
  type EntryHold,
  type EntryKey,
  type EntryPlace,
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

const nextId: Query = {
  name: 'next-entry-id',
  text: `
    INSERT INTO directory (name, last_id) VALUES ($1, 1)
    ON CONFLICT (name) DO UPDATE SET last_id = directory.last_id + 1 RETURNING last_id::text AS id`,
};

const insert: Query = {
  name: 'insert-entry',
  text: `
    INSERT INTO directory_entry (directory, id, ordering, properties) VALUES ($1, $2, $3::bigint, $4::jsonb)
    ON CONFLICT DO NOTHING RETURNING id`,
};

const update: Query = {
  name: 'update-entry',
  text: 'UPDATE directory_entry SET ordering = $3::bigint, properties = $4::jsonb WHERE directory = $1 AND id = $2',
};

const referenced: Query = {
  name: 'referenced-entry',
  text: `
    SELECT FROM directory_entry
    WHERE directory = ANY($1::text[]) AND properties ->> 'parent' = $2 AND NOT (directory = $3 AND id = $2) LIMIT 1`,
};

const remove: Query = {
  name: 'delete-entry',
  text: 'DELETE FROM directory_entry WHERE directory = $1 AND id = $2',
};

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
    const values = [wanted.map(({ directory }) => directory), wanted.map(({ id }) => id)];
    return db.query<Entry>(hold ? held[hold] : byKeys(wanted), values);
  },
  create: async ({ db }, directory, { id: given, properties }) => {
    const id = given ?? (await db.query<{ id: string }>(nextId, [directory.name]))[0]?.id ?? '';
    const { ordering } = placeOf(directory, { id, properties });
    const rows = await db.query(insert, [directory.name, id, ordering, JSON.stringify(properties)]);
    return rows.length === 1 ? { directory: directory.name, id, properties } : undefined;
  },
  update: async ({ db }, directory, entry) => {
    const { ordering } = placeOf(directory, entry);
    await db.query(update, [directory.name, entry.id, ordering, JSON.stringify(entry.properties)]);
    return entry;
  },
  delete: async ({ db }, { name, children }, { id }) => {
    if (children.length > 0 && (await db.query(referenced, [children, id, name])).length > 0) {
      throw new Conflict('This entry is referenced in another vocabulary.');
    }
    await db.query(remove, [name, id]);
  },
};
