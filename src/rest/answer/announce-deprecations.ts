import type { Request, Response } from 'express';
import { type Deprecation, deprecations } from '../../deprecations.ts';
import type { Route } from '../route.ts';

/** Returns what is deprecated in a request: the call itself, and its headers and query parameters. */
function usedIn({ name }: Pick<Route, 'name'>, { headers, query }: Request): Deprecation[] {
  const call = deprecations.calls[name];
  const used = call ? [call] : [];
  for (const [parameter, deprecation] of Object.entries(deprecations.parameters))
    if (headers[parameter.toLowerCase()] !== undefined || query[parameter] !== undefined)
      used.push(deprecation);
  return used;
}

/**
 * Adds the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), and a link to the page about deprecations, to the
 * response to a request that uses something deprecated. If it uses several such things, the earliest dates count.
 */
export function announceDeprecations(
  route: Pick<Route, 'name'>,
  request: Request,
  response: Response,
  baseUrl: string,
): void {
  const used = usedIn(route, request);
  if (used.length === 0) return;
  const earliest = (dates: readonly string[]): number => Math.min(...dates.map((date) => Date.parse(date)));
  response.setHeader('Deprecation', `@${earliest(used.map(({ since }) => since)) / 1000}`);
  response.setHeader('Sunset', new Date(earliest(used.map(({ sunset }) => sunset))).toUTCString());
  response.append('Link', `<${baseUrl}/docs/promises>; rel="deprecation"; type="text/html"`);
}
