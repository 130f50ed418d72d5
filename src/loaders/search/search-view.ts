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

/** SQL that restricts a search to the documents that its caller can read. */
export interface SearchView {
  /** A join that selects the documents `d` that the caller can read. */
  readonly granting: string;
  /** Returns the join `granting` for another alias of `document`. */
  readonly grantingOf: (alias: string) => string;
  /** Returns an SQL condition that is true if the caller can read the document with the given alias. */
  readonly mayRead: (alias: string) => string;
  /**
   * Returns an SQL condition that is true if the caller can read the ACLs of a document. Few queries need this
   * condition, so its parameters are added only when it is used.
   */
  readonly mayReadAcl: (parameters: SqlParameters) => (alias: string) => string;
  /** The values of the parameters, from $2 on, that the other fields use. */
  readonly values: readonly unknown[];
}

const everything: SearchView = {
  granting: '',
  grantingOf: () => '',
  mayRead: () => 'true',
  mayReadAcl: () => () => 'true',
  values: [],
};

/** Creates the view of a caller. Administrators can read everything, so their view adds no conditions. */
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
 * The maximum number of ACL ids that the planner is allowed to see. For each id, the planner unpacks the statistics of
 * the column, which takes 8 ms for 250 ids.
 */
const maxPlannedAcls = 100;

/**
 * SQL condition that is true if a document has one of the ACLs that allow the caller to read it. If there are only a
 * few ids, PostgreSQL can find the documents through an index. If there are more, `coalesce` hides the condition from
 * the planner, and the ids are hashed and compared.
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
  /** Starts the compilation of a query, which adds its values to the parameters. */
  readonly begin: (parameters: SqlParameters) => Compilation;
  /** The ACLs returned by `fewReadableAcls`. If set, `whereSql` restricts the search to documents with these ACLs. */
  readonly acls: ReadableAcls | undefined;
  /**
   * A join that selects the documents `d` that the caller can read; empty if `whereSql` already restricts them by
   * `acls`.
   */
  readonly granting: string;
  /** Returns the WHERE clause of a query for documents `d`; $1 is their repository. */
  readonly whereSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
  /** Returns the query for the readable documents `d` that match, starting with its FROM clause. */
  readonly foundSql: (query: Pick<Query, 'from' | 'where'>, compilation: Compilation) => string;
}

/**
 * Creates the compiler for a request's queries. The first call in a process imports the modules of the query language.
 * @param query the function that also sends the search
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
