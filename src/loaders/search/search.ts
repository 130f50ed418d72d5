import type { Query, Sort } from '../../query/ast.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { grantCondition, grantingAclsTable, grantsSql, readableValues } from '../acls/readable-sql.ts';
import { type DocumentRow, documentColumns, reviveDates } from '../documents/document-row.ts';
import { type PageArguments, pageLimit, unlimited } from '../lists/page.ts';
import type { PageResult } from '../lists/page-loader.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

/** Which part of the result of a query is wanted; `sortBy` replaces the query's own ORDER BY. */
export type SearchPageArguments = Pick<
  PageArguments,
  'pageSize' | 'offset' | 'maxResults' | 'sortBy' | 'sortOrder'
>;

export interface SearchView {
  readonly tables: readonly string[];
  readonly readableCondition: string;
  /** The condition that the caller may read the document of an alias. */
  readonly mayRead: (alias: string) => string;
  /** And its ACLs, by parameters of its own: few queries need it. */
  readonly mayReadAcl: (parameters: SqlParameters) => (alias: string) => string;
  /** The parameters that it takes, from $2 on. */
  readonly values: readonly unknown[];
}

const everything: SearchView = {
  tables: [],
  readableCondition: 'true',
  mayRead: () => 'true',
  mayReadAcl: () => () => 'true',
  values: [],
};

/** Administrators read everything, at no cost; versions take a permission of their own (§2.5). */
export function searchView({ user }: Scope, { now }: Access): SearchView {
  if (user.isAdministrator) return everything;
  const aclsOf = (which: string) => `SELECT DISTINCT f.acl_id FROM found f WHERE ${which}`;
  const granted = (alias: string, condition: string) => `EXISTS (
      SELECT FROM effective_acl a
      WHERE a.repository = ${alias}.repository AND a.id = ${alias}.acl_id AND ${condition}
    )`;
  return {
    tables: [
      grantingAclsTable('readable', aclsOf('NOT f.is_version'), 2),
      grantingAclsTable('readable_version', aclsOf('f.is_version'), 5),
    ],
    readableCondition: `CASE WHEN f.is_version THEN f.acl_id IN (SELECT id FROM readable_version)
      ELSE f.acl_id IN (SELECT id FROM readable) END`,
    mayRead: (alias) => granted(alias, grantCondition(2)),
    mayReadAcl: (parameters) => (alias) => {
      const [usernames, permissions, time] = readableValues(user, 'ReadSecurity', now);
      const values = [parameters.add(usernames, 'text[]'), parameters.add(permissions, 'text[]')] as const;
      return granted(alias, grantsSql([...values, parameters.add(time, 'text')]));
    },
    values: [...readableValues(user, 'Read', now), ...readableValues(user, 'ReadVersion', now)],
  };
}

const sortsOf = ({ orderBy }: Query, { sortBy, sortOrder }: SearchPageArguments): readonly Sort[] =>
  sortBy.length === 0
    ? orderBy
    : sortBy.map((property, index) => ({ property, isAscending: sortOrder[index]?.toLowerCase() === 'asc' }));

// Not one of `lists/`, which evaluate their condition twice, for the total and for the page: the condition of
// a query may cost anything. Here it is evaluated once, into ids and sort keys; these are counted, and the
// rows of the page fetched.
function searchSql(
  view: SearchView,
  condition: string,
  keys: ReadonlyArray<{ value: string; isAscending: boolean }>,
  page: Readonly<Record<'limit' | 'offset' | 'most', string>>,
): string {
  const kept = keys.map(({ value }, index) => `, ${value} AS k${index}`).join('');
  const order = keys.map(
    ({ isAscending }, index) => `f.k${index} ${isAscending ? 'ASC' : 'DESC'} NULLS LAST`,
  );
  const orderBy = [...order, 'f.id'].join(', ');
  const found = `found AS MATERIALIZED (
    SELECT d.id, d.acl_id, d.is_version${kept} FROM document d WHERE d.repository = $1 AND ${condition}
  )`;
  return `WITH ${[found, ...view.tables].join(', ')}
      SELECT c.total, row_to_json(d) AS row
      FROM (SELECT least(count(*), ${page.most})::int AS total FROM found f WHERE ${view.readableCondition}) c
      LEFT JOIN LATERAL (
        SELECT ${documentColumns}, p."at"
        FROM (
          SELECT f.id, row_number() OVER (ORDER BY ${orderBy}) AS "at"
          FROM (
            SELECT f.* FROM found f WHERE ${view.readableCondition}
            ORDER BY ${orderBy} LIMIT ${page.limit} OFFSET ${page.offset}
          ) f
        ) p
        JOIN document d ON d.repository = $1 AND d.id = p.id
      ) d ON true
      ORDER BY d."at"`;
}

/** An empty page is a row without a document. */
type FoundRow = { readonly total: number; readonly row: DocumentRow | null };

interface Search {
  readonly query: Query;
  readonly page: SearchPageArguments;
}

/** Finds documents that the caller may read; the first query of the process loads the compiler. */
export function searchDocuments(
  scope: Scope,
  access: Access,
): (query: Query, page: SearchPageArguments) => Promise<PageResult<DocumentRow>> {
  const { model, options } = scope;
  const { now } = access;
  const view = searchView(scope, access);
  const compose = async (): Promise<ComposeQuery<Search>> => {
    const [{ conditionSql, sortSql }, { newCompilation }] = await Promise.all([
      import('../../query/compile.ts'),
      import('../../query/operand.ts'),
    ]);
    return ({ query, page }, parameters) => {
      const compilation = newCompilation({
        model,
        parameters,
        now,
        mayRead: view.mayRead,
        mayReadAcl: view.mayReadAcl(parameters),
      });
      const condition = conditionSql(query, compilation);
      const keys = sortSql(sortsOf(query, page), compilation);
      return searchSql(view, condition, keys, {
        limit: parameters.add(pageLimit(page), 'int'),
        offset: parameters.add(page.offset, 'int'),
        most: parameters.add(page.maxResults ?? unlimited, 'int'),
      });
    };
  };
  const loader = unionLoader<Search, FoundRow>(scope, [options.repository, ...view.values], compose);
  return async (query, { pageSize, offset, maxResults, sortBy, sortOrder }) => {
    const rows = await loader.load({ query, page: { pageSize, offset, maxResults, sortBy, sortOrder } });
    return { total: rows[0]?.total ?? 0, rows: rows.flatMap(({ row }) => (row ? [reviveDates(row)] : [])) };
  };
}
