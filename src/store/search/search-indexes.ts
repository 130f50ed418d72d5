import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';
import type { Model } from '../../model/model.ts';
import type { SearchIndexDefinition } from '../../query/indexes/search-indexes.ts';
import { tryLockSearchIndexes } from '../row-locks/advisory-locks.ts';

/** The number of milliseconds between two checks whether another process is still creating indexes. */
const pollInterval = 10_000;

const foundQuery = statement('search-value-indexes', { name: 'name', isValid: 'bool' })`
  SELECT c.relname AS name, i.indisvalid AS "isValid"
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = 'search_document'::regclass AND starts_with(c.relname, $1)`;

const trigramsQuery = statement('trigram-operators', { operators: 'text' })`
  SELECT quote_ident(n.nspname) || '.gin_trgm_ops' AS operators
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'`;

/**
 * The SQLSTATEs of a failed CREATE EXTENSION: either the server does not have the extension, or the database user is
 * not allowed to create it.
 */
const missing: ReadonlySet<unknown> = new Set(['0A000', '58P01', '42501']);

/** The operator class for trigrams; undefined if the extension is not available in PostgreSQL. */
async function trigrams({ query, script }: ConnectionApart): Promise<string | undefined> {
  try {
    await script('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  } catch (error) {
    if (!missing.has((error as { code?: unknown }).code)) throw error;
  }
  const [found] = await query(trigramsQuery, []);
  return found?.operators;
}

// A GIN index keeps new entries in a pending list, which every search has to read as well. A small limit keeps this
// list short.
const creation = ({ name, of, columns }: SearchIndexDefinition, operators: string): string =>
  of === 'order'
    ? `CREATE INDEX CONCURRENTLY ${name} ON search_document (${columns.join(', ')})`
    : `CREATE INDEX CONCURRENTLY ${name} ON search_document
       USING GIN (${columns.map((column) => `${column} ${operators}`).join(', ')})
       WITH (gin_pending_list_limit = 512)`;

/** The names of the indexes that were changed. */
export interface IndexReport {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
  /** The indexes that were not created, because PostgreSQL lacks the extension `pg_trgm`. */
  readonly omitted: readonly string[];
}

/**
 * Creates missing indexes and drops those that are no longer needed, one after the other, while other connections read
 * and write. An invalid index, whose creation was interrupted, is created again.
 */
async function synchronize(
  connection: ConnectionApart,
  prefix: string,
  definitions: readonly SearchIndexDefinition[],
): Promise<IndexReport> {
  const { query, script } = connection;
  const found = await query(foundQuery, [prefix]);
  const names = new Set(definitions.map(({ name }) => name));
  const valid = new Set(
    found.filter(({ name, isValid }) => isValid && names.has(name)).map(({ name }) => name),
  );
  const dropped = found.map(({ name }) => name).filter((name) => !valid.has(name));
  for (const name of dropped) await script(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  const lacking = definitions.filter(({ name }) => !valid.has(name));
  const operators = lacking.some(({ of }) => of === 'trigrams') ? await trigrams(connection) : undefined;
  const omitted = lacking.filter(({ of }) => of === 'trigrams' && operators === undefined);
  const made = lacking.filter((one) => !omitted.includes(one));
  for (const one of made) await script(creation(one, operators ?? ''));
  // An index on an expression needs new statistics before the planner can use it well.
  if (made.length > 0) await script('ANALYZE search_document');
  const namesOf = (list: readonly SearchIndexDefinition[]) => list.map(({ name }) => name);
  return { made: namesOf(made), dropped, omitted: namesOf(omitted) };
}

/** Waits for its turn and then synchronizes the indexes, because only one process at a time can change them. */
async function synchronizeInTurn(
  { apart }: Pick<Database, 'apart'>,
  model: Model,
  signal: AbortSignal,
): Promise<IndexReport> {
  const { searchIndexesOf, searchIndexPrefix } = await import('../../query/indexes/search-indexes.ts');
  for (;;) {
    const report = await apart(
      async (connection) =>
        (await tryLockSearchIndexes(connection))
          ? synchronize(connection, searchIndexPrefix, searchIndexesOf(model))
          : undefined,
      signal,
    );
    if (report) return report;
    await wait(pollInterval, undefined, { ref: false, signal });
  }
}

interface RunningIndexing {
  /** Resolves when the indexes have been created or creating them has failed. */
  readonly settled: Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the database indexes that a model needs on the search index and drops those that it no longer needs, while
 * the server is running. Without these indexes, searches return the same results, but more slowly.
 */
export function startIndexing(
  database: Pick<Database, 'apart'>,
  model: Model,
  { onDone, onError }: { onDone: (report: IndexReport) => void; onError: (error: unknown) => void },
): RunningIndexing {
  const closing = new AbortController();
  const settled = synchronizeInTurn(database, model, closing.signal).then(onDone, (error: unknown) => {
    if (!closing.signal.aborted) onError(error);
  });
  return {
    settled,
    close: () => {
      closing.abort();
      return settled;
    },
  };
}
