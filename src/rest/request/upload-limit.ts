import type { Request } from 'express';
import { TooLarge, UnsupportedMedia } from '../../errors.ts';

/** A limit of bytes, and the setting that it comes from. */
export interface Limit {
  readonly bytes: number;
  readonly setting: string;
}

export const bodyTooLarge = ({ bytes, setting }: Limit): TooLarge =>
  new TooLarge(`the body is larger than ${setting}, ${bytes} bytes`);

/** @throws UnsupportedMedia for a compressed body; TooLarge when its Content-Length is above the limit. */
export function uploadLimitOf({ headers }: Request, bytes: number): Limit {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMedia('blobs are taken as they are, without a Content-Encoding');
  const limit = { bytes, setting: 'UPLOAD_LIMIT' };
  if (Number(headers['content-length'] ?? 0) > bytes) throw bodyTooLarge(limit);
  return limit;
}
