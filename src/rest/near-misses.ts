import { closestNames } from '../near-names.ts';

/** Names that clients commonly guess, with the names that this API uses instead. */
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

/** Returns the known path segment that a mistyped segment was most likely meant to be. */
const closest = (segment: string, words: ReadonlySet<string>): string | undefined =>
  otherNames.get(segment.toLowerCase()) ?? closestNames(segment, words)[0];

/** A path and the methods that it supports. */
export interface Served {
  readonly path: string;
  readonly methods: readonly string[];
}

/**
 * Creates a function that suggests an existing path when an unknown one is requested: preferably one that differs in a
 * single segment, otherwise the shortest one below the requested path.
 * @param paths the Express patterns of all routes
 * @param methodsAt returns the methods that a path supports; undefined if there are none
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
