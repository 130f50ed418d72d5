import { type OrderKey, positionSql } from '../../query/order-sql.ts';
import { documentColumns } from '../documents/document-row.ts';
import type { SearchView } from './search-view.ts';

const orderSql = (keys: readonly OrderKey[]): { kept: string; orderBy: string } => ({
  kept: keys.map(({ value }, index) => `, ${value} AS k${index}`).join(''),
  orderBy: [
    ...keys.map(
      ({ isAscending, isNullable }, index) =>
        `k${index} ${isAscending ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`,
    ),
    'id',
  ].join(', '),
});

// Counting ends at its limit, and the page can be read in the order of an index: so the condition is there
// twice, which costs less than keeping everything it finds. The rows of the index may be behind: the page
// shows the documents themselves, and only to callers who may still read them.
export function searchSql(
  { granting }: SearchView,
  found: string,
  keys: readonly OrderKey[],
  page: Readonly<Record<'limit' | 'offset' | 'most', string>>,
): string {
  const { kept, orderBy } = orderSql(keys);
  return `SELECT c.total, row_to_json(d) AS row
      FROM (SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${page.most}) f) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM (
          SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
          FROM (SELECT d.id${kept} ${found} ORDER BY ${orderBy} LIMIT ${page.limit} OFFSET ${page.offset}) f
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
  { after, limit, most }: { after: readonly string[]; limit: string; most: string },
): string {
  const { kept, orderBy } = orderSql(keys);
  const part = `ORDER BY ${orderBy} LIMIT ${limit} + 1`;
  const parts = after.map((condition) => `(SELECT d.id${kept} ${found} AND ${condition} ${part})`);
  const kepts = keys.map(({ type }, index) => ({ value: `k${index}`, type }));
  const position = positionSql([...kepts, { value: 'id', type: 'uuid' }]);
  return `WITH p AS MATERIALIZED (
      SELECT f.id, ${position} AS keys, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) u ${part}) f
    )
    SELECT c.total, l.last, row_to_json(d) AS row
    FROM (SELECT count(*)::int AS total FROM (SELECT ${found} LIMIT ${most}) f) c
      CROSS JOIN (
        SELECT (SELECT p.keys FROM p WHERE p."at" = ${limit} AND EXISTS (SELECT FROM p WHERE p."at" > ${limit})) AS last
      ) l
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at" FROM p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
        WHERE p."at" <= ${limit}
      ) d ON true
    ORDER BY d."at"`;
}
