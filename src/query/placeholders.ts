import { Invalid } from '../errors.ts';
import type { Bindings } from './literals.ts';
import { type Token, tokenize } from './tokens.ts';

const isPositional = ({ source }: Token): boolean => source === '?';

/** Returns the number of positional parameters (`?`) in a query. */
export const countPlaceholders = (query: string): number => tokenize(query).filter(isPositional).length;

/** Rejoins the values of positional parameters if the query has only one parameter, whose value was split at commas. */
export const joinedAtCommas = <Value>(
  values: readonly Value[],
  expected: number,
): ReadonlyArray<Value | string> => (expected === 1 && values.length > 1 ? [values.join(',')] : values);

/**
 * Returns the values for the positional parameters of a query.
 * @throws Invalid if there are more values than parameters
 */
export function placeholderValues(query: string, input: readonly unknown[]): readonly unknown[] {
  if (input.length < 2) return input;
  const expected = countPlaceholders(query);
  const values = joinedAtCommas(input, expected);
  if (expected > 0 && values.length > expected)
    throw new Invalid(`queryParams: the query has ${expected} parameters; got ${values.length}`);
  return values;
}

/**
 * Represents a value that is not known yet. No real value is equal to it, because PostgreSQL does not allow NUL in
 * text.
 */
export const unboundValue = '\0';

/** Returns bindings with which a query can be parsed and checked before the values of its parameters are known. */
export function placeholderBindings(query: string): Bindings {
  const parameters = tokenize(query).filter(({ kind }) => kind === 'parameter');
  return {
    positional: parameters.filter(isPositional).map(() => unboundValue),
    named: Object.fromEntries(
      parameters.filter((token) => !isPositional(token)).map(({ value }) => [value, unboundValue]),
    ),
    variables: { currentUser: unboundValue, currentRepository: unboundValue },
  };
}
