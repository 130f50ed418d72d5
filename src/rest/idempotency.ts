import type { Request } from 'express';
import type { Once } from '../operation.ts';
import type { Headers } from './headers.ts';
import type { Received } from './receive.ts';
import type { SentBlob } from './sent-blob.ts';

/** What we know besides is none of the request's. */
const ofCaller = (blob: SentBlob): SentBlob => ({ ...blob, joined: undefined });

/**
 * §9 `Idempotency-Key`: the request that its key stands for, so that another one under the same key is told from the
 * same one again: address, body with its blobs, and the headers that say what is to be done or answered.
 */
export function onceOf(
  { method, originalUrl, headers }: Request,
  asked: Headers,
  { json, blobs }: Received,
): Once | undefined {
  const { key, shape, options, isVoid } = asked;
  if (key === undefined) return undefined;
  const { repository, versioning, source, comment, keepsUploads } = options;
  const said = {
    repository,
    versioning,
    source,
    comment,
    isVoid,
    keepsUploads,
    ifMatch: headers['if-match'],
  };
  return { key, request: JSON.stringify([method, originalUrl, json, shape, said, ...blobs.map(ofCaller)]) };
}
