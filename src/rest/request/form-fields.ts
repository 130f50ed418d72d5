import type { Request } from 'express';
import { TooLarge } from '../../errors.ts';
import { readTextPart } from './json-part.ts';
import { parseMultipart } from './multipart.ts';
import { parseMimeType, partNames } from './sent-blob.ts';

/** As many as an urlencoded form may have. */
const maxFields = 1000;

/**
 * The fields of a multipart form, by name.
 * @param bytes of the whole form at most.
 * @throws Invalid; TooLarge for more bytes or fields
 * @returns undefined for a form without a boundary: older JavaScript clients send an urlencoded one as such.
 */
export async function receiveFields(
  request: Request,
  bytes: number,
): Promise<Record<string, string> | undefined> {
  const { params } = parseMimeType(request.headers['content-type'] ?? '');
  const boundary = params.get('boundary');
  if (!boundary) return undefined;
  const fields = new Map<string, string>();
  let count = 0;
  for await (const part of parseMultipart(request, { boundary, limit: { bytes, setting: 'BODY_LIMIT' } })) {
    count += 1;
    if (count > maxFields) throw new TooLarge(`the form has more than ${maxFields} fields`);
    fields.set(partNames(part, true).name ?? '', await readTextPart(part, bytes));
  }
  return Object.fromEntries(fields);
}
