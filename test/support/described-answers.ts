import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { templateOf } from '../../src/openapi/parameters.ts';
import { createEndpointMatcher } from '../../src/rest/endpoints.ts';
import { routes } from '../../src/rest/routes.ts';
import { checker } from './described.ts';

const file = new URL('../../openapi.json', import.meta.url);

/** The compiled schemas outlive the modules of a test file: compiling them takes longer than most files. */
const kept = globalThis as { describedAnswers?: ReturnType<typeof checker> };
const checkOf = () => {
  kept.describedAnswers ??= checker(JSON.parse(readFileSync(file, 'utf8')));
  return kept.describedAnswers;
};

/** The path in openapi.json by the method and the pattern of an endpoint. */
const described: ReadonlyMap<string, string> = new Map(
  routes.flatMap(({ method, path, openApiPath, operation }) => {
    const { template } = templateOf(openApiPath ?? path);
    const later = openApiPath === undefined ? '/automation/{operation}/@async' : `${template}/@async`;
    const own: [string, string] = [`${method} ${path}`, template];
    return operation === undefined ? [own] : [own, [`post ${path}/@async`, later] as [string, string]];
  }),
);

const find = createEndpointMatcher(
  [...new Set([...described.keys()].map((key) => key.replace(/^\w+ /, '')))].map((path) => ({
    path,
    handle: () => {},
  })),
);

/** The pattern of an address, for what was refused before its endpoint was looked for. */
function patternOf(address: string): string | undefined {
  try {
    return find(address.replace(/\?.*/s, ''))?.endpoint.path;
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
  const path = described.get(`${verb} ${route?.path ?? patternOf(address)}`);
  if (path === undefined) return undefined;
  const difference = checkOf().answer(verb, path, {
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
