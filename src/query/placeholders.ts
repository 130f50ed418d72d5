import { Invalid } from '../errors.ts';
import { tokenize } from './tokens.ts';

/** How many positional parameters a query takes. */
export const countPlaceholders = (query: string): number =>
  tokenize(query).filter(({ kind, source }) => kind === 'parameter' && source === '?').length;

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
