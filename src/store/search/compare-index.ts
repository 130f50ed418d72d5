import type { Client, Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import { beforeAllDocuments, type DocumentPlace, keysOf } from '../documents/document-place.ts';
import { lockSearchIndex } from '../row-locks/advisory-locks.ts';
import { wordsOfDocuments, wordsTable } from './document-words.ts';
import { typesWithText } from './file-words.ts';
import { countedChanges, indexColumns, indexedTables, onceOfDocument, sourceRows } from './search-changes.ts';
import { inHalves, setDocumentAside } from './set-aside.ts';
import { addTitleWords } from './title-words.ts';

/**
 * The number of documents that one transaction compares. Writes to these documents have to wait until the transaction
 * ends.
 */
const documentsOfSlice = 500;

// Selects the next documents, ordered by key, from both tables, because either can lack a document that the other
// contains.
const sliceQuery = statement('slice-of-compared-index', { repository: 'text', id: 'uuid' })`
  SELECT repository, id FROM (
    (SELECT repository, id FROM document
      WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
    UNION
    (SELECT repository, id FROM search_document
      WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
  ) either ORDER BY repository, id LIMIT ${documentsOfSlice}`;

const changed = 'changed AS (SELECT * FROM unnest($1::text[], $2::uuid[]) AS c (repository, id))';

// Writes and deletes the index rows that differ for the documents `$1`, `$2`, and deletes the jobs of these documents:
// a document that was set aside and can now be indexed is no longer set aside.
const repairQuery = statement('repair-search-index', { differing: 'int4' })`
  WITH ${changed}, ${indexedTables('$3', 4)}, ${countedChanges},
  indexed_at_last AS (
    DELETE FROM job WHERE once IN (SELECT ${onceOfDocument('repository', 'id')} FROM changed)
  )
  SELECT (SELECT count(*)::int FROM gone) + (SELECT count(*)::int FROM written) AS differing`;

// Counts the documents whose index row differs from the one that they should have. Documents that are set aside have no
// row and do not count as different, and neither do documents with a change that has not been indexed yet.
const checkQuery = statement('check-search-index', { differing: 'int4' })`
  WITH changed AS (
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS c (repository, id)
    WHERE NOT EXISTS (SELECT FROM job j WHERE j.once = ${onceOfDocument('c.repository', 'c.id')})
  ),
  ${wordsTable(3)},
  expected AS (${sourceRows}),
  found AS (SELECT ${indexColumns.ofIndex} FROM changed c JOIN search_document s ON s.repository = c.repository AND s.id = c.id)
  SELECT (SELECT count(DISTINCT id)::int FROM (
    (TABLE expected EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT TABLE expected)
  ) d WHERE NOT EXISTS (SELECT FROM search_change c WHERE c.repository = d.repository AND c.document_id = d.id))
    AS differing`;

interface ComparedIndex {
  readonly documents: number;
  /** The number of index rows that differed from their documents. */
  readonly differing: number;
}

/** Settings for comparing the index with the documents. */
interface ComparisonSettings {
  /** Whether to only count the differences. */
  readonly isCheck: boolean;
  /** The media types of files that contain text, from `typesWithText`. */
  readonly textTypes?: string;
  readonly analysis?: WordAnalysis | undefined;
  readonly onProgress: (progress: ComparedIndex) => void;
  readonly signal: AbortSignal;
}

type Transactions = Pick<Database, 'transaction'>;

const withLock = <T>(database: Transactions, work: (client: Client) => Promise<T>): Promise<T> =>
  database.transaction(60, async (client) => {
    await lockSearchIndex(client);
    return work(client);
  });

/**
 * Compares some documents with their index rows.
 * @returns the number of rows that differed
 */
async function compareDocuments(
  database: Transactions,
  documents: readonly DocumentPlace[],
  {
    isCheck,
    textTypes = typesWithText(),
    analysis,
  }: Pick<ComparisonSettings, 'isCheck' | 'textTypes' | 'analysis'>,
): Promise<number> {
  let differing = 0;
  const compare = (places: readonly DocumentPlace[]): Promise<void> =>
    withLock(database, async (client) => {
      const keys = keysOf(places);
      const { columns, ofTitles } = await wordsOfDocuments(client, keys, analysis);
      const [found] = isCheck
        ? await client.query(checkQuery, [...keys, ...columns])
        : await client.query(repairQuery, [...keys, textTypes, ...columns]);
      if (!isCheck) await addTitleWords(client, ofTitles);
      differing += found?.differing ?? 0;
    });
  await inHalves(documents, compare, async (place, error) => {
    differing += 1;
    if (!isCheck) await withLock(database, (client) => setDocumentAside(client, place, error));
  });
  return differing;
}

/**
 * Rewrites every row of the search index that differs from its document, slice by slice, while the server is running. A
 * document that cannot be indexed is set aside. With `isCheck`, nothing is written, and such a document counts as a
 * difference.
 */
export async function compareIndex(
  database: Transactions & Pick<Database, 'query'>,
  { onProgress, signal, ...settings }: ComparisonSettings,
): Promise<ComparedIndex> {
  let place = beforeAllDocuments;
  let progress: ComparedIndex = { documents: 0, differing: 0 };
  while (!signal.aborted) {
    const documents = await database.query(sliceQuery, [place.repository, place.id]);
    const last = documents.at(-1);
    if (!last) break;
    const differing = await compareDocuments(database, documents, settings);
    place = last;
    progress = {
      documents: progress.documents + documents.length,
      differing: progress.differing + differing,
    };
    onProgress(progress);
  }
  return progress;
}
