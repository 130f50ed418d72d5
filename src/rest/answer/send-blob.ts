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
 * The digest algorithms of RFC 3230, with their names in HTTP and in Node. SHA-256 comes first, because blobs are
 * stored with their SHA-256 digest.
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

/** Returns the algorithm that `Want-Digest` prefers. Returns undefined if none of its algorithms is supported. */
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

/** Limits how many files are hashed at the same time, so that other requests can use the disk. */
const inTurn = pLimit(2);

async function hashOf(hash: string, digest: string, store: BlobStore): Promise<string> {
  const computed = createHash(hash);
  await pipeline(await store.read(digest), computed);
  return computed.digest('base64');
}

/** Cached digests by algorithm and blob. They never become invalid, because the bytes of a blob never change. */
const known = new LRUCache<string, Promise<string>>({ max: 10_000 });

interface Hashed {
  /** The SHA-256 hash in hexadecimal. */
  readonly digest: string;
  readonly text: string | null;
}

/**
 * Returns the value of the `Digest` header.
 * @param store provides the bytes, unless the text of the blob is stored in the database
 */
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
  /** The content of a note, which is not in the blob store; null for files. */
  readonly text: string | null;
  /** The modification date of the document; null if the bytes can change while this date does not. */
  readonly modified?: string | null;
  /**
   * The document that contains the blob, for the log entry of the download; null if the blob is the result of an
   * operation.
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

/** Turns a name into one path segment of at most 255 bytes that is valid in headers and file systems. */
export function fileName(name: string | null): string | undefined {
  const segment = (name ?? '').replace(/^.*[/\\]/s, '').replace(/\p{Cc}/gu, '_');
  const [ending = ''] = /\.[^.]{1,20}$/.exec(segment) ?? [];
  const stem = ending ? segment.slice(0, -ending.length) : segment;
  return truncateBytes(stem, maxNameBytes - Buffer.byteLength(ending)) + ending || undefined;
}

/**
 * Returns whether a media type contains only characters that are allowed in a header. Users can set
 * `note:mime_type` to any text.
 */
const isMimeType = (type: string): boolean => /^[\w.+-]+\/[\x20-\x7e]+$/.test(type);

export function contentTypeOf({ mimeType, encoding }: ServedBlob): string {
  const charset =
    encoding && /^text\//.test(mimeType) && !mimeType.includes('charset') ? `; charset=${encoding}` : '';
  return isMimeType(mimeType) ? `${mimeType}${charset}` : 'application/octet-stream';
}

const isInline = ({ query }: Request): boolean => query.inline === 'true';

/**
 * Returns the media type without parameters. Returns an empty string if several types are listed ("text/plain,
 * text/html"), because browsers would use the last one.
 */
const essenceOf = ({ mimeType }: ServedBlob): string =>
  (/^([\w.+/-]+) *(;[^,]*)?$/.exec(mimeType)?.[1] ?? '').toLowerCase();

/**
 * Returns whether browsers display files of this media type. Other files are always downloaded, regardless of the
 * requested disposition.
 */
const isShown = (bytes: ServedBlob): boolean =>
  /^(text|image|audio|video)\/|^application\/(pdf|xhtml\+xml|xml|json)$/.test(essenceOf(bytes));

/**
 * Returns whether files of this media type cannot run scripts in this server's origin. SVG, HTML and XML files can.
 */
const isHarmless = (bytes: ServedBlob): boolean =>
  /^((image\/(?!svg)|audio\/|video\/)[\w.-]+|application\/pdf|text\/plain)$/.test(essenceOf(bytes));

/** Returns whether the request asks for the file to be displayed rather than downloaded (§2.6). */
export const isPreview = (request: Request, bytes: ServedBlob): boolean =>
  isInline(request) && isShown(bytes);

/**
 * A content security policy that forbids scripts and external resources. Pages that the server generates have
 * embedded images and styles.
 */
const sandboxPolicy = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/**
 * A content security policy that allows browsers' built-in viewers for PDF, audio and video, which do not work in a
 * sandbox.
 */
export const viewerPolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "media-src 'self'",
  "object-src 'self'",
  "frame-src 'self'", // Browsers apply it to the viewer inside `object`.
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
].join('; ');

const dispositionOf = (request: Request, { name }: ServedBlob): string =>
  contentDisposition(fileName(name), { type: isInline(request) ? 'inline' : 'attachment' });

function describe(request: Request, response: Response, bytes: ServedBlob): void {
  const { digest, modified } = bytes;
  // This uses `setHeader`, because Express' `set` would add a charset.
  response.setHeader('Content-Type', contentTypeOf(bytes));
  response.set({
    ETag: `"${digest}"`,
    ...(modified && { 'Last-Modified': new Date(modified).toUTCString() }),
    'Content-Disposition': dispositionOf(request, bytes),
    // Digest, length and ranges refer to the stored bytes, so proxies must not compress them.
    'Cache-Control': 'private, no-cache, no-transform',
    // Uploaded pages must not run scripts in the origin of this server.
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
 * Removes range and conditional headers from requests other than GET and HEAD. RFC 9110 defines these headers for
 * resources, not for the results of calls.
 */
function dropConditions({ method, headers }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  const conditions = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
  for (const name of conditions) delete headers[name];
}

/**
 * Returns a signed URL from which the client can download the file directly from the blob store. Returns undefined
 * if this server must send the file: pages that embed a file allow only this server as a source, and only GET
 * requests can be redirected.
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
 * Streams a blob, with support for ranges and conditional headers, or redirects to a signed URL of the blob store.
 * Resolves when the last byte has been sent.
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
