import { type Readable, Transform } from 'node:stream';
import type { Request, Response } from 'express';
import type { ByteRange } from '../../blobs/blob-store.ts';
import { PreconditionFailed } from '../../errors.ts';
import { isTagNamed } from './entity-tags.ts';
import { sendParts } from './send-parts.ts';

const moment = (text: string | number | string[] | undefined): number => Date.parse(String(text));

/** RFC 9110, 13.1.1 and 13.1.4. */
function isRefused({ headers }: Request, response: Response, digest: string): boolean {
  const match = headers['if-match'];
  if (match !== undefined) return !isTagNamed(match, digest);
  return moment(response.getHeader('Last-Modified')) > moment(headers['if-unmodified-since']);
}

/**
 * RFC 9110, 13.1.2 and 13.1.3. Express' own answer is no for `Cache-Control: no-cache`, which asks caches to
 * ask the server, and which Node's `fetch` adds to each condition.
 */
function isUnchanged({ method, headers }: Request, response: Response, digest: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return isTagNamed(noneMatch, digest);
  return moment(response.getHeader('Last-Modified')) <= moment(headers['if-modified-since']);
}

/** RFC 9110, 13.1.5. */
function isSameState({ headers }: Request, response: Response, etag: string): boolean {
  const state = headers['if-range'];
  if (typeof state !== 'string') return true;
  return state.includes('"') ? state === etag : moment(response.getHeader('Last-Modified')) <= moment(state);
}

/** The only range that is asked for; several, and one without a byte, are answered with the whole. */
function rangeOf(request: Request, response: Response, etag: string, length: number): ByteRange | undefined {
  const { range = '' } = request.headers;
  if (range.includes(',') || !isSameState(request, response, etag)) return undefined;
  // RFC 9110: a suffix longer than the bytes means all of them.
  const [, suffix] = /^ *bytes *= *-(\d+) *$/.exec(range) ?? [];
  if (suffix && Number(suffix) > length && length > 0) return { start: 0, end: length - 1 };
  const ranges = request.range(length);
  return Array.isArray(ranges) && ranges.type === 'bytes' ? ranges[0] : undefined;
}

interface Sent {
  readonly digest: string;
  readonly length: number;
}

/** Whether the client is answered without the bytes. @throws PreconditionFailed */
export function isAnswered(request: Request, response: Response, { digest }: Sent): boolean {
  if (isRefused(request, response, digest)) throw new PreconditionFailed(`the blob is "${digest}"`);
  if (!isUnchanged(request, response, digest)) return false;
  response.removeHeader('Content-Type');
  response.status(304).end();
  return true;
}

/**
 * Passes bytes on, and fails unless they are so many: a file that was cut off ends the connection, not the
 * answer. Node's `strictContentLength` throws out of an event instead, which ends the process, also when only
 * the client has gone.
 */
function requireLength(digest: string, length: number): Transform {
  let passed = 0;
  const fault = (): Error => new Error(`the blob ${digest} is not as long as it was`);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.byteLength;
      done(passed > length ? fault() : null, chunk);
    },
    flush: (done) => done(passed === length ? null : fault()),
  });
}

/** Streams bytes with ranges; resolves when the last one is sent. Other headers are set before. */
export async function sendRange(
  request: Request,
  response: Response,
  { digest, length }: Sent,
  read: (range: ByteRange | undefined) => Promise<Readable>,
): Promise<void> {
  const range = rangeOf(request, response, `"${digest}"`, length);
  const stream = request.method === 'HEAD' ? undefined : await read(range);
  response.set('Accept-Ranges', 'bytes');
  if (range) {
    response.status(206);
    response.set('Content-Range', `bytes ${range.start}-${range.end}/${length}`);
  }
  const sent = range ? range.end - range.start + 1 : length;
  response.set('Content-Length', String(sent));
  if (!stream) return void response.end();
  // What comes before has listeners of its own: with those of the pipeline there are more than ten.
  response.setMaxListeners(20);
  await sendParts(response, stream, requireLength(digest, sent));
}
