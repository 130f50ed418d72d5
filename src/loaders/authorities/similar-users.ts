import type { Scope } from '../../scope.ts';
import { plainAnalysis } from '../../words/atoms.ts';
import { typoIn, typoKeysOf, typoKeysOfTyped, wordsForTypos } from '../../words/typos.ts';
import type { AuthorityRow } from './authorities.ts';

/** The user name, the first name and the last name, separated by spaces. */
const namesOf = ({ id, properties }: AuthorityRow): string =>
  [id, properties?.firstName, properties?.lastName].filter((name) => typeof name === 'string').join(' ');

/** The typo keys of a user's names, which are stored with the user. */
export const typoKeysOfNames = (user: AuthorityRow): string[] => [
  ...new Set(wordsForTypos(plainAnalysis, namesOf(user)).flatMap(typoKeysOf)),
];

/** The maximum number of users to compare. Without a limit, a short word could make PostgreSQL read very many users. */
const maxCandidates = 1_000;

const wordsOf = (text: string): string[] => Array.from(plainAnalysis.atomsOf(text), ({ folded }) => folded);

/** Counts the typos in typed words. Returns undefined if one of the words matches none of the names. */
function typosIn(typed: readonly string[], names: readonly string[]): number | undefined {
  let typos = 0;
  for (const word of typed) {
    const isCorrected = typoKeysOfTyped(word).length > 0;
    if (names.some((name) => name.startsWith(word))) continue;
    if (!isCorrected || !names.some((name) => typoIn(word, name) !== undefined)) return undefined;
    typos += 1;
  }
  return typos;
}

/**
 * Finds users whose names begin with the typed words, in any order, ignoring accents and up to one typo in each word of
 * four letters or more. At least one word must have four letters.
 * @returns users with fewer typos first, then ordered by id
 */
export const similarUsers =
  ({ db }: Scope) =>
  async (term: string, limit: number): Promise<AuthorityRow[]> => {
    const typed = wordsOf(term);
    const longest = typed.reduce((one, other) => (other.length > one.length ? other : one), '');
    const keys = typoKeysOfTyped(longest);
    if (keys.length === 0) return [];
    const found = await db.prisma.user.findMany({
      where: { typoKeys: { hasSome: keys } },
      select: { id: true, properties: true },
      take: maxCandidates,
    });
    return (found as AuthorityRow[])
      .flatMap((user) => {
        const typos = typosIn(typed, wordsOf(namesOf(user)));
        return typos === undefined ? [] : [{ user, typos }];
      })
      .sort((one, other) => one.typos - other.typos || (one.user.id < other.user.id ? -1 : 1))
      .slice(0, limit)
      .map(({ user }) => user);
  };
