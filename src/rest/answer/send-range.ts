import { type Readable, Transform } from 'node:stream';
import type { Request, Response } from 'express';
import type { ByteRange } from '../../blobs/blob-store.ts';
import { PreconditionFailed } from '../../errors.ts';
import { isTagNamed } from './entity-tags.ts';
import { sendParts } from './send-parts.ts';

const moment = (text: string | number | string[] | undefined): number => Date.parse(String(text));

/** Whether a precondition fails (RFC 9110, 13.1.1 and 13.1.4). */
function isRefused({ headers }: Request, response: Response, digest: string): boolean {
  const match = headers['if-match'];
  if (match !== undefined) return !isTagNamed(match, digest);
  return moment(response.getHeader('Last-Modified')) > moment(headers['if-unmodified-since']);
}

/**
 * Whether the client's cached copy is current (RFC 9110, 13.1.2 and 13.1.3). Express' `request.fresh` is not
 * used: it is false for `Cache-Control: no-cache`, which only makes caches revalidate, and which Node's
 * `fetch` adds to conditional requests.
 */
function isUnchanged({ method, headers }: Request, response: Response, digest: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return isTagNamed(noneMatch, digest);
  return moment(response.getHeader('Last-Modified')) <= moment(headers['if-modified-since']);
}

/** Whether `If-Range` matches the current state (RFC 9110, 13.1.5). */
function isSameState({ headers }: Request, response: Response, etag: string): boolean {
  const state = headers['if-range'];
  if (typeof state !== 'string') return true;
  return state.includes('"') ? state === etag : moment(response.getHeader('Last-Modified')) <= moment(state);
}

/**
 * The requested range of bytes. Several ranges, or one outside of the file, are answered with the whole file.
 */
function rangeOf(request: Request, response: Response, etag: string, length: number): ByteRange | undefined {
  const { range = '' } = request.headers;
  if (range.includes(',') || !isSameState(request, response, etag)) return undefined;
  // RFC 9110: a suffix longer than the file means the whole file.
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
 * Sends 304 if the client's copy is current. @returns whether the response is complete. @throws
 * PreconditionFailed
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
 * Passes bytes on and fails if their number differs from `length`, so that a truncated file closes the
 * connection instead of ending the response normally. Node's `strictContentLength` does not help: it throws
 * from an event handler, which ends the process even if only the client has disconnected.
 */
function requireLength(digest: string, length: number): Transform {
  let passed = 0;
  const fault = (): Error => new Error(`The blob ${digest} does not have ${length} bytes any more.`);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.byteLength;
      done(passed > length ? fault() : null, chunk);
    },
    flush: (done) => done(passed === length ? null : fault()),
  });
}

/**
 * Streams bytes, or the requested range of them. Resolves when the last byte is sent. The caller sets all
 * other headers before.
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
  // Earlier middleware has added listeners; those of the pipeline would exceed Node's default limit of ten.
  response.setMaxListeners(20);
  await sendParts(response, stream, requireLength(digest, sent));
}
