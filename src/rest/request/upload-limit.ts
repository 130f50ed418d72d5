import type { Request } from 'express';
import { TooLarge, UnsupportedMedia } from '../../errors.ts';

/** A maximum number of bytes, and the name of the setting that defines it. */
export interface Limit {
  readonly bytes: number;
  readonly setting: string;
}

export const bodyTooLarge = ({ bytes, setting }: Limit): TooLarge =>
  new TooLarge(`The body must not exceed ${bytes} bytes (${setting}).`);

/**
 * Returns the maximum size of an upload.
 * @throws UnsupportedMedia if the body is compressed; TooLarge if Content-Length exceeds the maximum
 */
export function uploadLimitOf({ headers }: Request, bytes: number): Limit {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMedia('Files must be sent without a Content-Encoding.');
  const limit = { bytes, setting: 'UPLOAD_LIMIT' };
  if (Number(headers['content-length'] ?? 0) > bytes) throw bodyTooLarge(limit);
  return limit;
}
