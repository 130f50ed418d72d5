import type { Request } from 'express';
import { TooLarge, UnsupportedMedia } from '../errors.ts';

/** The most bytes that a body may have, and the setting that says so. */
export interface Limit {
  readonly bytes: number;
  readonly name: string;
}

export const beyond = ({ bytes, name }: Limit): TooLarge =>
  new TooLarge(`the body is larger than ${name}, ${bytes} bytes`);

/**
 * What a body that brings blobs is held to.
 * @throws UnsupportedMedia when its bytes are not sent as they are; TooLarge when it says that it is too large.
 */
export function uploadLimitOf({ headers }: Request, bytes: number): Limit {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMedia('blobs are taken as they are, without a Content-Encoding');
  const limit = { bytes, name: 'UPLOAD_LIMIT' };
  if (Number(headers['content-length'] ?? 0) > bytes) throw beyond(limit);
  return limit;
}
