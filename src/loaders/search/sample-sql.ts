/** Documents of a sample: always the same, which are in memory then, and whose counts do not vary. */
const sampled = 10_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

/** The SQL of how many documents stand behind one of the sample. */
export const samplingFactor = `greatest(1, ${documents} / ${sampled})`;

const isSampled = `d.place = ANY (ARRAY(
  SELECT ctid FROM search_document
  TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampled} / greatest(1, ${documents}))) REPEATABLE (0)
))`;

interface Sampling {
  /** What finds documents `d`, from FROM on. */
  readonly found: string;
  readonly columns: readonly string[];
  readonly limit: string;
  readonly areFew: boolean | undefined;
}

/** Tables for a WITH: `hits`, whether these are few, and `seen`, with columns of all hits or of a sample. */
export function sampledTables({ found, columns, limit, areFew }: Sampling): string {
  const all = `SELECT ${columns.join(', ')} ${found}`;
  const tables = (hits: string, seen: string) =>
    `hits AS MATERIALIZED (SELECT ${hits} AS are_few), seen AS MATERIALIZED (${seen})`;
  if (areFew !== undefined) return tables(String(areFew), areFew ? all : `${all} AND ${isSampled}`);
  const counted = `(SELECT count(*) <= ${limit} FROM (SELECT ${found} LIMIT ${limit} + 1) h)`;
  const few = '(SELECT are_few FROM hits)';
  return tables(counted, `${all} AND ${few} UNION ALL ${all} AND NOT ${few} AND ${isSampled}`);
}
