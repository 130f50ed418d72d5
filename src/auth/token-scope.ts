/** The beginning of a scope that restricts a token to a path and the paths below it, such as `path:/mcp`. */
const prefix = 'path:/';

const isPathScope = (scope: string): boolean => scope.startsWith(prefix) && scope.length > prefix.length;

/** Returns the scope that restricts a token to a path, such as `/mcp`. */
export const scopeOfPath = (path: string): string => `path:${path}`;

/**
 * Returns the paths at and below which a token with the given scopes is valid; undefined if its scopes do not restrict
 * it. Other scopes have no meaning.
 */
export function pathsOfScope(scopes: readonly string[]): readonly string[] | undefined {
  const paths = scopes.filter(isPathScope).map((scope) => scope.slice('path:'.length));
  return paths.length > 0 ? paths : undefined;
}

/**
 * Returns the scopes of a token that replaces another one. A client can request fewer scopes, but the new token must
 * not be valid at more paths than the former one.
 */
export const refreshedScope = (requested: readonly string[], former: readonly string[]): string[] => [
  ...requested,
  ...(pathsOfScope(requested) ? [] : former.filter(isPathScope)),
];
