import { basename, dirname } from 'node:path';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import send from 'send';
import type { BlobStore } from '../blobs/blob-store.ts';
import { PreconditionFailed, RangeNotSatisfiable } from '../errors.ts';
import { cutBytes, longestName } from '../model/names.ts';

/** A blob as it was asked of the schema. */
export interface Bytes {
  readonly name: string | null;
  readonly mimeType: string;
  readonly encoding: string | null;
  readonly digest: string;
  /** In bytes. */
  readonly length: number;
  /** The bytes themselves when they are not in the blob store. */
  readonly text: string | null;
  /** The document that it is of, when it is of one: what the audit tells of a download. */
  readonly document: {
    readonly repository: string;
    readonly uid: string;
    readonly path: string;
    readonly type: string;
    readonly state: string;
    readonly facets: readonly string[];
  } | null;
}

/** The name to save a blob under: one segment, of a length that fits into a header and a file system. */
export function fileName(name: string | null): string | undefined {
  const segment = (name ?? '').replace(/^.*[/\\]/s, '').replace(/\p{Cc}/gu, '_');
  const [ending = ''] = /\.[^.]{1,20}$/.exec(segment) ?? [];
  const stem = ending ? segment.slice(0, -ending.length) : segment;
  return cutBytes(stem, longestName - Buffer.byteLength(ending)) + ending || undefined;
}

/** What can stand in a header; a note's type, say, is text that nobody checked. */
const isMimeType = (type: string): boolean => /^[\w.+-]+\/[\x20-\x7e]+$/.test(type);

/** What a blob says it is, as far as a header can say so. */
export function contentTypeOf({ mimeType, encoding }: Bytes): string {
  const charset =
    encoding && /^text\//.test(mimeType) && !mimeType.includes('charset') ? `; charset=${encoding}` : '';
  return isMimeType(mimeType) ? `${mimeType}${charset}` : 'application/octet-stream';
}

/** RFC 3230: whether the caller wants the digest that we have, among others perhaps. */
const wantsDigest = ({ headers }: Request): boolean =>
  /(^|,)\s*sha-256\s*(;\s*q=(1|0*\.0*[1-9])[\d.]*\s*)?(,|$)/i.test(String(headers['want-digest'] ?? ''));

function describe(request: Request, response: Response, bytes: Bytes): void {
  const { name, digest } = bytes;
  if (wantsDigest(request))
    response.setHeader('Digest', `SHA-256=${Buffer.from(digest, 'hex').toString('base64')}`);
  const type = request.query.inline === 'true' ? 'inline' : 'attachment';
  // Not by `set`, which adds a charset of its own.
  response.setHeader('Content-Type', contentTypeOf(bytes));
  response.set({
    ETag: `"${digest}"`,
    'Content-Disposition': contentDisposition(fileName(name), { type }),
    // Compressed bytes would be other bytes than the digest, the length and the ranges speak of.
    'Cache-Control': 'private, no-cache, no-transform',
    // What users upload is never a page of ours, whatever it says it is.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });
}

/** Takes back what describes the bytes, for an answer that is an error. */
function forget(response: Response): void {
  if (response.headersSent) return;
  const names = [
    ...['ETag', 'Content-Type', 'Content-Disposition', 'Content-Security-Policy', 'Accept-Ranges'],
    'Digest',
  ];
  for (const name of names) response.removeHeader(name);
}

/** RFC 9110: more of the end than there is, is all of it; `send` would find nothing there. */
function widenSuffix(request: Request, length: number): void {
  const [, suffix] = /^ *bytes *= *-(\d+) *$/.exec(request.headers.range ?? '') ?? [];
  if (suffix && Number(suffix) > length) request.headers.range = 'bytes=0-';
}

/** RFC 9110: ranges and conditions are for reads; of bytes that a call answers they say nothing. */
function forgetConditions({ method, headers }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  const conditions = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
  for (const name of conditions) delete headers[name];
}

/** Streams a blob's bytes: ranges and conditions included; resolves when the last one is sent. */
export function sendBytes(
  request: Request,
  response: Response,
  bytes: Bytes,
  store: BlobStore,
): Promise<void> {
  describe(request, response, bytes);
  forgetConditions(request);
  if (bytes.text !== null) {
    const buffer = Buffer.from(bytes.text, 'utf8');
    if (request.fresh) response.status(304).end();
    else response.set('Content-Length', String(buffer.byteLength)).end(buffer);
    return Promise.resolve();
  }
  widenSuffix(request, bytes.length);
  const file = store.file(bytes.digest);
  return new Promise((resolve, reject) => {
    response.once('close', resolve);
    send(request, basename(file), {
      root: dirname(file),
      etag: false,
      lastModified: false,
      cacheControl: false,
    })
      .on('error', (error: Error & { status?: number }) => {
        forget(response);
        // `Content-Range`, which tells the length, is set already.
        if (error.status === 416) reject(new RangeNotSatisfiable('Range: nothing of the blob lies in it'));
        else if (error.status === 412) reject(new PreconditionFailed(`the blob is "${bytes.digest}"`));
        else reject(new Error(`the blob store does not bring ${bytes.digest}`, { cause: error }));
      })
      .pipe(response);
  });
}
