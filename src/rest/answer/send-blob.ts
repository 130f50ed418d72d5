import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { BlobStore, ByteRange } from '../../blobs/blob-store.ts';
import { maxNameBytes, truncateBytes } from '../../model/names.ts';
import { isAnswered, sendRange } from './send-range.ts';

/**
 * RFC 3230: digest algorithms by their names in HTTP and in Node. SHA-256 comes first because blobs are
 * stored with it.
 */
const algorithms = [
  { name: 'SHA-256', hash: 'sha256' },
  { name: 'SHA-512', hash: 'sha512' },
  { name: 'SHA', hash: 'sha1' },
  { name: 'MD5', hash: 'md5' },
] as const;

interface Algorithm {
  readonly name: string;
  readonly hash: string;
}

const algorithmWithQuality = /^([\w-]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?|\.\d{1,3}))?$/;

/** The algorithm with the highest quality in `Want-Digest`; undefined if none is supported. */
function wantedDigest(header: string): Algorithm | undefined {
  const wanted = new Map<string, number>();
  for (const part of header.slice(0, 500).split(',')) {
    const [, name, quality = '1'] = algorithmWithQuality.exec(part.trim()) ?? [];
    if (name !== undefined) wanted.set(name.toUpperCase(), Number(quality));
  }
  const qualityOf = ({ name }: Algorithm): number => wanted.get(name) ?? 0;
  const best = [...algorithms].sort((one, other) => qualityOf(other) - qualityOf(one))[0];
  return best && qualityOf(best) > 0 ? best : undefined;
}

/** Limits how many files are hashed at a time, so that other requests can use the disk. */
const inTurn = pLimit(2);

async function hashOf(hash: string, digest: string, store: BlobStore): Promise<string> {
  const computed = createHash(hash);
  await pipeline(await store.read(digest), computed);
  return computed.digest('base64');
}

/** Digests by algorithm and blob. They stay valid because the bytes of a blob never change. */
const known = new LRUCache<string, Promise<string>>({ max: 10_000 });

interface Hashed {
  /** The SHA-256 hash in hexadecimal. */
  readonly digest: string;
  readonly text: string | null;
}

/** The value of the `Digest` header. @param store provides the bytes, unless the blob is a text */
async function digestHeader(
  { name, hash }: Algorithm,
  { digest, text }: Hashed,
  store: BlobStore,
): Promise<string> {
  if (hash === 'sha256') return `${name}=${Buffer.from(digest, 'hex').toString('base64')}`;
  if (text !== null) return `${name}=${createHash(hash).update(text, 'utf8').digest('base64')}`;
  const key = `${hash} ${digest}`;
  const computing = known.get(key) ?? inTurn(() => hashOf(hash, digest, store));
  known.set(key, computing);
  computing.catch(() => known.delete(key));
  return `${name}=${await computing}`;
}

export interface ServedBlob {
  readonly name: string | null;
  readonly mimeType: string;
  readonly encoding: string | null;
  readonly digest: string;
  readonly length: number;
  /** The content of a note, which is not stored in the blob store; null for files. */
  readonly text: string | null;
  /** The modification date of the document; null if it says nothing about the bytes. */
  readonly modified?: string | null;
  /**
   * The document that contains the blob, for the log entry of the download; null for results of operations.
   */
  readonly document: {
    readonly repository: string;
    readonly uid: string;
    readonly path: string;
    readonly type: string;
    readonly state: string;
    readonly facets: readonly string[];
  } | null;
}

/** Turns a name into one path segment of at most 255 bytes, which headers and file systems accept. */
export function fileName(name: string | null): string | undefined {
  const segment = (name ?? '').replace(/^.*[/\\]/s, '').replace(/\p{Cc}/gu, '_');
  const [ending = ''] = /\.[^.]{1,20}$/.exec(segment) ?? [];
  const stem = ending ? segment.slice(0, -ending.length) : segment;
  return truncateBytes(stem, maxNameBytes - Buffer.byteLength(ending)) + ending || undefined;
}

/**
 * Whether a media type contains only characters that are safe in a header. Users set some types unchecked
 * (`note:mime_type`).
 */
const isMimeType = (type: string): boolean => /^[\w.+-]+\/[\x20-\x7e]+$/.test(type);

export function contentTypeOf({ mimeType, encoding }: ServedBlob): string {
  const charset =
    encoding && /^text\//.test(mimeType) && !mimeType.includes('charset') ? `; charset=${encoding}` : '';
  return isMimeType(mimeType) ? `${mimeType}${charset}` : 'application/octet-stream';
}

const isInline = ({ query }: Request): boolean => query.inline === 'true';

/**
 * The media type without parameters. It is empty if there are several types ("text/plain, text/html"), since
 * browsers use the last one.
 */
