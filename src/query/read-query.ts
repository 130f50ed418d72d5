import { Invalid } from '../errors.ts';
import type { Condition, Query } from './ast.ts';
import { QueryFault } from './query-fault.ts';

/** A query and the values of its parameters, as given in a request. */
export interface QueryInput {
  /** Defaults to a query for all documents. */
  readonly query?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly positional?: readonly unknown[] | null | undefined;
  /** The value of each `:name`. Other names are ignored. */
  readonly named?: Readonly<Record<string, unknown>> | null | undefined;
}

interface QueryCaller {
  readonly user: { readonly id: string };
  readonly options: { readonly repository: string };
}

/** Returns the values of the variables `$currentUser` and `$currentRepository`. */
export const variablesOf = ({ user, options }: QueryCaller) => ({
  currentUser: user.id,
  currentRepository: options.repository,
});

/**
 * Parses a query. The parser is loaded on the first call.
 * @throws Invalid if the language is not NXQL, or the NXQL is invalid
 */
export async function readQuery(
  caller: QueryCaller,
  { query, language, positional, named }: QueryInput,
): Promise<Query> {
  if (language && language.toUpperCase() !== 'NXQL') {
    throw new Invalid(`language must be NXQL; got "${language}"`);
  }
  const [{ allDocumentsQuery, parseQuery }, { placeholderValues }] = await Promise.all([
    import('./parse.ts'),
    import('./placeholders.ts'),
  ]);
  const text = query || allDocumentsQuery;
  return parseQuery(text, {
    positional: placeholderValues(text, positional ?? []),
    named: named ?? {},
    variables: variablesOf(caller),
  });
}

/** @throws QueryFault if the query selects columns */
export function requireDocuments(query: Query): Query {
  if (query.select !== '*')
    throw new QueryFault('expected SELECT *; only Repository.ResultSetQuery can select columns');
  return query;
}

/**
 * Parses a query for documents.
 * @throws Invalid if it is invalid or selects columns
 */
export const readDocumentQuery = async (caller: QueryCaller, input: QueryInput): Promise<Query> =>
  requireDocuments(await readQuery(caller, input));

/**
 * Checks a query whose parameters do not have values yet.
 * @throws Invalid if it is invalid or selects columns
 */
export async function requireDocumentQuery(caller: QueryCaller, query: string): Promise<void> {
  const { placeholderBindings } = await import('./placeholders.ts');
  await readDocumentQuery(caller, { query, ...placeholderBindings(query) });
}

export async function readCondition(caller: QueryCaller, text: string): Promise<Condition> {
  const { parseCondition } = await import('./parse.ts');
  return parseCondition(text, { positional: [], named: {}, variables: variablesOf(caller) });
}
