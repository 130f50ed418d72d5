import type { OrderKey } from '../../query/order-sql.ts';
import type { Counting } from './exceeded-counts.ts';
import type { SearchView } from './search-view.ts';

/**
 * SQL for sort keys: `columns` selects them as `k0`, `k1` and so on, `orderBy` sorts hits by these columns, and
 * `orderOfParts` sorts each part of `partsOf` in a direction in which an index can return it.
 */
export function orderSql(keys: readonly OrderKey[]) {
  const terms = keys.map(
    ({ isAscending, isNullable }, index) =>
      `k${index} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
  );
  const [, ...others] = terms;
  return {
    columns: keys.map(({ value }, index) => `, ${value} AS k${index}`).join(''),
    orderBy: [...terms, 'id'].join(', '),
    orderOfParts: [...(keys[0]?.isOppositeToIndex ? ['k0 ASC NULLS FIRST', ...others] : terms), 'id'].join(
      ', ',
    ),
  };
}

/**
 * Conditions that divide the hits into parts. An index sorts unset values last in both directions. If the request asks
 * for the opposite, documents with a value and documents without one are read as two parts.
 */
const partsOf = ([first]: readonly OrderKey[]): readonly string[] =>
  first?.isOppositeToIndex ? [`${first.value} IS NOT NULL`, `${first.value} IS NULL`] : ['true'];

/** The sort keys, expressed as columns of `hits`. */
export const keysOfHits = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key, index) => ({ ...key, value: `k${index}` }));

/** The SQL from which a search is composed. */
export interface FoundHits {
  /** The SELECT list for a document `d`; absent for searches that return records. */
  readonly columns?: string;
  /** The query for documents `d`, starting with its FROM clause. */
  readonly found: string;
  readonly keys: readonly OrderKey[];
  /** The parameter that holds the number at which counting stops. */
  readonly maxCount: string;
  readonly counting?: Counting | undefined;
}

/** The position in the order at which reading begins. */
export interface Beginning {
  /** Conditions on documents; exactly one of them is true for each document after the position. */
  readonly after: readonly string[];
  /** A condition on rows of `hits` that is true for those after the position. */
  readonly afterOfHits: string;
}

export const fromStart = (keys: readonly OrderKey[]): Beginning => ({
  after: partsOf(keys),
  afterOfHits: 'true',
});

const countSql = 'SELECT count(*)::int AS total';

/**
 * Selects the total, the state of the index (if it is needed for remembering counts) and whether a known position is
 * still valid.
 */
function countedSql(maxCount: string, counting: Counting | undefined, isValid: string): string {
  if (!counting) return `${countSql}, NULL::json AS state, false AS "isValid" FROM hits`;
  const { stateSql, isExceeded } = counting;
  return `SELECT CASE WHEN ${isExceeded} THEN ${maxCount} ELSE (${countSql} FROM hits) END AS total,
    json_build_object('changes', s.changes, 'pending', s.pending, 'isCounted', NOT (${isExceeded})) AS state,
    ${isValid} AS "isValid" FROM (${stateSql}) s`;
}

/** One way of reading a page. */
export interface PageReading extends Beginning {
  /** The number of documents after which reading can stop. */
  readonly limit: string;
  /** The condition under which this way is used; absent if it is the only one. */
  readonly when?: string;
}

/**
 * Creates the sources of a page: `tables` contains table expressions, and `rows` selects the documents with their sort
 * keys.
 *
 * The table `hits` collects documents in any order, and stops at the count limit. If it contains fewer documents than
 * the limit, these are all hits, and the page is sorted from them. Otherwise, the query runs a second time in the order
 * of an index and stops at the end of the page, which is fast if very many documents match. The statement contains both
 * branches; conditions on the table `counted` turn one of them off, so that only the other one runs. If the sort keys
 * are costly to compute, `hits` only counts, and the page is always read by the second branch.
 * @param isValid SQL condition that is true if a known position is still valid
 */
export function readFrom(
  { found, keys, maxCount, counting }: FoundHits,
  readings: readonly PageReading[],
  isValid = 'false',
) {
  const { columns, orderOfParts } = orderSql(keys);
  const areKeysCheap = keys.every((key) => !key.isCostly);
  const hits = areKeysCheap
    ? `SELECT d.id${columns} ${found} LIMIT ${maxCount}`
    : `SELECT ${found} LIMIT ${maxCount}`;
  const areAll = `(SELECT total < ${maxCount} FROM counted)`;
  const parts = readings.flatMap(({ after, limit, when }) =>
    after.map((condition) => {
      const conditions = [condition, when, areKeysCheap && `NOT ${areAll}`].filter(Boolean).join(' AND ');
      return `(SELECT d.id${columns} ${found} AND ${conditions} ORDER BY ${orderOfParts} LIMIT ${limit})`;
    }),
  );
  const few = (areKeysCheap ? readings : []).map(({ afterOfHits, when }) => {
    const conditions = [areAll, when, afterOfHits].filter(Boolean).join(' AND ');
    return `(SELECT * FROM hits WHERE ${conditions})`;
  });
  return {
    tables: `hits AS MATERIALIZED (${hits}), counted AS MATERIALIZED (${countedSql(maxCount, counting, isValid)})`,
    rows: `(${[...few, ...parts].join(' UNION ALL ')}) u`,
  };
}

export type Part = Readonly<Record<'limit' | 'offset', string>>;

/**
 * The sources of a page that is read from the start of the order: `ids` contains the ids of its documents, sorted by
 * `at`.
 */
export function pageOfIds(of: FoundHits, { limit, offset }: Part) {
  const { orderBy } = orderSql(of.keys);
  const { tables, rows } = readFrom(of, [{ ...fromStart(of.keys), limit: `${limit}::bigint + ${offset}` }]);
  return {
    tables,
    ids: `(SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (SELECT * FROM ${rows} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) f)`,
  };
}

/**
 * Composes the statement for a search page. The index selects the ids on the page. The rows are then read from the
 * documents themselves, and only if the caller can still read them, because the index may lag behind. The columns are
 * the same as in `positionedSql`, so that one statement can combine both kinds of pages.
 */
export function searchSql({ granting }: SearchView, of: FoundHits, part: Part): string {
  const { tables, ids } = pageOfIds(of, part);
  return `WITH ${tables}
      SELECT c.total, c.state, NULL::json AS positions, row_to_json(d) AS row
      FROM counted c
      LEFT JOIN LATERAL (
        SELECT ${of.columns}, p."at"
        FROM ${ids} p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
      ) d ON true
      ORDER BY d."at"`;
}
