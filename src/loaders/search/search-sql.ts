import { afterSql, type OrderKey, requirePosition } from '../../query/order-sql.ts';
import type { PositionKeys } from '../lists/list-cursor.ts';
import type { Counting } from './exceeded-counts.ts';
import type { SearchView } from './search-view.ts';

const columnsOf = (values: readonly string[]): string =>
  values.map((value, index) => `, ${value} AS k${index}`).join('');

/**
 * SQL for sort keys: `columns` selects them as `k0`, `k1` and so on, `orderBy` sorts hits by these columns, and
 * `orderOfParts` sorts each part of `partsOf` in a direction in which an index can return it.
 */
export function orderSql(keys: readonly OrderKey[]) {
  const [first] = keys;
  const terms = keys.map(
    ({ isAscending, isNullable }, index) =>
      `k${index} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
  );
  const [, ...others] = terms;
  return {
    columns: columnsOf(keys.map(({ value }) => value)),
    orderBy: [...terms, 'id'].join(', '),
    orderOfParts: [
      ...(first?.byTitle ? [] : [first?.isOppositeToIndex ? 'k0 ASC NULLS FIRST' : terms[0]]),
      ...others,
      'id',
    ]
      .filter(Boolean)
      .join(', '),
  };
}

/** A part of the hits that is read in the order of an index. */
interface HitsPart {
  readonly condition: string;
  /** The value of the first sort key for the whole part, if it is not computed for each document. */
  readonly k0?: string;
}

const titlePart = ({ byTitle }: OrderKey): HitsPart => ({ condition: `${byTitle}`, k0: '1::numeric' });
const restPart = ({ byTitle }: OrderKey): HitsPart => ({ condition: `NOT ${byTitle}`, k0: '0::numeric' });

/**
 * Divides the hits into parts. An index sorts unset values last in both directions. If the request wants them first,
 * documents with a value and documents without one are read as two parts. In the order of relevance, documents with the
 * words in their titles come first.
 */
function partsOf([first]: readonly OrderKey[]): readonly HitsPart[] {
  if (first?.byTitle !== undefined) return [titlePart(first), restPart(first)];
  if (!first?.isOppositeToIndex) return [{ condition: 'true' }];
  return [{ condition: `${first.value} IS NOT NULL` }, { condition: `${first.value} IS NULL` }];
}

/**
 * Divides the hits after a position into parts, as `partsOf` does. A position in the order of relevance can come from a
 * page whose hits were few enough to compute their relevance; such a position is between 0 and 1.
 * @throws Invalid if the position does not fit the order.
 */
export function partsAfter(
  order: readonly OrderKey[],
  position: PositionKeys,
  add: (text: string) => string,
): readonly HitsPart[] {
  const [first, ...others] = order;
  if (first?.byTitle === undefined) return afterSql(order, position, add).map((condition) => ({ condition }));
  requirePosition(order, position);
  const [relevance, ...rest] = position;
  return [titlePart(first), restPart(first)].flatMap((part, index) => {
    const value = 1 - index;
    if (Number(relevance) < value) return [];
    if (Number(relevance) > value) return [part];
    return afterSql(others, rest, add).map((after) => ({
      ...part,
      condition: `${part.condition} AND ${after}`,
    }));
  });
}

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
  /** The parameter that holds the number of hits at which collecting them stops. */
  readonly maxCount: string;
  /** The parameter that holds the number of hits from which on they are too many to sort all of them. */
  readonly maxSorted: string;
  readonly counting?: Counting | undefined;
}

/** The position in the order at which reading begins. */
export interface Beginning {
  /** Parts of the hits; each document after the position belongs to exactly one of them. */
  readonly after: readonly HitsPart[];
  /** A condition on rows of `hits` that is true for rows after the position. */
  readonly afterOfHits: string;
}

export const fromStart = (keys: readonly OrderKey[]): Beginning => ({
  after: partsOf(keys),
  afterOfHits: 'true',
});

const countSql = 'SELECT count(*)::int AS total';

/**
 * Selects the total, the state of the index (if the count is to be remembered) and whether a known position is still
 * valid.
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
  /** The condition under which the page is read in this way; absent if there is no other way. */
  readonly when?: string;
}

/**
 * Creates the sources of a page: `tables` contains table expressions, and `rows` selects the documents with their sort
 * keys.
 *
 * The table `hits` collects documents in any order, and stops at `maxCount`. If it contains fewer than `maxSorted`,
 * these are all the hits, and the page is obtained by sorting them. Otherwise, the query runs a second time in the
 * order of an index and stops at the end of the page, which is fast if very many documents match. The statement
 * contains both branches; conditions on the table `counted` turn one of them off, so that only the other one runs. If
 * the sort keys are costly to compute, `hits` only counts, and the page is always read by the second branch. The
 * relevance is computed only after the hits have been counted, and only if there are fewer than `maxSorted`.
 * @param isValid SQL condition that is true if a known position is still valid
 */
export function readFrom(
  { found, keys, maxCount, maxSorted, counting }: FoundHits,
  readings: readonly PageReading[],
  isValid = 'false',
) {
  const { columns, orderOfParts } = orderSql(keys);
  const areKeysCheap = keys.every((key) => !key.isCostly);
  const isByRelevance = keys[0]?.byTitle !== undefined;
  const selected = isByRelevance ? 'd.id' : areKeysCheap ? `d.id${columns}` : '';
  const hits = `SELECT ${selected} ${found} LIMIT ${maxCount}`;
  const areAll = `(SELECT total < ${maxSorted} FROM counted)`;
  const firstParts: string[] = [];
  const parts = readings.flatMap(({ after, limit, when }) =>
    after.map(({ condition, k0 }, index) => {
      // The second part is read only if the first one does not fill the page. Otherwise, the query could look through
      // the whole index for documents that contain a word, but not in their title, although all have it in the title.
      const isPageLeft =
        index > 0 && k0 !== undefined && `(SELECT count(*) FROM first${firstParts.length - 1}) < ${limit}`;
      const conditions = [condition, when, areKeysCheap && `NOT ${areAll}`, isPageLeft]
        .filter(Boolean)
        .join(' AND ');
      const values =
        k0 === undefined ? columns : columnsOf(keys.map((key, place) => (place === 0 ? k0 : key.value)));
      const part = `SELECT d.id${values} ${found} AND ${conditions} ORDER BY ${orderOfParts} LIMIT ${limit}`;
      if (index > 0 || after.length === 1 || k0 === undefined) return `(${part})`;
      firstParts.push(`, first${firstParts.length} AS MATERIALIZED (${part})`);
      return `(SELECT * FROM first${firstParts.length - 1})`;
    }),
  );
  const ranked = isByRelevance
    ? `(SELECT d.id${columns} FROM hits h JOIN searchable d ON d.repository = $1 AND d.id = h.id WHERE ${areAll}) hits`
    : 'hits';
  const few = (areKeysCheap ? readings : []).map(({ afterOfHits, when }) => {
    const conditions = [areAll, when, afterOfHits].filter(Boolean).join(' AND ');
    return `(SELECT * FROM ${ranked} WHERE ${conditions})`;
  });
  return {
    tables: `hits AS MATERIALIZED (${hits}), counted AS MATERIALIZED (${countedSql(maxCount, counting, isValid)})${firstParts.join('')}`,
    rows: `(${[...few, ...parts].join(' UNION ALL ')}) u`,
  };
}

export type Part = Readonly<Record<'limit' | 'offset', string>>;

/**
 * Creates the sources of a page that is read from the start of the order: `ids` contains the ids of its documents,
 * sorted by `at`.
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
 * the same as those of `positionedSql`, so that one statement can combine both kinds of pages.
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
