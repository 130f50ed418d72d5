import type { Client, Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { lockSearchIndex } from '../row-locks/advisory-locks.ts';
import { typesWithText } from './file-words.ts';
import { keysOf } from './next-index.ts';
import { countedChanges, indexColumns, indexedTables, onceOfDocument } from './search-changes.ts';
import { inHalves, setDocumentAside } from './set-aside.ts';

/** Documents of one transaction: those that change documents meanwhile wait no longer than for it. */
const documentsOfSlice = 500;

// In the order of the keys, from the documents and from the index: either may lack one of the other.
const sliceQuery = statement('slice-of-compared-index', { repository: 'text', id: 'uuid' })`
  SELECT repository, id FROM (
    (SELECT repository, id FROM document
      WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
    UNION
    (SELECT repository, id FROM search_document
      WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
  ) either ORDER BY repository, id LIMIT ${documentsOfSlice}`;

const changed = 'changed AS (SELECT * FROM unnest($1::text[], $2::uuid[]) AS c (repository, id))';

const mendQuery = statement('mend-search-index', { mended: 'int4' })`
  WITH ${changed}, ${indexedTables('$3')}, ${countedChanges},
  indexed_at_last AS (
    DELETE FROM job WHERE once IN (SELECT ${onceOfDocument('repository', 'id')} FROM changed)
  )
  SELECT (SELECT count(*)::int FROM gone) + (SELECT count(*)::int FROM written) AS mended`;

// A document that is set aside has no row.
const checkQuery = statement('check-search-index', { mended: 'int4' })`
  WITH changed AS (
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS c (repository, id)
    WHERE NOT EXISTS (SELECT FROM job j WHERE j.once = ${onceOfDocument('c.repository', 'c.id')})
  ),
  wanted AS (SELECT ${indexColumns.ofSource} FROM changed c JOIN search_source s ON s.repository = c.repository AND s.id = c.id),
  found AS (SELECT ${indexColumns.ofSource} FROM changed c JOIN search_document s ON s.repository = c.repository AND s.id = c.id)
  SELECT (SELECT count(DISTINCT id)::int FROM (
    (TABLE wanted EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT TABLE wanted)
  ) d WHERE NOT EXISTS (SELECT FROM search_change c WHERE c.repository = d.repository AND c.document_id = d.id))
    AS mended`;

interface ComparedIndex {
  readonly documents: number;
  /** Rows of the index that differed from their documents. */
  readonly mended: number;
}

interface ComparisonSettings {
  readonly isCheck: boolean;
  /** Which files have text: what `typesWithText` returns. */
  readonly textTypes?: string;
  readonly onProgress: (progress: ComparedIndex) => void;
  readonly signal: AbortSignal;
}

type Transactions = Pick<Database, 'transaction'>;

const withLock = <T>(database: Transactions, work: (client: Client) => Promise<T>): Promise<T> =>
  database.transaction(60, async (client) => {
    await lockSearchIndex(client);
    return work(client);
  });

/** In a check, what is still to be indexed is no difference. @returns how many rows differed. */
async function compareDocuments(
  database: Transactions,
  documents: readonly DocumentPlace[],
  { isCheck, textTypes = typesWithText() }: Pick<ComparisonSettings, 'isCheck' | 'textTypes'>,
): Promise<number> {
  let mended = 0;
  const compare = (places: readonly DocumentPlace[]): Promise<void> =>
    withLock(database, async ({ query }) => {
      const [found] = isCheck
        ? await query(checkQuery, keysOf(places))
        : await query(mendQuery, [...keysOf(places), textTypes]);
      mended += found?.mended ?? 0;
    });
  await inHalves(documents, compare, async (place, error) => {
    mended += 1;
    if (!isCheck) await withLock(database, (client) => setDocumentAside(client, place, error));
  });
  return mended;
}

/**
 * Writes every row of the search index that differs from its document, slice by slice beside the server. A
 * document that cannot be indexed is set aside; in a check, it differs.
 */
export async function compareIndex(
  database: Transactions & Pick<Database, 'query'>,
  { onProgress, signal, ...settings }: ComparisonSettings,
): Promise<ComparedIndex> {
  let place = beforeAllDocuments;
  let progress: ComparedIndex = { documents: 0, mended: 0 };
  while (!signal.aborted) {
    const documents = await database.query(sliceQuery, [place.repository, place.id]);
    const last = documents.at(-1);
    if (!last) break;
    const mended = await compareDocuments(database, documents, settings);
    place = last;
    progress = {
      documents: progress.documents + documents.length,
      mended: progress.mended + mended,
    };
    onProgress(progress);
  }
  return progress;
}
