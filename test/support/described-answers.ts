import type { RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { stockModel } from '../../src/model/contributed/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';
import { openApiDescription } from '../../src/openapi/description.ts';
import { templateOf } from '../../src/openapi/parameters.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { contributedNames } from '../../src/rest/contributed-names.ts';
import { createEndpointMatcher } from '../../src/rest/endpoints.ts';
import { routes } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import { checker, type Description } from './described.ts';

/** Returns the paths in openapi.json, keyed by the method and pattern of each endpoint. */
const describedPaths = (): ReadonlyMap<string, string> =>
  new Map(
    withOperationRoutes(routes).flatMap(({ method, path, openApiPath, operation }) => {
      const { template } = templateOf(openApiPath ?? path);
      const later = openApiPath === undefined ? '/automation/{operation}/@async' : `${template}/@async`;
      const own: [string, string] = [`${method} ${path}`, template];
      return operation === undefined ? [own] : [own, [`post ${path}/@async`, later] as [string, string]];
    }),
  );

function describe() {
  const contributed = contributedNames(createModel(stockModel));
  const paths = describedPaths();
  const patterns = new Set([...paths.keys()].map((key) => key.replace(/^\w+ /, '')));
  return {
    /** Checks responses against openapi.json. */
    check: checker(openApiDescription({ schema, contributed }, { isAdministrator: true }) as Description),
    paths,
    find: createEndpointMatcher([...patterns].map((path) => ({ path, handle: () => {} }))),
  };
}

/**
 * The compiled description for each of the servers' lists of routes. It is stored globally, because compiling it takes
 * longer than most test files, and the server's modules stay in memory between test files.
 */
const cache = globalThis as { described?: WeakMap<typeof routes, ReturnType<typeof describe>> };
function described(): ReturnType<typeof describe> {
  cache.described ??= new WeakMap();
  const known = cache.described.get(routes) ?? describe();
  cache.described.set(routes, known);
  return known;
}

/** Returns the pattern that matches an address, for requests that were rejected before routing. */
function patternOf(address: string): string | undefined {
  try {
    return described().find(address.replace(/\?.*/s, ''))?.endpoint.path;
  } catch {
    return undefined; // The address is not percent-encoded correctly.
  }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The content of a response: the bytes if it is JSON; otherwise, only whether there are any bytes. */
interface Written {
  readonly json: Buffer[];
  isEmpty: boolean;
}

function watch(response: ServerResponse): Written {
  const written: Written = { json: [], isEmpty: true };
  const add = (chunk: unknown) => {
    if (!(typeof chunk === 'string' || chunk instanceof Uint8Array) || chunk.length === 0) return;
    written.isEmpty = false;
    if (mediaTypeOf(response) === 'application/json') written.json.push(Buffer.from(chunk as string));
  };
  const { write, end } = response;
  response.write = ((...parameters: Parameters<typeof write>) => {
    add(parameters[0]);
    return write.apply(response, parameters);
  }) as typeof write;
  response.end = ((...parameters: Parameters<typeof end>) => {
    add(parameters[0]);
    return end.apply(response, parameters);
  }) as typeof end;
  return written;
}

/**
 * Returns the media type of a response. For files, which can have any type, returns the wildcard that openapi.json
 * uses.
 */
const mediaTypeOf = (response: ServerResponse): string =>
  response.hasHeader('content-disposition')
    ? '*/*'
    : String(response.getHeader('content-type') ?? '').replace(/;.*/, '');

interface Routed {
  readonly method?: string;
  readonly route?: { readonly path: string };
}

function jsonOf(response: ServerResponse, { json }: Written): unknown {
  const sent = Buffer.concat(json);
  const decode = decoders[String(response.getHeader('content-encoding'))];
  return json.length === 0 ? undefined : JSON.parse((decode ? decode(sent) : sent).toString());
}

/** Returns the differences between a REST response and its description. */
function differenceOf(
  address: string,
  { method = '', route }: Routed,
  response: ServerResponse,
  written: Written,
) {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // A request without a route can only be rejected. A success without a route comes from a page whose address resembles
  // a route.
  const pattern = route?.path ?? (response.statusCode < 400 ? undefined : patternOf(address));
  const path = described().paths.get(`${verb} ${pattern}`);
  if (path === undefined) return undefined;
  const difference = described().check.answer(verb, path, {
    status: response.statusCode,
    type: written.isEmpty ? '' : mediaTypeOf(response),
    headers: response.getHeaders(),
    text: written.isEmpty ? '' : 'any',
    body: jsonOf(response, written),
  });
  return difference === undefined ? undefined : `${method} ${path}: ${JSON.stringify(difference)}`;
}

/** Compares every REST response with openapi.json, and adds a line to `undescribed` for each difference. */
export function withDescribedAnswers(app: RequestListener, undescribed: string[]): RequestListener {
  return (request, response) => {
    const [, address] = /\/api\/v1(\/.*)/s.exec(request.url ?? '') ?? [];
    if (address === undefined) return app(request, response);
    const written = watch(response);
    response.once('finish', () => {
      let difference: string | undefined;
      try {
        difference = differenceOf(address, request as Routed, response, written);
      } catch (error) {
        difference = `${request.method} ${request.url}: ${error}`;
      }
      if (difference !== undefined && !undescribed.includes(difference)) undescribed.push(difference);
    });
    app(request, response);
  };
}