const essenceOf = ({ mimeType }: ServedBlob): string =>
  (/^([\w.+/-]+) *(;[^,]*)?$/.exec(mimeType)?.[1] ?? '').toLowerCase();

/** Whether browsers display the media type. They save files of other types, whatever the disposition is. */
const isShown = (bytes: ServedBlob): boolean =>
  /^(text|image|audio|video)\/|^application\/(pdf|xhtml\+xml|xml|json)$/.test(essenceOf(bytes));

/**
 * Whether files of this media type cannot run scripts in the origin of this server. SVG, HTML and XML can.
 */
const isHarmless = (bytes: ServedBlob): boolean =>
  /^((image\/(?!svg)|audio\/|video\/)[\w.-]+|application\/pdf|text\/plain)$/.test(essenceOf(bytes));

/** §2.6: whether a request displays a file instead of downloading it. */
export const isPreview = (request: Request, bytes: ServedBlob): boolean =>
  isInline(request) && isShown(bytes);

/** Forbids scripts and external resources. Pages that the server generates embed their images and styles. */
const sandboxPolicy = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Allows the PDF, audio and video viewers of browsers, which do not start in a sandbox. */
export const viewerPolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "media-src 'self'",
  "object-src 'self'",
  "frame-src 'self'", // browsers check it for the viewer inside `object`
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
].join('; ');

const dispositionOf = (request: Request, { name }: ServedBlob): string =>
  contentDisposition(fileName(name), { type: isInline(request) ? 'inline' : 'attachment' });

function describe(request: Request, response: Response, bytes: ServedBlob): void {
  const { digest, modified } = bytes;
  // Express' `set` would add a charset.
  response.setHeader('Content-Type', contentTypeOf(bytes));
  response.set({
    ETag: `"${digest}"`,
    ...(modified && { 'Last-Modified': new Date(modified).toUTCString() }),
    'Content-Disposition': dispositionOf(request, bytes),
    // Digest, length and ranges refer to the stored bytes, so proxies must not compress them.
    'Cache-Control': 'private, no-cache, no-transform',
    // An uploaded page must not run scripts in the origin of this server.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': isInline(request) && isHarmless(bytes) ? viewerPolicy : sandboxPolicy,
  });
}

function removeBlobHeaders(response: Response): void {
  if (response.headersSent) return;
  const names = [
    'ETag',
    'Last-Modified',
    'Content-Type',
    'Content-Disposition',
    'Content-Security-Policy',
    'Accept-Ranges',
    'Digest',
  ];
  for (const name of names) response.removeHeader(name);
}

/**
 * Removes ranges and conditions from requests that are not reads: RFC 9110 applies them to resources, not to
 * the results of calls.
 */
function dropConditions({ method, headers }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  const conditions = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
  for (const name of conditions) delete headers[name];
}

/**
 * A signed URL at which the blob store itself serves the file; undefined if the request must be served here.
 * Pages that embed a file allow only this server as a source, and only GET can be redirected.
 */
async function signedAddress(
  request: Request,
  bytes: ServedBlob,
  store: BlobStore,
): Promise<string | undefined> {
  if (request.method !== 'GET' || isInline(request) || bytes.text !== null) return undefined;
  return store.signedAddress?.(bytes.digest, {
    contentType: contentTypeOf(bytes),
    contentDisposition: dispositionOf(request, bytes),
  });
}

function readBytes({ digest, text }: ServedBlob, store: BlobStore, range?: ByteRange): Promise<Readable> {
  if (text === null) return store.read(digest, range);
  const whole = Buffer.from(text, 'utf8');
  return Promise.resolve(Readable.from([range ? whole.subarray(range.start, range.end + 1) : whole]));
}

function redirect(response: Response, address: string): void {
  removeBlobHeaders(response);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Location', address);
  response.status(302).end();
}

/**
 * Streams a blob with support for ranges and conditional headers, or redirects to a signed URL of the blob
 * store. Resolves when the last byte is sent.
 */
export async function sendBlob(
  request: Request,
  response: Response,
  bytes: ServedBlob,
  store: BlobStore,
): Promise<void> {
  const wanted = wantedDigest(String(request.headers['want-digest'] ?? ''));
  if (wanted) response.setHeader('Digest', await digestHeader(wanted, bytes, store));
  describe(request, response, bytes);
  dropConditions(request);
  try {
    if (isAnswered(request, response, bytes)) return;
    const address = wanted ? undefined : await signedAddress(request, bytes, store);
    if (address !== undefined) return redirect(response, address);
    await sendRange(request, response, bytes, (range) => readBytes(bytes, store, range));
  } catch (error) {
    removeBlobHeaders(response);
    throw error;
  }
}
