import { type Readable, Transform } from 'node:stream';
import type { Request, Response } from 'express';
import type { ByteRange } from '../../blobs/blob-store.ts';
import { PreconditionFailed } from '../../errors.ts';
import { isTagNamed } from './entity-tags.ts';
import { sendParts } from './send-parts.ts';

const moment = (text: string | number | string[] | undefined): number => Date.parse(String(text));

/** Returns whether a precondition of the request fails (RFC 9110, sections 13.1.1 and 13.1.4). */
function isRefused({ headers }: Request, response: Response, digest: string): boolean {
  const match = headers['if-match'];
  if (match !== undefined) return !isTagNamed(match, digest);
  return moment(response.getHeader('Last-Modified')) > moment(headers['if-unmodified-since']);
}

/**
 * Returns whether the client's cached copy is current (RFC 9110, sections 13.1.2 and 13.1.3). Express'
 * `request.fresh` is not used, because it returns false for `Cache-Control: no-cache`. That header, which Node's
 * `fetch` adds to conditional requests, only makes caches revalidate.
 */
function isUnchanged({ method, headers }: Request, response: Response, digest: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return isTagNamed(noneMatch, digest);
  return moment(response.getHeader('Last-Modified')) <= moment(headers['if-modified-since']);
}

/** Returns whether `If-Range` matches the current state of the file (RFC 9110, section 13.1.5). */
function isSameState({ headers }: Request, response: Response, etag: string): boolean {
  const state = headers['if-range'];
  if (typeof state !== 'string') return true;
  return state.includes('"') ? state === etag : moment(response.getHeader('Last-Modified')) <= moment(state);
}

/**
 * Returns the requested range of bytes. Returns undefined if the whole file must be sent, for example because the
 * request has several ranges or a range outside of the file.
 */
function rangeOf(request: Request, response: Response, etag: string, length: number): ByteRange | undefined {
  const { range = '' } = request.headers;
  if (range.includes(',') || !isSameState(request, response, etag)) return undefined;
  // According to RFC 9110, a suffix that is longer than the file selects the whole file.
  const [, suffix] = /^ *bytes *= *-(\d+) *$/.exec(range) ?? [];
  if (suffix && Number(suffix) > length && length > 0) return { start: 0, end: length - 1 };
  const ranges = request.range(length);
  return Array.isArray(ranges) && ranges.type === 'bytes' ? ranges[0] : undefined;
}

interface Sent {
  readonly digest: string;
  readonly length: number;
}

/**
 * Sends 304 if the client's copy is current.
 * @returns whether the response is complete
 * @throws PreconditionFailed
 */
export function isAnswered(request: Request, response: Response, { digest }: Sent): boolean {
  if (isRefused(request, response, digest))
    throw new PreconditionFailed(`The file has changed: its entity tag is "${digest}".`);
  if (!isUnchanged(request, response, digest)) return false;
  response.removeHeader('Content-Type');
  response.status(304).end();
  return true;
}

/**
 * Passes bytes on, and fails if their number differs from `length`. A truncated file therefore closes the connection
 * instead of ending the response normally. Node's `strictContentLength` is not used, because it throws from an event
 * handler, which would terminate the process even if the client has only disconnected.
 */
function requireLength(digest: string, length: number): Transform {
  let passed = 0;
  const fault = (): Error => new Error(`The blob ${digest} is no longer ${length} bytes long.`);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.byteLength;
      done(passed > length ? fault() : null, chunk);
    },
    flush: (done) => done(passed === length ? null : fault()),
  });
}

/**
 * Streams bytes, or the requested range of them. Resolves when the last byte has been sent. The caller must have set
 * all other headers.
 */
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
  // Earlier middleware has already added listeners. Together with the pipeline's listeners, they would exceed Node's
  // default limit of ten.
  response.setMaxListeners(20);
  await sendParts(response, stream, requireLength(digest, sent));
}
