import type { RequestHandler } from 'express';
import { type MatchFunction, match } from 'path-to-regexp';

export type Parameters = Partial<Record<string, string | string[]>>;

export interface Endpoint {
  /** An Express pattern; metrics use it as the label of the route. */
  readonly path: string;
  readonly handle: RequestHandler;
  /** The methods that the endpoint serves; absent for endpoints that only respond with 404. */
  readonly methods?: readonly string[];
  /** Returns another endpoint that serves these parameters in place of this one, if there is any. */
  readonly instead?: (parameters: Parameters) => Endpoint | undefined;
}

interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Parameters;
}

const firstSegment = (path: string): string => /^\/([^/{;]*)/.exec(path)?.[1] ?? '';

// The first segment that starts with an unencoded `@`, such as `/@children`. The pattern `@:adapter` has
// none.
const adapterOf = (path: string): string => /\/@[^/:][^/]*/.exec(path)?.[0] ?? '';

/** For the root document, clients put its path, `/`, between `/path` and the adapter: `/path//@children`. */
const atRoot = (path: string): string => path.replace(/^\/path\/\/+@/, '/path/@');

/**
 * Compiles a pattern when the first address is matched against it, because most of the hundreds of patterns
 * are never requested.
 */
function matching(path: string): MatchFunction<Parameters> {
  let compiled: MatchFunction<Parameters> | undefined;
  return (address) => {
    compiled ??= match(path, { sensitive: true });
    return compiled(address);
  };
}

const inRepository = match<Parameters>('/repo/:repository', { end: false });

/**
 * Finds the first endpoint whose pattern matches an address. The address may start with `/repo/NAME`; NAME
 * then becomes the parameter `repository`. An Express router tries one route after the other, which takes
 * half as long as serving a document. This matcher tries only the endpoints that share the first segment and
 * the adapter of the address.
 * @throws URIError when the address is not percent-encoded correctly.
 */
export function createEndpointMatcher(
  endpoints: readonly Endpoint[],
): (path: string) => EndpointMatch | undefined {
  const candidates = new Map<string, Array<{ endpoint: Endpoint; match: MatchFunction<Parameters> }>>();
  for (const endpoint of endpoints) {
    const key = firstSegment(endpoint.path) + adapterOf(endpoint.path);
    const candidate = { endpoint, match: matching(endpoint.path) };
    const known = candidates.get(key);
    if (known) known.push(candidate);
    else candidates.set(key, [candidate]);
  }
  const find = (address: string): EndpointMatch | undefined => {
    const path = atRoot(address);
    const first = firstSegment(path);
    const tried = candidates.get(first + adapterOf(path)) ?? candidates.get(first) ?? [];
    for (const { endpoint, match: matchPath } of tried) {
      const matched = matchPath(path);
      if (!matched) continue;
      const { params: parameters } = matched;
      return { endpoint: endpoint.instead?.(parameters) ?? endpoint, parameters };
    }
    return undefined;
  };
  return (path) => {
    const repository = firstSegment(path) === 'repo' && inRepository(path);
    if (!repository) return find(path);
    const found = find(path.slice(repository.path.length) || '/');
    return found && { ...found, parameters: { ...repository.params, ...found.parameters } };
  };
}
