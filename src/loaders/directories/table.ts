import { modelColumns, nullableColumns, type RowWith, typed } from '../../db/columns.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { isPossibleKey } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { prefixPattern } from '../../query/like.ts';
import { quickForFewKeys } from '../batch.ts';
import { pagesByKey } from '../lists/page-loader.ts';
import type { EntryKey, EntryPage, EntryPosition, EntrySource, StoredEntry } from './source.ts';

const columns = 'e.directory, e.id, e.properties';
const entryRow = {
  ...modelColumns('DirectoryEntry', 'directory', 'id'),
  properties: typed<StoredProperties>('jsonb'),
};
const pageRow = { of: 'text', listTotal: 'int4', ...nullableColumns(entryRow) } as const;

// A single key is by far the most frequent case, so there is a separate statement for it.
const byKey: Statement<StoredEntry> = {
  ...statement('entry-by-key', entryRow)`
    SELECT ${columns} FROM directory_entry e WHERE e.directory = $1 AND e.id = $2`,
  isQuick: true,
};

// `LIMIT 1` makes the planner look up each key in the index. Without it, the planner may scan the whole table when its
// statistics are outdated.
export const entriesByKey = (name: string, lock = ''): Statement<StoredEntry> => statement(name, entryRow)`
  SELECT e.* FROM unnest($1::text[], $2::text[]) AS requested (directory, id)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM directory_entry e
    WHERE e.directory = requested.directory AND e.id = requested.id LIMIT 1 ${lock}
  ) e`;

const byKeys = quickForFewKeys(entriesByKey('entries-by-key'));

export const keyValues = (keys: readonly EntryKey[]): unknown[] => [
  keys.map(({ directory }) => directory),
  keys.map(({ id }) => id),
];

// Reads pages of any number of directories with one statement. For each directory, one lateral subquery counts the
// entries and another reads the entries of the page in the order of an index; an empty page is returned as a row
// without an entry. The list does not use `defineList`, because directories have names instead of UUIDs, and because
// the total also counts the entries before `after`.
const pages = (name: string, { filter, after }: { filter: string; after: string }) => statement(
  name,
  pageRow,
)`
  SELECT d.name AS "of", c.total AS "listTotal", ${columns}
  FROM unnest($1::text[]) AS d (name)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS total FROM directory_entry e WHERE e.directory = d.name ${filter}
  ) c
  LEFT JOIN LATERAL (
    SELECT ${columns}, e.ordering FROM directory_entry e
    WHERE e.directory = d.name ${filter} ${after}
    ORDER BY e.ordering, e.id LIMIT $2::int OFFSET $3::int
  ) e ON true
  ORDER BY d.name, e.ordering, e.id`;

const allPages = pages('entries-page', { filter: '', after: '' });
const filteredPages = pages('entries-range', {
  filter: 'AND e.properties @> $4::jsonb',
  after: 'AND (e.ordering, e.id) > ($5::bigint, $6::text)',
});

// Entries whose label is a message key (`label.…`) always pass, because the database does not contain the text for the
// key. The caller compares the texts.
const pagesContaining = pages('entries-containing', {
  filter: `AND (e.id ILIKE $4 OR e.properties::text ILIKE $4 OR e.properties::text LIKE '%: "label.%')`,
  after: '',
});

/** A LIKE pattern that matches a substring of a JSON string. */
const patternOf = (text: string): string => `%${prefixPattern(JSON.stringify(text).slice(1, -1))}`;

/** A position before every entry, since no id is empty. */
const beginning: EntryPosition = { ordering: Number.MIN_SAFE_INTEGER, id: '' };

/** Whether an entry can have the key. */
export const isPossibleEntry = ({ id }: EntryKey): boolean => isPossibleKey(id);

function entryPages(
  rows: ReadonlyArray<RowWith<typeof pageRow>>,
  directories: readonly string[],
): EntryPage[] {
  const found = pagesByKey<StoredEntry>(rows);
  return directories.map((name): EntryPage => {
    const page = found.get(name);
    return { total: page?.total ?? 0, entries: page?.rows ?? [] };
  });
}

export const tableSource: EntrySource = {
  list: async ({ db }, directories, { filter, limit, offset, after, containing }) => {
    const fixed = [directories, limit, offset];
    if (containing !== undefined) {
      const rows = await db.query(pagesContaining, [...fixed, patternOf(containing)]);
      return entryPages(rows, directories);
    }
    const { ordering, id } = after ?? beginning;
    const isWhole = !after && Object.keys(filter).length === 0;
    const rows = isWhole
      ? await db.query(allPages, fixed)
      : await db.query(filteredPages, [...fixed, JSON.stringify(filter), ordering, id]);
    return entryPages(rows, directories);
  },
  find: async ({ db }, keys) => {
    const possible = keys.filter(isPossibleEntry);
    const [only] = possible;
    if (!only) return [];
    return possible.length === 1
      ? db.query(byKey, [only.directory, only.id])
      : db.query(byKeys(possible), keyValues(possible));
  },
};
