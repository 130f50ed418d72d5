import { Invalid } from '../errors.ts';

/**
 * Validates the names in an argument, and returns them.
 * @throws Invalid if a name is unknown, because it would silently match nothing
 */
export function among(
  argument: string,
  known: readonly string[],
  names: readonly string[] | null | undefined,
): readonly string[] | undefined {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Invalid(`${argument}: "${unknown.slice(0, 80)}" is not one of ${known.join(', ')}.`);
  return names ?? undefined;
}
