import { type OrderKey, positionSql } from '../../query/order-sql.ts';
import {
  type Beginning,
  type FoundHits,
  fromStart,
  keysOfHits,
  orderSql,
  type PageReading,
  type Part,
  readFrom,
} from './search-sql.ts';
import type { SearchView } from './search-view.ts';

/** The conditions on documents that come after a position in the order. */
export interface KnownPosition extends Beginning {
  /** The number of documents up to and including the position. */
  readonly before: string;
  /**
   * SQL condition on a state `s` of the index that is true if the position is still valid. If it is false, reading
   * begins at the start of the order.
   */
  readonly isValid?: string;
}

const isPositionValid = '(SELECT "isValid" FROM counted)';

function positionedReadings(
  keys: readonly OrderKey[],
  { limit, offset }: Part,
  from: KnownPosition | undefined,
) {
  const limitAfter = (before: string) => `${offset}::bigint - ${before} + ${limit} + 1`;
  const start = (): PageReading => ({ ...fromStart(keys), limit: limitAfter('0') });
  if (!from) return { readings: [start()], before: '0' };
  const { before, isValid } = from;
  const after = { ...from, limit: limitAfter(before) };
  if (!isValid) return { readings: [after], before };
  return {
    readings: [
      { ...start(), when: `NOT ${isPositionValid}` },
      { ...after, when: isPositionValid },
    ],
    before: `CASE WHEN ${isPositionValid} THEN ${before} ELSE 0 END`,
  };
}

/**
 * Composes the statement for a search page like `searchSql`, but reads after a known position. The statement also
 * returns the positions of the document before the page, of the page's last document and of the document after it, if
 * these exist.
 *
 * `hits` and `counted` come from `readFrom`. `begun` tells how many documents precede the position (0 if the position
 * is no longer valid) and how many to skip from there to the document before the page. `p` numbers the documents on the
 * page and their neighbours in the order of the search. The rows of the page are then read from the documents
 * themselves, and only if the caller can still read them, because the index may lag behind.
 * @param from a position that is not after the start of the page
 */
export function positionedSql(
  { granting }: SearchView,
  of: FoundHits,
  part: Part,
  from?: KnownPosition,
): string {
  const { limit, offset } = part;
  const { orderBy } = orderSql(of.keys);
  const { readings, before } = positionedReadings(of.keys, part, from);
  const { tables, rows } = readFrom(of, readings, from?.isValid);
  const position = positionSql([...keysOfHits(of.keys), { value: 'id', type: 'uuid' }]);
  return `WITH ${tables},
    begun AS MATERIALIZED (SELECT b.before, greatest(${offset} - b.before - 1, 0) AS skipped FROM (SELECT ${before} AS before) b),
    p AS MATERIALIZED (
      SELECT f.id, ${position} AS keys, s.before + s.skipped + row_number() OVER (ORDER BY ${orderBy}) AS nth
      FROM (
        SELECT * FROM ${rows} ORDER BY ${orderBy} LIMIT ${limit}::bigint + 1 OFFSET (SELECT skipped FROM begun)
      ) f CROSS JOIN begun s
    )
    SELECT c.total, c.state, l.positions, row_to_json(d) AS row
    FROM counted c
      CROSS JOIN (
        SELECT json_agg(json_build_object('nth', p.nth, 'keys', p.keys)) AS positions
        FROM p WHERE p.nth = ${offset} OR p.nth >= ${offset}::bigint + ${limit}
      ) l
      LEFT JOIN LATERAL (
        SELECT ${of.columns}, p.nth FROM p JOIN document d ON d.repository = $1 AND d.id = p.id ${granting}
        WHERE p.nth > ${offset} AND p.nth <= ${offset}::bigint + ${limit}
      ) d ON true
    ORDER BY d.nth`;
}
