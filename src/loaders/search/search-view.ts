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

/** The SQL that restricts a search to what its caller may read. */
export interface SearchView {
  /** A join that keeps the documents `d` that the caller may read. */
  readonly granting: string;
  /** The join `granting` for another alias of `document`. */
  readonly grantingOf: (alias: string) => string;
  /** The condition that the caller may read the document of an alias. */
  readonly mayRead: (alias: string) => string;
  /** The condition that the caller may read the ACLs of a document. Few queries need it, so it adds its parameters. */
  readonly mayReadAcl: (parameters: SqlParameters) => (alias: string) => string;
  /** The values of the parameters from $2 on that the others use. */
  readonly values: readonly unknown[];
}

const everything: SearchView = {
  granting: '',
  grantingOf: () => '',
  mayRead: () => 'true',
  mayReadAcl: () => () => 'true',
  values: [],
};

/** Makes the view of a caller. Administrators may read everything, so theirs adds no conditions. */
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

/**
 * The number of ACL ids that the planner sees. It unpacks the statistics of the column for each of them, which takes
 * 8 ms for 250 ids.
 */
const maxPlannedAcls = 100;

/**
 * The condition that a document has one of the ACLs that the caller can read by. With a few ids, PostgreSQL can find the
 * documents by an index. With more, `coalesce` hides the condition from the planner, and the ids are hashed and compared.
 */
function isOfAcls({ ofDocuments, ofVersions }: ReadableAcls, { parameters }: Compilation): string {
  const isAny = (ids: readonly string[]) => {
    const condition = `d.acl_id = ANY(${parameters.add(ids, 'uuid[]')})`;
    return ids.length > maxPlannedAcls ? `coalesce(${condition}, false)` : condition;
  };
  if (isDeepStrictEqual(ofDocuments, ofVersions)) return `AND ${isAny(ofDocuments)}`;
  return `AND (${isAny(ofDocuments)} AND NOT d.is_version OR ${isAny(ofVersions)} AND d.is_version)`;
}

/** Compiles the queries of a request to SQL. */
export interface QueryCompiler {
  /** Begins the compilation of a query, which adds its values to the parameters. */
  readonly begin: (parameters: SqlParameters) => Compilation;
  /** The ACLs of `fewReadableAcls`. If they are known, `whereSql` restricts documents to them. */
  readonly acls: ReadableAcls | undefined;
  /** A join that keeps the documents `d` that the caller may read; empty if `whereSql` restricts them by `acls`. */
  readonly granting: string;
  /** The WHERE clause of a query on documents `d`; $1 is their repository. */
  readonly whereSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
  /** The query of the readable documents `d` that match, from its FROM clause on. */
  readonly foundSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
}

/**
 * Makes the compiler of a request's queries. The first call in a process loads the modules of the query language.
 * @param query the function that also sends the search.
 */
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
  const { model, wordAnalysis } = scope.services;
  const { now } = access;
  const granting = acls ? '' : view.granting;
  const whereSql: QueryCompiler['whereSql'] = (selected, compilation) =>
    `WHERE d.repository = $1 ${acls ? isOfAcls(acls, compilation) : ''} AND ${conditionSql(selected, compilation)}`;
  return {
    begin: (parameters) =>
      newCompilation({
        model,
        analysis: wordAnalysis,
        parameters,
        now,
        mayRead: view.mayRead,
        mayReadAcl: view.mayReadAcl(parameters),
      }),
    acls,
    granting,
    whereSql,
    foundSql: (selected, compilation) => `FROM searchable d ${granting} ${whereSql(selected, compilation)}`,
  };
}
