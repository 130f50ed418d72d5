import { Invalid } from '../errors.ts';
import type { Bindings } from './literals.ts';
import { type Token, tokenize } from './tokens.ts';

const isPositional = ({ source }: Token): boolean => source === '?';

/** How many positional parameters a query takes. */
export const countPlaceholders = (query: string): number => tokenize(query).filter(isPositional).length;

/** Positional parameters, which were split at commas: these belong to the value where one is expected. */
export const withCommas = <Value>(
  given: readonly Value[],
  expected: number,
): ReadonlyArray<Value | string> => (expected === 1 && given.length > 1 ? [given.join(',')] : given);

/** The values for each `?` of a query. @throws Invalid when some would be left over. */
export function placeholderValues(query: string, given: readonly unknown[]): readonly unknown[] {
  if (given.length < 2) return given;
  const expected = countPlaceholders(query);
  const values = withCommas(given, expected);
  if (expected > 0 && values.length > expected)
    throw new Invalid(`queryParams: ${expected} are expected, got ${values.length}`);
  return values;
}

/** In place of a value that is given later: the database takes no such text. */
export const givenLater = '\0';

/** With which a query is parsed before its parameters have values. */
export function placeholderBindings(query: string): Bindings {
  const parameters = tokenize(query).filter(({ kind }) => kind === 'parameter');
  return {
    positional: parameters.filter(isPositional).map(() => givenLater),
    named: Object.fromEntries(
      parameters.filter((token) => !isPositional(token)).map(({ value }) => [value, givenLater]),
    ),
    variables: { currentUser: givenLater, currentRepository: givenLater },
  };
}
