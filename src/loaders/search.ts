import type { Query as Statement } from '../db/database.ts';
import type { Query, Sort } from '../query/ast.ts';
import type { Compilation } from '../query/operand.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { type ChildrenPage, maxPageSize, type PageArguments } from './children.ts';
import { type DocumentRow, documentColumns, readJson } from './document-row.ts';
import { grantingAcls, isGranting, readableValues } from './readable.ts';

/** Which part of what a query finds is wanted; what it is sorted by stands instead of the query's own ORDER BY. */
export type SearchPage = Pick<PageArguments, 'pageSize' | 'offset' | 'maxResults' | 'sortBy' | 'sortOrder'>;

/** What the caller sees of what was found. */
export interface View {
  /** Tables of the WITH, after `found`. */
  readonly tables: readonly string[];
  /** The condition on rows `f` of `found`. */
  readonly seen: string;
  /** The condition that the caller may read another document, of which the alias is given. */
  readonly mayRead: (alias: string) => string;
  /** The parameters that it takes, from $2 on. */
  readonly values: readonly unknown[];
}

const everything: View = { tables: [], seen: 'true', mayRead: () => 'true', values: [] };

/** Administrators see all, at no cost; others what they may read, versions by a permission of their own (§2.5). */
export function viewOf({ user }: Scope, { now }: Access): View {
  if (user.isAdministrator) return everything;
  const aclsOf = (which: string) => `SELECT DISTINCT f.acl_id FROM found f WHERE ${which}`;
  return {
    tables: [
      grantingAcls('readable', aclsOf('NOT f.is_version'), 2),
      grantingAcls('readable_version', aclsOf('f.is_version'), 5),
    ],
    seen: `CASE WHEN f.is_version THEN f.acl_id IN (SELECT id FROM readable_version)
      ELSE f.acl_id IN (SELECT id FROM readable) END`,
    mayRead: (alias) => `EXISTS (
      SELECT FROM effective_acl a
      WHERE a.repository = ${alias}.repository AND a.id = ${alias}.acl_id AND ${isGranting(2)}
    )`,
    values: [...readableValues(user, 'Read', now), ...readableValues(user, 'ReadVersion', now)],
  };
}

const sortsOf = ({ orderBy }: Query, { sortBy, sortOrder }: SearchPage): readonly Sort[] =>
  sortBy.length === 0
    ? orderBy
    : sortBy.map((property, index) => ({ property, isAscending: sortOrder[index]?.toLowerCase() === 'asc' }));

/**
 * The condition is looked at once: what is found is kept as ids and what they are sorted by, which is counted, and of
 * which the rows of the page are fetched.
 */
function statementOf(
  view: View,
  condition: string,
  keys: ReadonlyArray<{ value: string; isAscending: boolean }>,
  page: Readonly<Record<'limit' | 'offset' | 'most', string>>,
): Statement {
  const kept = keys.map(({ value }, index) => `, ${value} AS k${index}`).join('');
  const order = keys.map(
    ({ isAscending }, index) => `f.k${index} ${isAscending ? 'ASC' : 'DESC'} NULLS LAST`,
  );
  const orderBy = [...order, 'f.id'].join(', ');
  const found = `found AS MATERIALIZED (
    SELECT d.id, d.acl_id, d.is_version${kept} FROM document d WHERE d.repository = $1 AND ${condition}
  )`;
  return {
    name: '',
    text: `WITH ${[found, ...view.tables].join(', ')}
      SELECT c.total, row_to_json(d) AS row
      FROM (SELECT least(count(*), ${page.most})::int AS total FROM found f WHERE ${view.seen}) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM (
          SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
          FROM (
            SELECT f.* FROM found f WHERE ${view.seen}
            ORDER BY ${orderBy} LIMIT ${page.limit} OFFSET ${page.offset}
          ) f
        ) p
        JOIN document d ON d.repository = $1 AND d.id = p.id
      ) d ON true
      ORDER BY d."at"`,
  };
}

/** A page of nothing is a row without a document. */
type FoundRow = { readonly total: number; readonly row: DocumentRow | null };

/** Finds documents that the caller may read; the compiler is loaded by the first query of the process. */
export const search =
  (scope: Scope, access: Access) =>
  async (query: Query, page: SearchPage): Promise<ChildrenPage> => {
    const { conditionSql, Parameters, sortSql } = await import('../query/compile.ts');
    const { db, model, options } = scope;
    const view = viewOf(scope, access);
    const parameters = new Parameters([options.repository, ...view.values]);
    const compilation: Compilation = { model, parameters, now: access.now, mayRead: view.mayRead };
    const condition = conditionSql(query, compilation);
    const keys = sortSql(sortsOf(query, page), compilation);
    const most = page.maxResults ?? 2 ** 31 - 1;
    const size = page.pageSize === 0 ? maxPageSize : Math.min(page.pageSize, maxPageSize);
    const statement = statementOf(view, condition, keys, {
      limit: parameters.add(Math.max(0, Math.min(size, most - page.offset)), 'int'),
      offset: parameters.add(page.offset, 'int'),
      most: parameters.add(most, 'int'),
    });
    const rows = await db.query<FoundRow>(statement, parameters.values);
    return { total: rows[0]?.total ?? 0, rows: rows.flatMap(({ row }) => (row ? [readJson(row)] : [])) };
  };
