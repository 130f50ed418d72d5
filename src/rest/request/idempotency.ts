import { unescape as decoded } from 'node:querystring';
import type { Request } from 'express';
import { credentialNames } from '../../log.ts';
import { languages } from '../../model/labels.ts';
import type { IdempotentRequest } from '../../scope.ts';
import type { RequestHeaders } from './headers.ts';
import type { ReceivedBody } from './receive.ts';
import type { SentBlob } from './sent-blob.ts';

/** Removes `joined`, because it depends on chunks that other requests have sent. */
const withoutJoined = (blob: SentBlob): SentBlob => ({ ...blob, joined: undefined });

/** Removes credentials from a URL, because a retry can have a new token. */
function withoutCredentials(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const remaining = rest
    .join('?')
    .split('&')
    .filter((parameter) => !credentialNames.has(decoded(parameter.split('=', 1)[0] ?? '')));
  return rest.length === 0 || remaining.length === 0 ? path : `${path}?${remaining.join('&')}`;
}

/**
 * Returns the `Idempotency-Key` (§9) and a string that identifies the request: its URL, its body including blobs, and
 * all headers that influence what the request does or how the server responds. The string distinguishes a retry from a
 * different request with the same key.
 */
export function idempotentRequestOf(
  { method, originalUrl, headers }: Request,
  requestHeaders: RequestHeaders,
  { json, blobs }: ReceivedBody,
): IdempotentRequest | undefined {
  const { idempotencyKey, shape, options, isVoid } = requestHeaders;
  if (idempotencyKey === undefined) return undefined;
  const { repository, versioning, source, comment, keepsUploads, isStrict, language } = options;
  // This string is compared with stored strings. For options that are added later, the default value must be
  // undefined, so that stored strings still match.
  const effects = {
    repository,
    versioning,
    source,
    comment,
    isVoid,
    keepsUploads,
    isStrict: isStrict || undefined,
    language: language === languages[0] ? undefined : language,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  };
  return {
    key: idempotencyKey,
    request: JSON.stringify([
      method,
      withoutCredentials(originalUrl),
      json,
      shape,
      effects,
      ...blobs.map(withoutJoined),
    ]),
  };
}
