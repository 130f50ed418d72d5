import { isAscii, isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { Invalid, UnsupportedMedia } from '../errors.ts';
import { decodingSteps, inTurns, yieldToEventLoop } from '../event-loop.ts';
import { JsonBudget, parseCounted, parseJson } from '../model/values/json-budget.ts';
import { rememberStorable } from '../model/values/storable.ts';
import type { Turns } from '../services.ts';
import { currentUser } from './identify.ts';
import { notUtf8 } from './unreadable.ts';

/** The number of bytes above which JSON is parsed only while no other large JSON is being parsed. */
const largeJson = 1_000_000;

/**
 * The number of characters above which JSON is parsed in several steps. Parsing the maximum number of values in one
 * step would block the event loop for 150 ms.
 */
const longText = 100_000;

/** The number of milliseconds after which a large body that is still waiting for its turn is rejected. */
const maxWait = 10_000;

/**
 * Parses JSON from a request, given as a string or as UTF-8 bytes, within the limits for JSON (§8). JSON of more than
 * 100,000 characters is parsed in steps, between which other requests run. JSON of more than 1 MB waits until no other
 * large JSON is being parsed.
 * @param what the subject of error messages, such as `the body`
 * @throws Invalid, TooLarge; Unavailable if too many other bodies are waiting
 */
export type ParseJsonOf = (response: Response, source: string | Buffer, what: string) => Promise<unknown>;

const isLarge = (source: string | Buffer): boolean =>
  source.length > largeJson || (source.length > largeJson / 3 && Buffer.byteLength(source) > largeJson);

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

async function parseInSteps(source: string | Buffer, what: string): Promise<unknown> {
  await yieldToEventLoop(); // Receiving the text has already taken some time.
  const bytes = typeof source === 'string' ? undefined : source;
  // Decoding each byte as one character is fast. The result is sufficient for counting values, and if the bytes are
  // ASCII, it already is the correct text.
  let text = typeof source === 'string' ? source : source.toString('latin1');
  await inTurns(new JsonBudget().spendingSteps(text, what));
  if (bytes && !isAscii(bytes)) text = withoutMark(await inTurns(decodingSteps(bytes)));
  await yieldToEventLoop();
  const json = parseCounted(text, what);
  await yieldToEventLoop();
  rememberStorable(json);
  await yieldToEventLoop();
  return json;
}

export const jsonParser =
  (turns: Turns): ParseJsonOf =>
  async (response, source, what) => {
    if (source.length <= longText) return parseJson(withoutMark(source.toString()), what);
    if (!isLarge(source)) return parseInSteps(source, what);
    const turn = {
      user: currentUser(response).id,
      deadline: performance.now() + maxWait,
      isConnected: false,
      isWrite: false,
      origin: 'request',
      signal: undefined,
      response,
    } as const;
    return turns.take(turn, () => parseInSteps(source, what));
  };

/** Runs one of Express's body parsers. @throws the error that the parser passes to `next` */
export const runBodyParser = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

export type ReadJsonBody = (request: Request, response: Response) => Promise<unknown>;

/**
 * Creates a function that reads the body of a request as JSON, regardless of its media type.
 * @param limit the maximum size in bytes (BODY_LIMIT)
 */
export function jsonBodyReader(limit: number, parse: ParseJsonOf): ReadJsonBody {
  const all = { limit, type: () => true };
  const readBytes = express.raw(all);
  const readText = express.text(all);
  return async (request, response) => {
    const [, encoding = 'utf-8'] = charset.exec(request.headers['content-type'] ?? '') ?? [];
    if (!/^utf-/i.test(encoding))
      throw new UnsupportedMedia(`JSON must be encoded in UTF-8, not in ${encoding}.`);
    const isBytes = /^utf-8$/i.test(encoding);
    await runBodyParser(isBytes ? readBytes : readText, request, response);
    const source = request.body as string | Buffer | undefined;
    request.body = undefined; // Releases the body before the request ends, because it can be as large as the limit.
    if (!source?.length) throw new Invalid('The body is missing.');
    if (Buffer.isBuffer(source) && !isUtf8(source)) throw notUtf8();
    return parse(response, source, 'the body');
  };
}

/** The media types that a body of /graphql can have. */
const graphqlTypes = ['application/json', 'application/graphql+json'];

/**
 * Parses the body of a request to /graphql and replaces `request.body` with the resulting object, so that it is parsed
 * only once.
 * @throws UnsupportedMedia for other media types; Invalid if the JSON is not an object
 */
export const readGraphqlBody =
  (read: ReadJsonBody): RequestHandler =>
  async (request, response, next) => {
    if (request.method === 'POST') {
      const type = request.is(graphqlTypes);
      if (type === null) throw new Invalid('The body is missing.');
      if (type === false) throw new UnsupportedMedia('The body must be application/json.');
      const body = await read(request, response);
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new Invalid('The body must be a JSON object with a query.');
      request.body = body;
    }
    next();
  };
