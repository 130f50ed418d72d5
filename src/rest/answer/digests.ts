import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { BlobStore } from '../../blobs/blob-store.ts';

/** RFC 3230: the name in the headers, and the hash; SHA-256 is first, since it is known. */
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

const wish = /^([\w-]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?|\.\d{1,3}))?$/;

/** What `Want-Digest` asks for most of what there is. */
export function wantedDigest(header: string): Algorithm | undefined {
  const wanted = new Map<string, number>();
  for (const part of header.slice(0, 500).split(',')) {
    const [, name, quality = '1'] = wish.exec(part.trim()) ?? [];
    if (name !== undefined) wanted.set(name.toUpperCase(), Number(quality));
  }
  const qualityOf = ({ name }: Algorithm): number => wanted.get(name) ?? 0;
  const best = [...algorithms].sort((one, other) => qualityOf(other) - qualityOf(one))[0];
  return best && qualityOf(best) > 0 ? best : undefined;
}

/** Reading whole files leaves the disk to others. */
const inTurn = pLimit(2);

async function hashOf(hash: string, digest: string, store: BlobStore): Promise<string> {
  const computed = createHash(hash);
  await pipeline(await store.read(digest), computed);
  return computed.digest('base64');
}

/** The bytes of a file never change, so a digest is computed once while it is remembered. */
const known = new LRUCache<string, Promise<string>>({ max: 10_000 });

interface Hashed {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly text: string | null;
}

/** The value of the header `Digest`. @param store has the bytes, unless they are a text */
export async function digestHeader(
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
