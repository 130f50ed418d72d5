import type { Request } from 'express';
import { readTextPart } from './json-part.ts';
import { parseMultipart } from './multipart.ts';
import { parseMimeType, partNames } from './sent-blob.ts';

/**
 * The fields of a multipart form, by name.
 * @param bytes of the whole form at most.
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
  for await (const part of parseMultipart(request, { boundary, limit: { bytes, setting: 'BODY_LIMIT' } }))
    fields.set(partNames(part, true).name ?? '', await readTextPart(part, bytes));
  return Object.fromEntries(fields);
}
