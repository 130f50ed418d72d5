import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const sizes = [100, 1_000, 10_000] as const;

const known = statement('known-documents', { documents: 'float8' })`
  SELECT reltuples::float8 AS documents FROM pg_class WHERE oid = 'document'::regclass`;

const analyze = statement('analyze-documents')`ANALYZE document, search_document`;

/**
 * Updates the planner statistics of a newly created database before autovacuum does, which runs at most once a minute.
 * Until then, PostgreSQL would plan as if there were few documents, and would check the parent of each new document by
 * reading all documents.
 * @returns a function to call with the number of changes that each batch has indexed
 */
export function youngStatistics(
  db: Pick<Client, 'query'>,
  onError: (error: unknown) => void,
): (changes: number) => void {
  let [seen, taken, isUnderWay] = [0, 0, false];
  const take = async (size: number): Promise<void> => {
    const [row] = await db.query(known, []);
    if (row && row.documents < size / 2) await db.query({ ...analyze, name: '' }, []);
    taken = size;
  };
  return (changes) => {
    seen += changes;
    const size = sizes.findLast((each) => each <= seen) ?? 0;
    if (size <= taken || isUnderWay) return;
    isUnderWay = true;
    take(size)
      .catch(onError)
      .finally(() => {
        isUnderWay = false;
      });
  };
}
