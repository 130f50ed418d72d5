import { Invalid } from '../errors.ts';
import type { Scope } from '../scope.ts';
import type { Condition, Query } from './ast.ts';

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

/** Whom and what queries may name without knowing. */
type Caller = Pick<Scope, 'user' | 'options'>;

const variablesOf = ({ user, options }: Caller) => ({
  currentUser: user.id,
  currentRepository: options.repository,
});

/**
 * Reads a query and puts its values in; the parser is loaded by the first query of the process.
 * @throws Invalid on another language, and naming the place of a fault in the query.
 */
export async function readQuery(
  caller: Caller,
  { query, language, positional, named }: GivenQuery,
): Promise<Query> {
  if (language && language.toUpperCase() !== 'NXQL') {
    throw new Invalid(`language: "${language}" is not served, only NXQL is`);
  }
  const { anyDocument, parseQuery } = await import('./parse.ts');
  return parseQuery(query || anyDocument, {
    positional: positional ?? [],
    named: named ?? {},
    variables: variablesOf(caller),
  });
}

/** The same for a query that finds documents. @throws Invalid when it asks for columns. */
export async function readDocumentQuery(caller: Caller, given: GivenQuery): Promise<Query> {
  const query = await readQuery(caller, given);
  if (query.select !== '*') throw new Invalid('query: columns are asked for, expected SELECT *');
  return query;
}

/** Reads a condition, which leaves nothing open. @throws Invalid naming the place of a fault in it. */
export async function readCondition(caller: Caller, text: string): Promise<Condition> {
  const { parseCondition } = await import('./parse.ts');
  return parseCondition(text, { positional: [], named: {}, variables: variablesOf(caller) });
}
