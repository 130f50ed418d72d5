import { Invalid } from '../errors.ts';
import type { Scope } from '../scope.ts';
import type { Query } from './ast.ts';

/** A query as its caller says it. */
export interface GivenQuery {
  /** All documents when absent. */
  readonly query?: string | null | undefined;
  /** NXQL alone. */
  readonly language?: string | null | undefined;
  /** The values for each `?`, in order. */
  readonly positional?: readonly unknown[] | null | undefined;
  /** The values for each `:name`; others do no harm. */
  readonly named?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Reads a query and puts its values in; the parser is loaded by the first query of the process.
 * @throws Invalid on another language, and naming the place of a fault in the query.
 */
export async function readQuery(
  { user, options }: Pick<Scope, 'user' | 'options'>,
  { query, language, positional, named }: GivenQuery,
): Promise<Query> {
  if (language && language.toUpperCase() !== 'NXQL') {
    throw new Invalid(`language: "${language}" is not served, only NXQL is`);
  }
  const { anyDocument, parseQuery } = await import('./parse.ts');
  return parseQuery(query || anyDocument, {
    positional: positional ?? [],
    named: named ?? {},
    variables: { currentUser: user.id, currentRepository: options.repository },
  });
}

/** The same for a query that finds documents. @throws Invalid when it asks for columns. */
export async function readDocumentQuery(
  scope: Parameters<typeof readQuery>[0],
  given: GivenQuery,
): Promise<Query> {
  const query = await readQuery(scope, given);
  if (query.select !== '*') throw new Invalid('query: columns are asked for, expected SELECT *');
  return query;
}
