import type { ProjectionSql } from '../../query/projection-sql.ts';
import { type FoundHits, type Part, pageOfIds } from './search-sql.ts';
import type { SearchView } from './search-view.ts';

const named = (values: readonly string[], prefix: string): string[] =>
  values.map((value, index) => `${value} AS ${prefix}${index}`);

const arrayOf = ({ values }: ProjectionSql): string =>
  `json_build_array(${values.map((_, index) => `c${index}`).join(', ')}) AS "values"`;

// As for documents: the rows of the index may be behind, so the documents themselves are asked once more.
const readSql = ({ grantingOf }: SearchView, { joins }: ProjectionSql): string =>
  `JOIN document l ON l.repository = $1 AND l.id = d.id ${grantingOf('l')} ${joins}`;

const fromSql = (view: SearchView, found: string, projection: ProjectionSql): string =>
  `FROM (SELECT d.* ${found}) d ${readSql(view, projection)}`;

/** One record of all documents. */
export function functionsSql(
  view: SearchView,
  found: string,
  projection: ProjectionSql,
  { limit, offset }: Part,
): string {
  const columns = named(projection.values, 'c').join(', ');
  return `SELECT 1 AS total, ${arrayOf(projection)}
    FROM (SELECT ${columns} ${fromSql(view, found, projection)}) f LIMIT ${limit} OFFSET ${offset}`;
}

// Each document has a record at least: a page of records needs no more documents than those up to its end.
/** Records in an order of their documents, whose values are read for the page alone. */
export function recordsSql(view: SearchView, of: FoundHits, projection: ProjectionSql, part: Part): string {
  const { values, nth } = projection;
  const { limit, offset } = part;
  const { tables, ids } = pageOfIds(
    of,
    nth ? { limit: `(${limit}::bigint + ${offset})`, offset: '0' } : part,
  );
  const total = nth
    ? `(SELECT count(*)::int FROM (SELECT ${fromSql(view, of.found, projection)} LIMIT ${of.most}) f)`
    : 'c.total';
  const place = nth ? `p."at", ${nth}` : 'p."at"';
  return `WITH ${tables}
    SELECT ${total} AS total, r."values"
    FROM counted c
    LEFT JOIN LATERAL (
      SELECT ${arrayOf(projection)}, f."at"
      FROM (
        SELECT ${named(values, 'c').join(', ')}, row_number() OVER (ORDER BY ${place}) AS "at"
        FROM ${ids} p JOIN searchable d ON d.repository = $1 AND d.id = p.id ${readSql(view, projection)}
      ) f ${nth ? `ORDER BY f."at" LIMIT ${limit} OFFSET ${offset}` : ''}
    ) r ON true
    ORDER BY r."at"`;
}

/** Records whose order takes the values of all of them. */
export function sortedSql(
  view: SearchView,
  { found, most }: Pick<FoundHits, 'found' | 'most'>,
  projection: ProjectionSql,
  { limit, offset }: Part,
): string {
  const from = fromSql(view, found, projection);
  const columns = named(projection.values, 'c');
  const { isDistinct, nth, keys, order } = projection;
  const last = isDistinct ? [] : ['d.id', ...(nth ? [`${nth} AS nth`] : [])];
  const kept = [...columns, ...named(keys, 'k'), ...last];
  const select = isDistinct ? 'SELECT DISTINCT' : 'SELECT';
  const orderBy = order.join(', ');
  return `SELECT c.total, p."values"
    FROM (SELECT count(*)::int AS total FROM (${select} ${columns.join(', ')} ${from} LIMIT ${most}) f) c
    LEFT JOIN LATERAL (
      SELECT ${arrayOf(projection)}, row_number() OVER (ORDER BY ${orderBy}) AS "at"
      FROM (${select} ${kept.join(', ')} ${from} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) f
    ) p ON true
    ORDER BY p."at"`;
}
