/** Documents of a sample: always the same, which are in memory then, and whose counts do not vary. */
const sampled = 10_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

/** The SQL of how many documents stand behind one of the sample. */
export const samplingFactor = `greatest(1, ${documents} / ${sampled})`;

/**
 * Tables for a WITH: `hits`, whether these are few, and `seen`, with columns of all hits, or of those in
 * a sample of all documents. PostgreSQL reads only one of the two.
 * @param found what finds documents `d`, from FROM on.
 * @param limit the SQL of how many hits are few.
 */
export const sampledTables = (found: string, columns: readonly string[], limit: string): string => `
  hits AS MATERIALIZED (SELECT count(*) <= ${limit} AS are_few FROM (SELECT ${found} LIMIT ${limit} + 1) h),
  seen AS MATERIALIZED (
    SELECT ${columns.join(', ')} ${found} AND (SELECT are_few FROM hits)
    UNION ALL
    SELECT ${columns.join(', ')} ${found} AND NOT (SELECT are_few FROM hits) AND d.id = ANY (ARRAY(
      SELECT id FROM search_document
      TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampled} / greatest(1, ${documents}))) REPEATABLE (0)
    ))
  )`;
