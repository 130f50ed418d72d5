import type { OrderKey } from '../../query/order-sql.ts';
import type { Counting } from './many-hits.ts';
import type { SearchView } from './search-view.ts';

/** The keys as columns; the order of what is found, and that within its parts. */
export function orderSql(keys: readonly OrderKey[]) {
  const terms = keys.map(
    ({ isAscending, isNullable }, index) =>
      `k${index} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
  );
  const [, ...others] = terms;
  return {
    kept: keys.map(({ value }, index) => `, ${value} AS k${index}`).join(''),
    orderBy: [...terms, 'id'].join(', '),
    orderOfParts: [...(keys[0]?.isOppositeToIndex ? ['k0 ASC NULLS FIRST', ...others] : terms), 'id'].join(
      ', ',
    ),
  };
}

/** Conditions, one of which holds for each row: set or unset, where an index has the order of either. */
const partsOf = ([first]: readonly OrderKey[]): readonly string[] =>
  first?.isOppositeToIndex ? [`${first.value} IS NOT NULL`, `${first.value} IS NULL`] : ['true'];

/** The keys of `hits`. */
export const keysOfHits = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key, index) => ({ ...key, value: `k${index}` }));

export interface FoundHits {
  /** The SELECT list of a document `d`, where documents are read. */
  readonly columns?: string;
  /** What finds documents `d`, from FROM on. */
  readonly found: string;
  readonly keys: readonly OrderKey[];
  /** The number up to which they are counted. */
  readonly most: string;
  readonly counting?: Counting | undefined;
}

/** Where reading begins: conditions on documents, one of which holds for each, and one on `hits`. */
export interface Beginning {
  readonly after: readonly string[];
  readonly afterOfHits: string;
}

export const fromStart = (keys: readonly OrderKey[]): Beginning => ({
  after: partsOf(keys),
  afterOfHits: 'true',
});

const countSql = 'SELECT count(*)::int AS total';

/** The total; and the state of the index, if what is found is to be kept. */
function countedSql(most: string, counting: Counting | undefined, isThere: string): string {
  if (!counting) return `${countSql}, NULL::json AS state, false AS "isThere" FROM hits`;
  const { stateSql, areMost } = counting;
  return `SELECT CASE WHEN ${areMost} THEN ${most} ELSE (${countSql} FROM hits) END AS total,
    json_build_object('changes', s.changes, 'pending', s.pending, 'isCounted', NOT (${areMost})) AS state,
    ${isThere} AS "isThere" FROM (${stateSql}) s`;
}

/** One of the ways to read a page, taken under its condition. */
export interface PageReading extends Beginning {
  /** The number of documents that are enough. */
  readonly limit: string;
  readonly when?: string;
}

/**
 * What a page is read from: `tables` for a WITH, of which `counted` has the total, and `rows`, the documents
 * with their keys.
 *
 * Counting ends at its limit. What it has found is kept, and is all there is where it is less; of more, a
 * page is read in the order of an index. So the condition is there more than once, but evaluated once.
 */
export function readFrom(
  { found, keys, most, counting }: FoundHits,
  readings: readonly PageReading[],
  isThere = 'false',
) {
  const { kept, orderOfParts } = orderSql(keys);
  const isKept = keys.every((key) => !key.isCostly);
  const hits = isKept ? `SELECT d.id${kept} ${found} LIMIT ${most}` : `SELECT ${found} LIMIT ${most}`;
  const areAll = `(SELECT total < ${most} FROM counted)`;
  const parts = readings.flatMap(({ after, limit, when }) =>
    after.map((condition) => {
      const conditions = [condition, when, isKept && `NOT ${areAll}`].filter(Boolean).join(' AND ');
      return `(SELECT d.id${kept} ${found} AND ${conditions} ORDER BY ${orderOfParts} LIMIT ${limit})`;
    }),
  );
  const few = (isKept ? readings : []).map(({ afterOfHits, when }) => {
    const conditions = [areAll, when, afterOfHits].filter(Boolean).join(' AND ');
    return `(SELECT * FROM hits WHERE ${conditions})`;
  });
  return {
    tables: `hits AS MATERIALIZED (${hits}), counted AS MATERIALIZED (${countedSql(most, counting, isThere)})`,
    rows: `(${[...few, ...parts].join(' UNION ALL ')}) u`,
  };
}

export type Part = Readonly<Record<'limit' | 'offset', string>>;

/** `ids` of a page, with their places in it as `at`. */
export function pageOfIds(of: FoundHits, { limit, offset }: Part) {
  const { orderBy } = orderSql(of.keys);
  const { tables, rows } = readFrom(of, [{ ...fromStart(of.keys), limit: `${limit}::bigint + ${offset}` }]);
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
      SELECT c.total, c.state, NULL::json AS positions, row_to_json(d) AS row
      FROM counted c
      LEFT JOIN LATERAL (
        SELECT ${of.columns}, p."at"
        FROM ${ids} p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
      ) d ON true
      ORDER BY d."at"`;
}
