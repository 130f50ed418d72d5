import { setImmediate as nextTurn } from 'node:timers/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { Invalid, UnsupportedMedia } from '../errors.ts';
import { parseJson } from '../model/values/json-budget.ts';
import type { Turns } from '../scope.ts';
import { currentUser } from './identify.ts';
import { requireUtf8 } from './unreadable.ts';

/** Bytes above which JSON is parsed in turn. */
const largeJson = 1_000_000;

/** Milliseconds that a large body may wait for the bodies before it. */
const maxWait = 10_000;

/**
 * Parses JSON of the caller of a request within the limits of JSON (§8). JSON of more than 1 MB waits until no
 * other is being parsed, and lets the event loop do its other work before that.
 * @param what the subject of the messages, such as `the body`.
 * @throws Invalid, TooLarge; Unavailable when too many others wait
 */
export type ParseJsonOf = (response: Response, text: string, what: string) => Promise<unknown>;

const isLarge = (text: string): boolean =>
  text.length > largeJson || (text.length > largeJson / 3 && Buffer.byteLength(text) > largeJson);

export const jsonParser =
  (turns: Turns): ParseJsonOf =>
  async (response, text, what) => {
    if (!isLarge(text)) return parseJson(text, what);
    const turn = {
      user: currentUser(response).id,
      deadline: performance.now() + maxWait,
      isConnected: false,
      isWrite: false,
      origin: 'request',
      signal: undefined,
      response,
    } as const;
    return turns.take(turn, async () => {
      await nextTurn();
      return parseJson(text, what);
    });
  };

/** Runs a parser of Express. @throws what it passes on */
export const runBodyParser = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

export type ReadJsonBody = (request: Request, response: Response) => Promise<unknown>;

/** Reads the body of a request as JSON, whatever its media type is. @param limit bytes (BODY_LIMIT). */
export function jsonBodyReader(limit: number, parse: ParseJsonOf): ReadJsonBody {
  const readText = express.text({ limit, type: () => true, verify: requireUtf8 });
  return async (request, response) => {
    const [, encoding = 'utf-8'] = charset.exec(request.headers['content-type'] ?? '') ?? [];
    if (!/^utf-/i.test(encoding))
      throw new UnsupportedMedia(`JSON is not accepted in the charset ${encoding}`);
    await runBodyParser(readText, request, response);
    const text = request.body as string | undefined;
    request.body = undefined; // the request outlives the text, which may have 10 MB
    if (!text) throw new Invalid('the body is missing');
    return parse(response, text, 'the body');
  };
}

/** The media types of a body of /graphql. */
const graphqlTypes = ['application/json', 'application/graphql+json'];

/**
 * Reads the body of /graphql, which is parsed nowhere else.
 * @throws UnsupportedMedia for other types; Invalid for JSON that is not an object
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
