/** Documents of a sample: always the same, which are in memory then, and whose counts do not vary. */
const sampled = 7_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

/** The SQL of how many documents stand behind one of the sample. */
export const samplingFactor = `greatest(1, ${documents} / ${sampled})`;

const sample = `SELECT ctid AS place FROM search_document
  TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampled} / greatest(1, ${documents}))) REPEATABLE (0)`;

// PostgreSQL takes a list of places for ten rows, and would look at the ACL of each row anew: the second form
// is for callers who have ACLs. It takes a tenth longer for those who have none.
const isSampled = `d.place = ANY (ARRAY(${sample}))`;
const sampledRows = `(SELECT s.* FROM (${sample}) p
  CROSS JOIN LATERAL (SELECT * FROM searchable s WHERE s.place = p.place LIMIT 1) s)`;

/** `few` are all counted, of `many` a sample; of `unknown` the statement finds out. */
export type HitAmount = 'few' | 'many' | 'unknown';

interface Sampling {
  /** A join that keeps documents `d` which the caller may read; empty for those who may read all. */
  readonly granting: string;
  /** The condition on documents `d`, with WHERE. */
  readonly where: string;
  readonly columns: readonly string[];
  /** The parameter with the most that are few, for `unknown`. */
  readonly limit: string;
  readonly hits: HitAmount;
}

/** Tables for a WITH: `hits`, whether these are few, and `seen`, with columns of all hits or of a sample. */
export function sampledTables({ granting, where, columns, limit, hits }: Sampling): string {
  const foundIn = (rows: string) => `FROM ${rows} d ${granting} ${where}`;
  const of = `SELECT ${columns.join(', ')}`;
  const all = `${of} ${foundIn('searchable')}`;
  const some = granting === '' ? `${all} AND ${isSampled}` : `${of} ${foundIn(sampledRows)}`;
  const tables = (areFew: string, seen: string) =>
    `hits AS MATERIALIZED (SELECT ${areFew} AS are_few), seen AS MATERIALIZED (${seen})`;
  if (hits === 'few') return tables('true', all);
  if (hits === 'many') return tables('false', some);
  const counted = `(SELECT count(*) <= ${limit} FROM (SELECT ${foundIn('searchable')} LIMIT ${limit} + 1) h)`;
  const few = '(SELECT are_few FROM hits)';
  return tables(counted, `${all} AND ${few} UNION ALL ${some} AND NOT ${few}`);
}
