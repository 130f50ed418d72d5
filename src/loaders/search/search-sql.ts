import { type Condition, propertiesOf, type Sort } from '../../query/ast.ts';
import { afterSql, type OrderKey, requirePosition } from '../../query/order-sql.ts';
import type { PositionKeys } from '../lists/list-cursor.ts';
import type { Counting } from './exceeded-counts.ts';
import type { SearchView } from './search-view.ts';

const allOf = (conditions: ReadonlyArray<string | false | undefined>): string =>
  conditions.filter(Boolean).join(' AND ') || 'true';

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
  /** A condition on the position of a document in the order; absent if the part begins at the start of the order. */
  readonly position?: string;
  /** A condition that does not depend on the order. */
  readonly condition?: string;
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
  if (!first?.isOppositeToIndex) return [{}];
  return [{ position: `${first.value} IS NOT NULL` }, { position: `${first.value} IS NULL` }];
}

/**
 * Divides the hits after a position into parts, as `partsOf` does. A position in the order of relevance can come from a
 * page whose hits were few enough to compute their relevance; such a position is between 0 and 1.
 * @throws Invalid if the position does not fit the order.
 */
export function partsAfter(
  order: readonly OrderKey[],
  keys: PositionKeys,
  add: (text: string) => string,
): readonly HitsPart[] {
  const [first, ...others] = order;
  if (first?.byTitle === undefined) return afterSql(order, keys, add).map((position) => ({ position }));
  requirePosition(order, keys);
  const [relevance, ...rest] = keys;
  return [titlePart(first), restPart(first)].flatMap((part, index) => {
    const value = 1 - index;
    if (Number(relevance) < value) return [];
    if (Number(relevance) > value) return [part];
    return afterSql(others, rest, add).map((position) => ({ ...part, position }));
  });
}

/** The properties that the indexes of `search_document` contain next to the sort keys. */
const covered = new Set(['ecm:primaryType', 'ecm:isVersion', 'ecm:uuid']);

/**
 * Returns whether reading in the order of an index could take long because all hits are at its end, although the search
 * could also find them by the index of a condition. This is not the case if the condition restricts the order itself,
 * or if the index of the order contains all that the condition needs, because then PostgreSQL reads only the index.
 */
export function canHitsBeFar(
  where: Condition | undefined,
  order: readonly Sort[],
  keys: readonly OrderKey[],
): boolean {
  const [key, property] =
    keys[0]?.byTitle === undefined ? [keys[0], order[0]?.property] : [keys[1], order[1]?.property];
  const isIndexed = key === undefined || key.isIndexed === true;
  const properties = where ? propertiesOf(where) : [];
  return isIndexed && !properties.includes(property ?? '') && properties.some((one) => !covered.has(one));
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
  /** Returns the same query for documents `d` from another source than `searchable`; set if hits can be far. */
  readonly foundIn?: (source: string) => string;
  readonly keys: readonly OrderKey[];
  /** The parameter that holds the number at which counting stops. */
  readonly maxCount: string;
  /** The number of hits up to which searches are counted. */
  readonly countLimit: number;
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
  /** SQL for the number of documents after which reading can stop. */
  readonly limit: string;
  /** The largest number that `limit` can have. */
  readonly most: number;
  /** The condition under which the page is read in this way; absent if there is no other way. */
  readonly when?: string;
}

/**
 * Returns how many documents are read in the order of an index before the search looks up all hits instead: ten times
 * as many as are counted, or more for a page far from the start. Only powers of four times the former are used, because
 * the number is part of the statement: PostgreSQL would not use the index if it did not know the number.
 */
function farthest(most: number, countLimit: number): number {
  const start = 10 * countLimit;
  return start * 4 ** Math.max(0, Math.ceil(Math.log(Math.max(1, (10 * most) / start)) / Math.log(4)));
}

/**
 * Creates the sources of a page: `tables` contains table expressions, and `rows` selects the documents with their sort
 * keys.
 *
 * The table `hits` collects documents in any order, and stops at the count limit. If it contains fewer documents than
 * the limit, these are all the hits, and the page is obtained by sorting them. Otherwise, the query runs a second time
 * in the order of an index and stops at the end of the page, which is fast if very many documents match. The statement
 * contains both branches; conditions on the table `counted` turn one of them off, so that only the other one runs. If
 * the sort keys are costly to compute, `hits` only counts, and the page is always read by the second branch. The
 * relevance is computed only after the hits have been counted, and only if there are fewer than the limit.
 *
 * Many hits can all be at the end of the index, such as a word of a project that ended long ago. Therefore, the second
 * branch (`walked`) reads only a limited number of documents. If they do not fill the page, the query runs a third time
 * and sorts all hits; `OFFSET 0` keeps PostgreSQL from reading them in the order of the index again.
 * @param isValid SQL condition that is true if a known position is still valid
 */
