import type { Request } from 'express';
import { TooLarge, UnsupportedMedia } from '../../errors.ts';

/** A maximum number of bytes, and the setting that defines it. */
export interface Limit {
  readonly bytes: number;
  readonly setting: string;
}

export const bodyTooLarge = ({ bytes, setting }: Limit): TooLarge =>
  new TooLarge(`the body is larger than ${setting}, ${bytes} bytes`);

/**
 * The limit of an upload.
 * @throws UnsupportedMedia for a compressed body, TooLarge when Content-Length exceeds the limit.
 */
export function uploadLimitOf({ headers }: Request, bytes: number): Limit {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMedia('blobs are taken as they are, without a Content-Encoding');
  const limit = { bytes, setting: 'UPLOAD_LIMIT' };
  if (Number(headers['content-length'] ?? 0) > bytes) throw bodyTooLarge(limit);
  return limit;
}
