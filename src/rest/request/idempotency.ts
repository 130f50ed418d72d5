import { unescape as decoded } from 'node:querystring';
import type { Request } from 'express';
import { credentialNames } from '../../log.ts';
import { languages } from '../../model/labels.ts';
import type { IdempotentRequest } from '../../scope.ts';
import type { RequestHeaders } from './headers.ts';
import type { ReceivedBody } from './receive.ts';
import type { SentBlob } from './sent-blob.ts';

/** Removes `joined`, which depends on chunks that other requests have sent. */
const withoutJoined = (blob: SentBlob): SentBlob => ({ ...blob, joined: undefined });

/** Removes credentials from a URL, since a retry may be sent with a new token. */
function withoutCredentials(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const remaining = rest
    .join('?')
    .split('&')
    .filter((parameter) => !credentialNames.has(decoded(parameter.split('=', 1)[0] ?? '')));
  return rest.length === 0 || remaining.length === 0 ? path : `${path}?${remaining.join('&')}`;
}

/**
 * §9 `Idempotency-Key`: the key, with a text that identifies its request: the address, the body with its
 * blobs, and all headers that change the work or the response. It distinguishes a retry from a different
 * request with the same key.
 */
export function idempotentRequestOf(
  { method, originalUrl, headers }: Request,
  requestHeaders: RequestHeaders,
  { json, blobs }: ReceivedBody,
): IdempotentRequest | undefined {
  const { idempotencyKey, shape, options, isVoid } = requestHeaders;
  if (idempotencyKey === undefined) return undefined;
  const { repository, versioning, source, comment, keepsUploads, isStrict, language } = options;
  // This text is compared with stored ones. An option that is added later must be undefined at its default,
  // so that stored texts still match.
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
