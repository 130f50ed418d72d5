import { closestNames } from '../near-names.ts';

/** The names of this API for common guesses of clients. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['@permissions', '@acl'],
  ['@rights', '@acl'],
  ['@aces', '@acl'],
  ['@acls', '@acl'],
  ['@history', '@audit'],
  ['@log', '@audit'],
  ['@restore', '@untrash'],
  ['@delete', '@trash'],
  ['@file', '@blob'],
  ['@download', '@blob'],
  ['@content', '@blob'],
  ['@render', '@rendition'],
  ['@execute', '@op'],
  ['doc', 'path'],
  ['document', 'path'],
  ['documents', 'path'],
  ['member', 'user'],
  ['account', 'user'],
  ['vocabulary', 'directory'],
  ['vocabularies', 'directory'],
  ['operation', 'automation'],
  ['operations', 'automation'],
  ['query', 'search'],
]);

const maxSegments = 20;

const isLiteral = (segment: string): boolean => /^@?[a-z]\w*$/i.test(segment);

/** The segment that a mistyped one most likely stands for. */
const closest = (segment: string, words: ReadonlySet<string>): string | undefined =>
  otherNames.get(segment.toLowerCase()) ?? closestNames(segment, words)[0];

/** An address and the methods that it serves. */
export interface Served {
  readonly path: string;
  readonly methods: readonly string[];
}

/**
 * Suggests an address for a request to an unknown one: an address that differs in one segment, otherwise the
 * shortest address below the requested one.
 * @param paths the Express patterns of all routes.
 * @param methodsAt returns the methods that an address serves; undefined if it serves none.
 */
export function createSuggestion(
  paths: readonly string[],
  methodsAt: (address: string) => readonly string[] | undefined,
): (address: string) => Served | undefined {
  const words = new Set(paths.flatMap((path) => path.split('/')).filter(isLiteral));
  const fixed = [...paths]
    .filter((path) => path.split('/').slice(1).every(isLiteral))
    .sort((one, other) => one.length - other.length);
  return (address) => {
    const segments = address.split('/');
    for (const [index, segment] of segments.slice(0, maxSegments).entries()) {
      const word = closest(segment, words);
      const path = word === undefined ? undefined : segments.with(index, word).join('/');
      const methods = path === undefined ? undefined : methodsAt(path);
      if (path !== undefined && methods) return { path, methods };
    }
    const below = fixed.find((path) => path.startsWith(`${address.replace(/\/$/, '')}/`));
    return below === undefined ? undefined : { path: below, methods: methodsAt(below) ?? [] };
  };
}
