import type { RequestHandler } from 'express';
import { type MatchFunction, match } from 'path-to-regexp';

export type Parameters = Partial<Record<string, string | string[]>>;

export interface Endpoint {
  /** The Express pattern of the path. Metrics use it as the name of the route. */
  readonly path: string;
  readonly handle: RequestHandler;
  /** The methods that the endpoint supports; absent if the endpoint only responds with 404. */
  readonly methods?: readonly string[];
  /** Returns the endpoint, if any, that serves requests with these parameters instead of this one. */
  readonly instead?: (parameters: Parameters) => Endpoint | undefined;
}

interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Parameters;
}

const firstSegment = (path: string): string => /^\/([^/{;]*)/.exec(path)?.[1] ?? '';

// Returns the first segment of a path that starts with an unencoded `@`, such as `/@children`. Returns an empty string
// for the pattern `@:adapter`, because it matches any adapter.
const adapterOf = (path: string): string => /\/@[^/:][^/]*/.exec(path)?.[0] ?? '';

/**
 * Normalizes paths of adapters on the root document. Clients insert its path, `/`, between `/path` and the adapter:
 * `/path//@children`.
 */
const atRoot = (path: string): string => path.replace(/^\/path\/\/+@/, '/path/@');

/**
 * Compiles a pattern only when a path is first matched against it, because most of the hundreds of patterns are never
 * needed.
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
 * Creates a function that finds the first endpoint whose pattern matches a path. The path can start with `/repo/NAME`;
 * in that case, NAME becomes the parameter `repository`. An Express router would try the routes one after the other,
 * which would take half as long as serving a document. This function tries only the endpoints with the same first
 * segment and adapter.
 * @throws URIError if the path is not percent-encoded correctly
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
