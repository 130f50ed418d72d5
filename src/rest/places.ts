import type { RequestHandler } from 'express';
import { type MatchFunction, match } from 'path-to-regexp';

type Parameters = Partial<Record<string, string | string[]>>;

/** What is at an address. */
export interface Place {
  /** In Express' words, which the measurements call it by. */
  readonly path: string;
  readonly handle: RequestHandler;
}

/** A place that an address leads to, and what its path's parameters are there. */
export interface Found {
  readonly place: Place;
  readonly parameters: Parameters;
}

const firstSegment = (path: string): string => /^\/([^/{]*)/.exec(path)?.[1] ?? '';

/** The adapter of an address, with a slash before it: the first segment that begins with a raw `@`; `@:any` is none. */
const adapterOf = (path: string): string => /\/@[^/:][^/]*/.exec(path)?.[0] ?? '';

const matching = (path: string): MatchFunction<Parameters> => match(path, { sensitive: true });

/** What stands before an address of another repository than the first. */
const inRepository = match<Parameters>('/repo/:repository', { end: false });

/**
 * Finds the first place that an address leads to; below `/repo/NAME` as well, which is the parameter `repository`. A
 * router of Express' would hold it against one row after the other, at half of what serving a document costs.
 * @throws URIError when the address is not percent-encoded correctly.
 */
export function createFinder(places: readonly Place[]): (path: string) => Found | undefined {
  /** By the first segment, and the adapter: an address is held against places of its own kind only. */
  const kinds = new Map<string, Array<{ place: Place; match: MatchFunction<Parameters> }>>();
  for (const place of places) {
    const kind = firstSegment(place.path) + adapterOf(place.path);
    kinds.set(kind, [...(kinds.get(kind) ?? []), { place, match: matching(place.path) }]);
  }
  const find = (path: string): Found | undefined => {
    const first = firstSegment(path);
    for (const { place, match: held } of kinds.get(first + adapterOf(path)) ?? kinds.get(first) ?? []) {
      const matched = held(path);
      if (matched) return { place, parameters: matched.params };
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
