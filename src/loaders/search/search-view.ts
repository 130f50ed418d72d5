import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../db/database.ts';
import type { Query } from '../../query/ast.ts';
import type { Compilation } from '../../query/operand.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { fewReadableAcls, type ReadableAcls } from '../acls/few-acls.ts';
import {
  grantsSql,
  isGrantedSql,
  mayReadSql,
  readableJoin,
  readableValues,
  readerValues,
} from '../acls/readable-sql.ts';

export interface SearchView {
  /** A join that keeps documents `d` which the caller may read. */
  readonly granting: string;
  /** The same for an alias of `document`. */
  readonly grantingOf: (alias: string) => string;
  /** The condition that the caller may read the document of an alias. */
  readonly mayRead: (alias: string) => string;
  /** And its ACLs, by parameters of its own: few queries need it. */
  readonly mayReadAcl: (parameters: SqlParameters) => (alias: string) => string;
  /** The parameters that it takes, from $2 on. */
  readonly values: readonly unknown[];
}

const everything: SearchView = {
  granting: '',
  grantingOf: () => '',
  mayRead: () => 'true',
  mayReadAcl: () => () => 'true',
  values: [],
};

/** Administrators read everything, at no cost. */
export function searchView({ user }: Scope, { now }: Access): SearchView {
  if (user.isAdministrator) return everything;
  return {
    granting: readableJoin(2),
    grantingOf: (alias) => readableJoin(2, alias),
    mayRead: (alias) => mayReadSql(2, alias),
    mayReadAcl: (parameters) => (alias) => {
      const [usernames, permissions, time] = readableValues(user, 'ReadSecurity', now);
      const values = [parameters.add(usernames, 'text[]'), parameters.add(permissions, 'text[]')] as const;
      return isGrantedSql(alias, grantsSql([...values, parameters.add(time, 'text')]));
    },
    values: readerValues(user, now),
  };
}

/** PostgreSQL unpacks the statistics of the column for each one while it plans: 8 ms for 250. */
const mostPlanned = 100;

/** By a few ACLs an index finds documents. `coalesce` hides more from the planner: they are hashed. */
function isOfAcls({ ofDocuments, ofVersions }: ReadableAcls, { parameters }: Compilation): string {
  const isAny = (ids: readonly string[]) => {
    const condition = `d.acl_id = ANY(${parameters.add(ids, 'uuid[]')})`;
    return ids.length > mostPlanned ? `coalesce(${condition}, false)` : condition;
  };
  if (isDeepStrictEqual(ofDocuments, ofVersions)) return `AND ${isAny(ofDocuments)}`;
  return `AND (${isAny(ofDocuments)} AND NOT d.is_version OR ${isAny(ofVersions)} AND d.is_version)`;
}

/** How queries of a request become SQL. */
export interface QueryCompiler {
  readonly begin: (parameters: SqlParameters) => Compilation;
  /** What `fewReadableAcls` returns, by which `whereSql` finds documents if it is known. */
  readonly acls: ReadableAcls | undefined;
  /** A join that keeps documents `d` which the caller may read; empty where `whereSql` does. */
  readonly granting: string;
  /** The condition of a query on documents `d`, with WHERE; $1 is their repository. */
  readonly whereSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
  /** The documents `d` that a query finds and the caller may read, from FROM on. */
  readonly foundSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
}

/** The first query of a process loads the compiler. @param query sends the search too. */
export async function queryCompiler(
  scope: Scope,
  access: Access,
  view: SearchView,
  query: Client['query'] = scope.db.query,
): Promise<QueryCompiler> {
  const [{ conditionSql }, { newCompilation }, acls] = await Promise.all([
    import('../../query/compile.ts'),
    import('../../query/operand.ts'),
    fewReadableAcls(scope, access, query),
  ]);
  const { model } = scope.services;
  const { now } = access;
  const granting = acls ? '' : view.granting;
  const whereSql: QueryCompiler['whereSql'] = (asked, compilation) =>
    `WHERE d.repository = $1 ${acls ? isOfAcls(acls, compilation) : ''} AND ${conditionSql(asked, compilation)}`;
  return {
    begin: (parameters) =>
      newCompilation({
        model,
        parameters,
        now,
        mayRead: view.mayRead,
        mayReadAcl: view.mayReadAcl(parameters),
      }),
    acls,
    granting,
    whereSql,
    foundSql: (asked, compilation) => `FROM searchable d ${granting} ${whereSql(asked, compilation)}`,
  };
}
