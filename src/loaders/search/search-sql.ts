import { type OrderKey, positionSql } from '../../query/order-sql.ts';
import { documentColumns } from '../documents/document-row.ts';
import type { Counting } from './many-hits.ts';
import type { SearchView } from './search-view.ts';

/** The keys as columns; the order of what is found, and that within its parts. */
function orderSql(keys: readonly OrderKey[]) {
  const terms = keys.map(
    ({ isAscending, isNullable }, index) =>
      `k${index} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
  );
  const [, ...others] = terms;
  return {
    kept: keys.map(({ value }, index) => `, ${value} AS k${index}`).join(''),
    orderBy: [...terms, 'id'].join(', '),
    orderOfParts: [...(keys[0]?.isAgainstIndex ? ['k0 ASC NULLS FIRST', ...others] : terms), 'id'].join(', '),
  };
}

/** Conditions, one of which holds for each row: set or unset, where an index has the order of either. */
export const partsOf = ([first]: readonly OrderKey[]): readonly string[] =>
  first?.isAgainstIndex ? [`${first.value} IS NOT NULL`, `${first.value} IS NULL`] : ['true'];

/** The keys of `hits`. */
export const keysOfHits = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key, index) => ({ ...key, value: `k${index}` }));

export interface FoundHits {
  /** What finds documents `d`, from FROM on. */
  readonly found: string;
  readonly keys: readonly OrderKey[];
  /** The number up to which they are counted. */
  readonly most: string;
  readonly counting?: Counting | undefined;
}

/** Where a page begins: conditions on documents, and one on `hits`. */
export interface PageBeginning {
  readonly after: readonly string[];
  readonly afterOfHits: string;
}

const countSql = 'SELECT count(*)::int AS total';

/** The total; and the state of the index in which it was counted, if this is to be kept. */
function countedSql(most: string, counting: Counting | undefined): string {
  if (!counting) return `${countSql}, NULL::json AS state FROM hits`;
  const { stateSql, areMost } = counting;
  return `SELECT CASE WHEN ${areMost} THEN ${most} ELSE (${countSql} FROM hits) END AS total,
    CASE WHEN ${areMost} THEN NULL ELSE row_to_json(s) END AS state FROM (${stateSql}) s`;
}

/**
 * What a page is read from: `tables` for a WITH, of which `counted` has the total, and `rows`, the documents
 * with their keys, of which as many are enough as `limit` has.
 *
 * Counting ends at its limit. What it has found is kept, and is all there is where it is less; of more, a
 * page is read in the order of an index. So the condition is there twice, but only one of both reads a page.
 */
function readFrom(
  { found, keys, most, counting }: FoundHits,
  { after, afterOfHits }: PageBeginning,
  limit: string,
) {
  const { kept, orderOfParts } = orderSql(keys);
  const isKept = keys.every((key) => !key.isCostly);
  const hits = isKept ? `SELECT d.id${kept} ${found} LIMIT ${most}` : `SELECT ${found} LIMIT ${most}`;
  const areAll = `(SELECT total < ${most} FROM counted)`;
  const parts = after.map((condition) => {
    const conditions = isKept ? `${condition} AND NOT ${areAll}` : condition;
    return `(SELECT d.id${kept} ${found} AND ${conditions} ORDER BY ${orderOfParts} ${limit})`;
  });
  const few = isKept ? [`(SELECT * FROM hits WHERE ${areAll} AND ${afterOfHits})`] : [];
  return {
    tables: `hits AS MATERIALIZED (${hits}), counted AS MATERIALIZED (${countedSql(most, counting)})`,
    rows: `(${[...few, ...parts].join(' UNION ALL ')}) u`,
  };
}

export type Part = Readonly<Record<'limit' | 'offset', string>>;

/** `ids` of a page, with their places in it as `at`. */
export function pageOfIds(of: FoundHits, { limit, offset }: Part) {
  const { orderBy } = orderSql(of.keys);
  const beginning = { after: partsOf(of.keys), afterOfHits: 'true' };
  const { tables, rows } = readFrom(of, beginning, `LIMIT ${limit}::bigint + ${offset}`);
  return {
    tables,
    ids: `(SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (SELECT * FROM ${rows} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) f)`,
  };
}

// Both kinds of pages have the same columns: one statement may unite them.
// The rows of the index may be behind: the page shows the documents themselves, and only to callers who may
// still read them.
export function searchSql({ granting }: SearchView, of: FoundHits, part: Part): string {
  const { tables, ids } = pageOfIds(of, part);
  return `WITH ${tables}
      SELECT c.total, c.state, NULL::json AS last, row_to_json(d) AS row
      FROM counted c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM ${ids} p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
      ) d ON true
      ORDER BY d."at"`;
}

// Of a page by cursor the position of its last row is needed, whether its document may still be read or not,
// and whether a row comes after it.
export function cursorSql(
  { granting }: SearchView,
  of: FoundHits,
  { limit, ...beginning }: PageBeginning & { readonly limit: string },
): string {
  const { orderBy } = orderSql(of.keys);
  const most = `LIMIT ${limit} + 1`;
  const { tables, rows } = readFrom(of, beginning, most);
  const position = positionSql([...keysOfHits(of.keys), { value: 'id', type: 'uuid' }]);
  return `WITH ${tables}, p AS MATERIALIZED (
      SELECT f.id, ${position} AS keys, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (SELECT * FROM ${rows} ORDER BY ${orderBy} ${most}) f
    )
    SELECT c.total, c.state, l.last, row_to_json(d) AS row
    FROM counted c
      CROSS JOIN (
        SELECT (SELECT p.keys FROM p WHERE p."at" = ${limit} AND EXISTS (SELECT FROM p WHERE p."at" > ${limit})) AS last
      ) l
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at" FROM p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
        WHERE p."at" <= ${limit}
      ) d ON true
    ORDER BY d."at"`;
}
