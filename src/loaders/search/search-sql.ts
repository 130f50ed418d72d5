import { type OrderKey, positionSql } from '../../query/order-sql.ts';
import { documentColumns } from '../documents/document-row.ts';
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

const inParts = (parts: readonly string[], part: (condition: string) => string): string =>
  parts.map((condition) => `(${part(condition)})`).join(' UNION ALL ');

// Counting ends at its limit, and the page can be read in the order of an index: so the condition is there
// twice, which costs less than keeping everything it finds. The rows of the index may be behind: the page
// shows the documents themselves, and only to callers who may still read them.
export function searchSql(
  { granting }: SearchView,
  found: string,
  keys: readonly OrderKey[],
  page: Readonly<Record<'limit' | 'offset' | 'most', string>>,
): string {
  const { kept, orderBy, orderOfParts } = orderSql(keys);
  const parts = partsOf(keys);
  const most = `LIMIT ${page.limit}::bigint + ${page.offset}`;
  const all = `SELECT d.id${kept} ${found}`;
  const sorted =
    parts.length === 1
      ? all
      : `SELECT * FROM (${inParts(parts, (one) => `${all} AND ${one} ORDER BY ${orderOfParts} ${most}`)}) u`;
  return `SELECT c.total, row_to_json(d) AS row
      FROM (SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${page.most}) f) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM (
          SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
          FROM (${sorted} ORDER BY ${orderBy} LIMIT ${page.limit} OFFSET ${page.offset}) f
        ) p
        JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
      ) d ON true
      ORDER BY d."at"`;
}

// Of a page by cursor the position of its last row is needed, whether its document may still be read or not,
// and whether a row comes after it.
export function cursorSql(
  { granting }: SearchView,
  found: string,
  keys: readonly OrderKey[],
  { after, limit, most: mostCounted }: { after: readonly string[]; limit: string; most: string },
): string {
  const { kept, orderBy, orderOfParts } = orderSql(keys);
  const most = `LIMIT ${limit} + 1`;
  const part = (condition: string) =>
    `SELECT d.id${kept} ${found} AND ${condition} ORDER BY ${orderOfParts} ${most}`;
  const kepts = keys.map(({ type }, index) => ({ value: `k${index}`, type }));
  const position = positionSql([...kepts, { value: 'id', type: 'uuid' }]);
  return `WITH p AS MATERIALIZED (
      SELECT f.id, ${position} AS keys, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (SELECT * FROM (${inParts(after, part)}) u ORDER BY ${orderBy} ${most}) f
    )
    SELECT c.total, l.last, row_to_json(d) AS row
    FROM (SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${mostCounted}) f) c
      CROSS JOIN (
        SELECT (SELECT p.keys FROM p WHERE p."at" = ${limit} AND EXISTS (SELECT FROM p WHERE p."at" > ${limit})) AS last
      ) l
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at" FROM p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
        WHERE p."at" <= ${limit}
      ) d ON true
    ORDER BY d."at"`;
}
