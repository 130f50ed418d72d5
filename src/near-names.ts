import leven from 'leven';

/** Longer words are ids, and the time to compare grows with the length. */
const maxCharacters = 40;

/** Names that one word is compared with, which bounds the time to some milliseconds. */
const maxNames = 2_000;

const maxNamed = 3;

/**
 * The names that a word most likely stands for, the closest first: it begins them, or differs from them in at most one
 * of three characters, ignoring case.
 * @param names only the first 2,000 are compared.
 */
export function closestNames(word: string, names: Iterable<string>): string[] {
  const text = word.toLowerCase();
  if (text === '' || text.length > maxCharacters) return [];
  const most = Math.max(1, Math.floor(text.length / 3));
  const found: Array<readonly [distance: number, name: string]> = [];
  let compared = 0;
  for (const name of names) {
    compared += 1;
    if (compared > maxNames) break;
    const other = name.toLowerCase();
    if (other.length > 3 * maxCharacters) continue;
    const distance = text.length > 2 && other.startsWith(text) ? 1 : leven(text, other);
    if (distance <= most) found.push([distance, name]);
  }
  return found.sort(([one], [other]) => one - other).map(([, name]) => name);
}

interface Listing {
  readonly plural: string;
  readonly address: string;
}

/**
 * What follows the sentence that a name is unknown: the closest names, at most three, and where to find all.
 * @param address below `/api/v1`, such as `/config/types`.
 * @returns two sentences, for example ` Did you mean File or Folder? GET /api/v1/config/types lists the types.`
 */
function nameAdvice(word: string, names: Iterable<string>, { plural, address }: Listing): string {
  const closest = closestNames(word, names).slice(0, maxNamed);
  const meant = closest.length > 0 ? ` Did you mean ${closest.join(' or ')}?` : '';
  return `${meant} GET /api/v1${address} lists the ${plural}.`;
}

/** The kinds of names of the content model whose unknown names are explained. */
const listings = {
  type: { label: 'Type', plural: 'types', address: '/config/types' },
  facet: { label: 'Facet', plural: 'facets', address: '/config/facets' },
  schema: { label: 'Schema', plural: 'schemas', address: '/config/schemas' },
  directory: { label: 'Directory', plural: 'directories', address: '/directory' },
  'page provider': { label: 'Page provider', plural: 'page providers', address: '/search/lang/pp' },
  operation: { label: 'Operation', plural: 'operations', address: '/automation' },
} as const;

/** The message for an unknown name: `Type: Fil does not exist. Did you mean File? GET /api/v1/config/types lists the types.` */
export const unknownName = (kind: keyof typeof listings, word: string, names: Iterable<string>): string =>
  `${listings[kind].label}: ${word.slice(0, 200)} does not exist.${nameAdvice(word, names, listings[kind])}`;
