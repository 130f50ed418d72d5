import { Invalid } from '../errors.ts';
import type { Condition, Query } from './ast.ts';
import { QueryFault } from './query-fault.ts';

export interface GivenQuery {
  /** Finds all documents when absent. */
  readonly query?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly positional?: readonly unknown[] | null | undefined;
  /** The values for each `:name`; superfluous ones are ignored. */
  readonly named?: Readonly<Record<string, unknown>> | null | undefined;
}

interface QueryCaller {
  readonly user: { readonly id: string };
  readonly options: { readonly repository: string };
}

/** For values that are `$currentUser` or `$currentRepository`. */
export const variablesOf = ({ user, options }: QueryCaller) => ({
  currentUser: user.id,
  currentRepository: options.repository,
});

/** The parser is imported by the first query. @throws Invalid on another language or a fault in the query. */
export async function readQuery(
  caller: QueryCaller,
  { query, language, positional, named }: GivenQuery,
): Promise<Query> {
  if (language && language.toUpperCase() !== 'NXQL') {
    throw new Invalid(`language: "${language}" is not served, only NXQL is`);
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

/** @throws Invalid on a query that selects columns. */
export function requireDocuments(query: Query): Query {
  if (query.select !== '*')
    throw new QueryFault('columns are for Repository.ResultSetQuery, expected SELECT *');
  return query;
}

/** @throws Invalid on a faulty query, and on one that selects columns. */
export const readDocumentQuery = async (caller: QueryCaller, given: GivenQuery): Promise<Query> =>
  requireDocuments(await readQuery(caller, given));

/** @throws Invalid on a query of documents that no parameters make a sound one. */
export async function requireDocumentQuery(caller: QueryCaller, query: string): Promise<void> {
  const { placeholderBindings } = await import('./placeholders.ts');
  await readDocumentQuery(caller, { query, ...placeholderBindings(query) });
}

export async function readCondition(caller: QueryCaller, text: string): Promise<Condition> {
  const { parseCondition } = await import('./parse.ts');
  return parseCondition(text, { positional: [], named: {}, variables: variablesOf(caller) });
}
