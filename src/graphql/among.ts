import { Invalid } from '../errors.ts';

/** The names that an argument may have. @throws Invalid on others: they would find nothing without a word. */
export function among(
  argument: string,
  known: readonly string[],
  given: readonly string[] | null | undefined,
): readonly string[] | undefined {
  const other = given?.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new Invalid(`${argument}: "${other.slice(0, 80)}" is none of ${known.join(', ')}`);
  return given ?? undefined;
}
