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

/** A position of the order, with the number of documents up to it. */
export interface KnownPosition extends Beginning {
  readonly before: string;
  /** The condition that it still is, on a state `s`; else the page is read from the beginning. */
  readonly isThere?: string;
}

const isStillThere = '(SELECT "isThere" FROM counted)';

function positionedReadings(
  keys: readonly OrderKey[],
  { limit, offset }: Part,
  from: KnownPosition | undefined,
) {
  const limitAfter = (before: string) => `${offset}::bigint - ${before} + ${limit} + 1`;
  const start = (): PageReading => ({ ...fromStart(keys), limit: limitAfter('0') });
  if (!from) return { readings: [start()], before: '0' };
  const { before, isThere } = from;
  const after = { ...from, limit: limitAfter(before) };
  if (!isThere) return { readings: [after], before };
  return {
    readings: [
      { ...start(), when: `NOT ${isStillThere}` },
      { ...after, when: isStillThere },
    ],
    before: `CASE WHEN ${isStillThere} THEN ${before} ELSE 0 END`,
  };
}

/**
 * As `searchSql`, with the positions before the page, at its end and after it, where these exist.
 * @param from a position that is not behind the beginning of the page.
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
  const { tables, rows } = readFrom(of, readings, from?.isThere);
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
