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

/** The paths in openapi.json by the methods and patterns of endpoints. */
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
    /** Of what openapi.json has in it. */
    check: checker(openApiDescription({ schema, contributed }, { isAdministrator: true }) as Description),
    paths,
    find: createEndpointMatcher([...patterns].map((path) => ({ path, handle: () => {} }))),
  };
}

/** By the modules of the server, which outlive those of a test file: compiling takes longer than most files. */
const kept = globalThis as { described?: WeakMap<typeof routes, ReturnType<typeof describe>> };
function described(): ReturnType<typeof describe> {
  kept.described ??= new WeakMap();
  const known = kept.described.get(routes) ?? describe();
  kept.described.set(routes, known);
  return known;
}

/** The pattern of an address, for what was refused before its endpoint was looked for. */
function patternOf(address: string): string | undefined {
  try {
    return described().find(address.replace(/\?.*/s, ''))?.endpoint.path;
  } catch {
    return undefined; // it is not percent-encoded correctly
  }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** What was written to a response: JSON, and of other types only whether there was any. */
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
  response.write = ((...given: Parameters<typeof write>) => {
    add(given[0]);
    return write.apply(response, given);
  }) as typeof write;
  response.end = ((...given: Parameters<typeof end>) => {
    add(given[0]);
    return end.apply(response, given);
  }) as typeof end;
  return written;
}

/** Files have any type, whatever they contain. */
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

/** The difference between an answer of REST and its description. */
function differenceOf(
  address: string,
  { method = '', route }: Routed,
  response: ServerResponse,
  written: Written,
) {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // Before routing requests are only refused; other addresses that end alike may answer a page.
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

/** Compares every answer of REST with openapi.json; what is not described there is added to `undescribed`. */
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
