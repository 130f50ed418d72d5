import type { RequestHandler } from 'express';
import { type MatchFunction, match } from 'path-to-regexp';

export type Parameters = Partial<Record<string, string | string[]>>;

export interface Endpoint {
  /** An Express pattern; metrics use it as the label of the route. */
  readonly path: string;
  readonly handle: RequestHandler;
  /** The methods that it serves; absent where there is nothing. */
  readonly methods?: readonly string[];
  /** The endpoint that serves these parameters instead, if any. */
  readonly instead?: (parameters: Parameters) => Endpoint | undefined;
}

interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Parameters;
}

const firstSegment = (path: string): string => /^\/([^/{;]*)/.exec(path)?.[1] ?? '';

// The first segment with a raw `@` at its start, such as `/@children`; the pattern `@:adapter` counts as
// none.
const adapterOf = (path: string): string => /\/@[^/:][^/]*/.exec(path)?.[0] ?? '';

/** Clients put the path of the root, `/`, between `/path` and the adapter. */
const atRoot = (path: string): string => path.replace(/^\/path\/\/+@/, '/path/@');

/** Compiled by the first address that is tried against it: of hundreds of paths few are asked for. */
function matching(path: string): MatchFunction<Parameters> {
  let compiled: MatchFunction<Parameters> | undefined;
  return (address) => {
    compiled ??= match(path, { sensitive: true });
    return compiled(address);
  };
}

const inRepository = match<Parameters>('/repo/:repository', { end: false });

/**
 * Finds the first endpoint whose path matches, also below `/repo/NAME`, where NAME becomes the parameter
 * `repository`. An Express router would try one route after the other, which costs half as much as serving a
 * document; here an address is tried against the endpoints with its first segment and its adapter only.
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