export function readFrom(
  { found, foundIn, keys, maxCount, countLimit, counting }: FoundHits,
  readings: readonly PageReading[],
  isValid = 'false',
) {
  const { columns, orderOfParts } = orderSql(keys);
  const areKeysCheap = keys.every((key) => !key.isCostly);
  const isByRelevance = keys[0]?.byTitle !== undefined;
  const selected = isByRelevance ? 'd.id' : areKeysCheap ? `d.id${columns}` : '';
  const hits = `SELECT ${selected} ${found} LIMIT ${maxCount}`;
  const areAll = `(SELECT total < ${maxCount} FROM counted)`;
  const tables = [
    `hits AS MATERIALIZED (${hits})`,
    `counted AS MATERIALIZED (${countedSql(maxCount, counting, isValid)})`,
  ];
  const addTable = (sql: string): string => {
    const name = `part${tables.length}`;
    tables.push(`${name} AS MATERIALIZED (${sql})`);
    return name;
  };
  const parts = readings.flatMap(({ after, limit, most, when }) => {
    let firstPart: string | undefined;
    return after.map(({ position, condition, k0 }, index) => {
      // The second part is read only if the first one does not fill the page. Otherwise, the query could look through
      // the whole index for documents that contain a word, but not in their title, although all have it in the title.
      const isPageLeft = firstPart && `(SELECT count(*) FROM ${firstPart}) < ${limit}`;
      const isRead = [when, areKeysCheap && `NOT ${areAll}`, isPageLeft];
      const values =
        k0 === undefined ? columns : columnsOf(keys.map((key, place) => (place === 0 ? k0 : key.value)));
      const all = `SELECT d.id${values} ${found} AND ${allOf([position, condition, ...isRead])}`;
      const inOrder = `ORDER BY ${orderOfParts} LIMIT`;
      let part = `${all} ${inOrder} ${limit}`;
      if (foundIn && areKeysCheap) {
        const source = `(SELECT d.*${values} FROM searchable d WHERE ${allOf(['d.repository = $1', position, ...isRead])}
          ${inOrder} ${farthest(most, countLimit)})`;
        const columnsOfSource = keys.map((_, place) => `, d.k${place}`).join('');
        const walked = addTable(
          `SELECT d.id${columnsOfSource} ${foundIn(source)} AND ${allOf([condition])} ${inOrder} ${limit}`,
        );
        const isFull = `(SELECT count(*) FROM ${walked}) >= ${limit}`;
        part = `SELECT * FROM ${walked} WHERE ${isFull} UNION ALL
          (SELECT * FROM (${all} AND NOT ${isFull} OFFSET 0) f ${inOrder} ${limit})`;
      }
      if (index > 0 || after.length === 1 || k0 === undefined) return `(${part})`;
      firstPart = addTable(part);
      return `(SELECT * FROM ${firstPart})`;
    });
  });
  const ranked = isByRelevance
    ? `(SELECT d.id${columns} FROM hits h JOIN searchable d ON d.repository = $1 AND d.id = h.id WHERE ${areAll}) hits`
    : 'hits';
  const few = (areKeysCheap ? readings : []).map(
    ({ afterOfHits, when }) => `(SELECT * FROM ${ranked} WHERE ${allOf([areAll, when, afterOfHits])})`,
  );
  return { tables: tables.join(', '), rows: `(${[...few, ...parts].join(' UNION ALL ')}) u` };
}

/** A page of a list: SQL for its size and for the number of documents before it. */
export interface Part {
  readonly limit: string;
  readonly offset: string;
  /** The largest number that `limit + offset` can have. */
  readonly most: number;
}

/**
 * Creates the sources of a page that is read from the start of the order: `ids` contains the ids of its documents,
 * sorted by `at`.
 */
export function pageOfIds(of: FoundHits, { limit, offset, most }: Part) {
  const { orderBy } = orderSql(of.keys);
  const reading = { ...fromStart(of.keys), limit: `${limit}::bigint + ${offset}`, most };
  const { tables, rows } = readFrom(of, [reading]);
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
