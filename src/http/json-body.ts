import express, { type Request, type RequestHandler, type Response } from 'express';
import { Invalid, UnsupportedMedia } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { JsonBudget, parseCounted, parseJson } from '../model/values/json-budget.ts';
import { rememberStorable } from '../model/values/storable.ts';
import type { Turns } from '../services.ts';
import { currentUser } from './identify.ts';
import { requireUtf8 } from './unreadable.ts';

/** Bytes above which JSON is parsed only while no other large JSON is. */
const largeJson = 1_000_000;

/**
 * Characters above which JSON is parsed in several steps. Parsing JSON with the maximum number of values in one step
 * would block the event loop for 150 ms.
 */
const longText = 100_000;

/** Milliseconds after which a large body that still waits for its turn is refused. */
const maxWait = 10_000;

/**
 * Parses JSON that the caller of a request has sent, within the limits of JSON (§8). JSON of more than 100,000
 * characters is parsed in steps, between which other requests run. JSON of more than 1 MB waits until no other is
 * being parsed.
 * @param what the subject of error messages, such as `the body`.
 * @throws Invalid, TooLarge; Unavailable when too many other bodies wait
 */
export type ParseJsonOf = (response: Response, text: string, what: string) => Promise<unknown>;

const isLarge = (text: string): boolean =>
  text.length > largeJson || (text.length > largeJson / 3 && Buffer.byteLength(text) > largeJson);

async function parseInSteps(text: string, what: string): Promise<unknown> {
  await yieldToEventLoop(); // decoding the text has taken time already
  new JsonBudget().spendJson(text, what);
  await yieldToEventLoop();
  const json = parseCounted(text, what);
  await yieldToEventLoop();
  rememberStorable(json);
  await yieldToEventLoop();
  return json;
}

export const jsonParser =
  (turns: Turns): ParseJsonOf =>
  async (response, text, what) => {
    if (text.length <= longText) return parseJson(text, what);
    if (!isLarge(text)) return parseInSteps(text, what);
    const turn = {
      user: currentUser(response).id,
      deadline: performance.now() + maxWait,
      isConnected: false,
      isWrite: false,
      origin: 'request',
      signal: undefined,
      response,
    } as const;
    return turns.take(turn, () => parseInSteps(text, what));
  };

/** Runs a body parser of Express. @throws the error that it passes to `next` */
export const runBodyParser = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

export type ReadJsonBody = (request: Request, response: Response) => Promise<unknown>;

/** Creates a function that reads the body of a request as JSON, regardless of its media type. @param limit bytes (BODY_LIMIT). */
export function jsonBodyReader(limit: number, parse: ParseJsonOf): ReadJsonBody {
  const readText = express.text({ limit, type: () => true, verify: requireUtf8 });
  return async (request, response) => {
    const [, encoding = 'utf-8'] = charset.exec(request.headers['content-type'] ?? '') ?? [];
    if (!/^utf-/i.test(encoding))
      throw new UnsupportedMedia(`JSON is not accepted in the charset ${encoding}`);
    await runBodyParser(readText, request, response);
    const text = request.body as string | undefined;
    request.body = undefined; // releases the text, which can be as long as the limit, before the request ends
    if (!text) throw new Invalid('the body is missing');
    return parse(response, text, 'the body');
  };
}

/** The media types that a body of /graphql can have. */
const graphqlTypes = ['application/json', 'application/graphql+json'];

/**
 * Parses the body of a request to /graphql and replaces it with the resulting object, so that it is parsed only once.
 * @throws UnsupportedMedia for other media types; Invalid for JSON that is not an object
 */
export const readGraphqlBody =
  (read: ReadJsonBody): RequestHandler =>
  async (request, response, next) => {
    if (request.method === 'POST') {
      const type = request.is(graphqlTypes);
      if (type === null) throw new Invalid('the body is missing');
      if (type === false) throw new UnsupportedMedia('the body must be application/json');
      const body = await read(request, response);
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new Invalid('the body is not a JSON object with a query');
      request.body = body;
    }
    next();
  };
