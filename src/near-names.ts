import leven from 'leven';

/**
 * The maximum length of words for which similar names are searched. Longer words are ids, and comparing them would take
 * too long.
 */
const maxCharacters = 40;

/** The maximum number of names that are compared, so that the comparison takes only milliseconds. */
const maxNames = 2_000;

const maxSuggestions = 3;

/**
 * Returns the names that a mistyped word most likely stands for, the most similar first. A name matches if it begins
 * with the word, or if at most a third of its characters differ from the word, ignoring case.
 * @param names only the first 2,000 are compared
 */
export function closestNames(word: string, names: Iterable<string>): string[] {
  const text = word.toLowerCase();
  if (text === '' || text.length > maxCharacters) return [];
  const maxDistance = Math.max(1, Math.floor(text.length / 3));
  const found: Array<readonly [distance: number, name: string]> = [];
  let compared = 0;
  for (const name of names) {
    compared += 1;
    if (compared > maxNames) break;
    const other = name.toLowerCase();
    if (other.length > 3 * maxCharacters) continue;
    const distance = text.length > 2 && other.startsWith(text) ? 1 : leven(text, other);
    if (distance <= maxDistance) found.push([distance, name]);
  }
  return found.sort(([one], [other]) => one - other).map(([, name]) => name);
}

interface Listing {
  readonly plural: string;
  readonly address: string;
}

/**
 * Returns the sentences that follow "… does not exist." in a message: up to three similar names, and where to find all
 * names. For example, ` Did you mean File or Folder? GET /api/v1/config/types lists the types.`
 */
function nameAdvice(word: string, names: Iterable<string>, { plural, address }: Listing): string {
  const closest = closestNames(word, names).slice(0, maxSuggestions);
  const suggestion = closest.length > 0 ? ` Did you mean ${closest.join(' or ')}?` : '';
  return `${suggestion} GET /api/v1${address} lists the ${plural}.`;
}

/** The kinds of names for which error messages suggest similar names. */
const listings = {
  type: { label: 'Type', plural: 'types', address: '/config/types' },
  facet: { label: 'Facet', plural: 'facets', address: '/config/facets' },
  schema: { label: 'Schema', plural: 'schemas', address: '/config/schemas' },
  directory: { label: 'Directory', plural: 'directories', address: '/directory' },
  'page provider': { label: 'Page provider', plural: 'page providers', address: '/search/lang/pp' },
  operation: { label: 'Operation', plural: 'operations', address: '/automation' },
} as const;

/**
 * Returns the message for an unknown name, such as `Type: Fil does not exist. Did you mean File? GET
 * /api/v1/config/types lists the types.`
 */
export const unknownName = (kind: keyof typeof listings, word: string, names: Iterable<string>): string =>
  `${listings[kind].label}: ${word.slice(0, 200)} does not exist.${nameAdvice(word, names, listings[kind])}`;
