import { unescape as decoded } from 'node:querystring';
import type { Request } from 'express';
import { credentialNames } from '../../log.ts';
import { languages } from '../../model/labels.ts';
import type { IdempotentRequest } from '../../scope.ts';
import type { RequestHeaders } from './headers.ts';
import type { ReceivedBody } from './receive.ts';
import type { SentBlob } from './sent-blob.ts';

/** `joined` depends on what other requests sent before, so it does not identify this one. */
const withoutJoined = (blob: SentBlob): SentBlob => ({ ...blob, joined: undefined });

/** A retry may come with a fresh token. */
function withoutCredentials(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const kept = rest
    .join('?')
    .split('&')
    .filter((parameter) => !credentialNames.has(decoded(parameter.split('=', 1)[0] ?? '')));
  return rest.length === 0 || kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/**
 * §9 `Idempotency-Key`: everything that identifies the request of a key, so that a retry differs from another
 * request under the same key: address, body with its blobs, and the headers that change the work or the
 * answer.
 */
export function idempotentRequestOf(
  { method, originalUrl, headers }: Request,
  asked: RequestHeaders,
  { json, blobs }: ReceivedBody,
): IdempotentRequest | undefined {
  const { idempotencyKey, shape, options, isVoid } = asked;
  if (idempotencyKey === undefined) return undefined;
  const { repository, versioning, source, comment, keepsUploads, isStrict, language } = options;
  // Stored keys are compared with this text, so an option that is added later must be undefined at its default.
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
