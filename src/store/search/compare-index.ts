import type { Client, Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { lockSearchIndex } from '../row-locks/advisory-locks.ts';
import { typesWithText } from './file-words.ts';
import { countedChanges, indexColumns, indexedTables } from './search-changes.ts';

/** Documents of one transaction: those that change documents meanwhile wait no longer than for it. */
const documentsOfSlice = 500;

// In the order of the keys, from the documents and from the index: either may lack one of the other.
const slice = `
  changed AS (
    SELECT repository, id FROM (
      (SELECT repository, id FROM document
        WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
      UNION
      (SELECT repository, id FROM search_document
        WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT ${documentsOfSlice})
    ) either ORDER BY repository, id LIMIT ${documentsOfSlice}
  )`;

const sliceColumns = `(SELECT count(*)::int FROM changed) AS count, last.repository, last.id
  FROM (SELECT repository, id FROM changed ORDER BY repository DESC, id DESC LIMIT 1) last`;

const mendQuery = statement('mend-search-index')`
  WITH ${slice}, ${indexedTables('$3')}, ${countedChanges}
  SELECT (SELECT count(*)::int FROM gone) + (SELECT count(*)::int FROM written) AS mended, ${sliceColumns}`;

const checkQuery = statement('check-search-index')`
  WITH ${slice},
  wanted AS (SELECT ${indexColumns.ofSource} FROM changed c JOIN search_source s ON s.repository = c.repository AND s.id = c.id),
  found AS (SELECT ${indexColumns.ofSource} FROM changed c JOIN search_document s ON s.repository = c.repository AND s.id = c.id)
  SELECT (SELECT count(DISTINCT id)::int FROM (
    (TABLE wanted EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT TABLE wanted)
  ) d WHERE NOT EXISTS (SELECT FROM search_change c WHERE c.repository = d.repository AND c.document_id = d.id))
    AS mended, ${sliceColumns}`;

interface Slice extends DocumentPlace {
  readonly count: number;
  readonly mended: number;
}

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

/** In a check, what is still to be indexed is no difference. */
async function nextSlice(
  client: Client,
  { repository, id }: DocumentPlace,
  { isCheck, textTypes = typesWithText() }: Pick<ComparisonSettings, 'isCheck' | 'textTypes'>,
): Promise<Slice | undefined> {
  await lockSearchIndex(client);
  if (isCheck) return (await client.query<Slice>(checkQuery, [repository, id]))[0];
  return (await client.query<Slice>(mendQuery, [repository, id, textTypes]))[0];
}

/** Writes every row of the search index that differs from its document, slice by slice beside the server. */
export async function compareIndex(
  database: Pick<Database, 'transaction'>,
  { onProgress, signal, ...settings }: ComparisonSettings,
): Promise<ComparedIndex> {
  let place = beforeAllDocuments;
  let progress: ComparedIndex = { documents: 0, mended: 0 };
  while (!signal.aborted) {
    const from = place;
    const found = await database.transaction(60, (client) => nextSlice(client, from, settings));
    if (!found) break;
    place = found;
    progress = { documents: progress.documents + found.count, mended: progress.mended + found.mended };
    onProgress(progress);
  }
  return progress;
}
