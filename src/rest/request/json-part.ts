import { isUtf8 } from 'node:buffer';
import { Invalid, TooLarge } from '../../errors.ts';
import type { MultipartPart } from './multipart.ts';
import { parseMimeType, partNames, requirePlainEncoding } from './sent-blob.ts';

/** The possible names of the multipart part that contains the JSON of a call. */
export const callNames: ReadonlySet<string> = new Set(['params', 'request', 'jsondata']);

const isJsonType = (essence: string): boolean =>
  essence === 'text/plain' || /^application\/([\w.-]+\+)?json(\+[\w.-]+)?$/.test(essence);

interface PartPlace {
  readonly isForm: boolean;
  readonly isFirst: boolean;
  /** The possible names of the part that contains the JSON. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns whether a part contains the JSON of a call (§4.7). A part with one of `names` does, even if it also has the
 * file name that browsers give to a `Blob`. In a form, a part without a name contains the JSON if it has no file name.
 * In any other body, a part contains the JSON if it has no file name, or if it is the first part and has no name.
 */
export function isJsonPart(part: MultipartPart, { isForm, isFirst, names }: PartPlace) {
  const { name, file } = partNames(part, isForm);
  const { essence } = parseMimeType(part.headers['content-type'] ?? 'application/json');
  if (name !== undefined && names.has(name))
    return isJsonType(essence) || essence === 'application/octet-stream';
  if (!isJsonType(essence) || (isForm && name !== undefined)) return false;
  return file === undefined || (isFirst && !isForm && name === undefined);
}

/**
 * Reads a part as text.
 * @throws Invalid if the part is not UTF-8; TooLarge
 */
export async function readTextPart(part: MultipartPart, limit: number): Promise<string> {
  requirePlainEncoding(part);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of part.bytes) {
    length += chunk.byteLength;
    if (length > limit)
      throw new TooLarge(`The JSON of the call must not exceed ${limit} bytes (BODY_LIMIT).`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Invalid('The JSON of the call is not encoded in UTF-8.');
  return bytes.toString('utf8');
}
