import { modelColumns, nullableColumns, type RowWith, typed } from '../../db/columns.ts';
import { type Statement, statement } from '../../db/statement.ts';
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

// One key is by far the most frequent case.
const byKey: Statement<StoredEntry> = {
  ...statement('entry-by-key', entryRow)`
    SELECT ${columns} FROM directory_entry e WHERE e.directory = $1 AND e.id = $2`,
  isQuick: true,
};

// LIMIT keeps the planner at one look-up by key for each, whatever size it takes the table to have.
export const entriesByKey = (name: string, lock = ''): Statement<StoredEntry> => statement(name, entryRow)`
  SELECT e.* FROM unnest($1::text[], $2::text[]) AS wanted (directory, id)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM directory_entry e
    WHERE e.directory = wanted.directory AND e.id = wanted.id LIMIT 1 ${lock}
  ) e`;

const byKeys = quickForFewKeys(entriesByKey('entries-by-key'));

export const keyValues = (keys: readonly EntryKey[]): unknown[] => [
  keys.map(({ directory }) => directory),
  keys.map(({ id }) => id),
];

// Pages of any number of directories in one statement; an empty one is a row without an entry. Not one of
// `lists/`: directories have names instead of UUIDs, and the total counts what is before `after`, too.
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
const filteredPages = pages('entries-stretch', {
  filter: 'AND e.properties @> $4::jsonb',
  after: 'AND (e.ordering, e.id) > ($5::bigint, $6::text)',
});

// The rest of what a label may be is for who asks: this leaves few enough of them.
const pagesContaining = pages('entries-containing', {
  filter: `AND (e.id ILIKE $4 OR e.properties::text ILIKE $4 OR e.properties::text LIKE '%: "label.%')`,
  after: '',
});

/** A pattern for the text within a value of JSON. */
const patternOf = (text: string): string => `%${prefixPattern(JSON.stringify(text).slice(1, -1))}`;

/** Before every entry: no id is empty. */
const beginning: EntryPosition = { ordering: Number.MIN_SAFE_INTEGER, id: '' };

/** PostgreSQL has no text with NUL: no entry has such an id. */
export const isPossibleKey = ({ id }: EntryKey): boolean => !id.includes('\0');

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
    const wanted = keys.filter(isPossibleKey);
    const [only] = wanted;
    if (!only) return [];
    return wanted.length === 1
      ? db.query(byKey, [only.directory, only.id])
      : db.query(byKeys(wanted), keyValues(wanted));
  },
};
