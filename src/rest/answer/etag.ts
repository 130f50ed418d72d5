import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { Invalid, PreconditionFailed } from '../../errors.ts';
import { membershipProperties } from '../../model/memberships.ts';
import type { RequestOptions } from '../../scope.ts';
import type { ResponseShape } from '../request/headers.ts';
import { entityTags, isTagNamed } from './entity-tags.ts';

const changeToken = /^\d+-\d+(?:\/\d+-\d+)?/;

const isEmpty = (names: object): boolean => Object.keys(names).length === 0;

/**
 * Returns whether the response contains enrichers or fetch properties, whose data the document's change token does
 * not cover.
 */
const isEnriched = ({ shape: { enrichers, fetch } }: Pick<TaggedHeaders, 'shape'>): boolean =>
  !isEmpty(enrichers) || !isEmpty(fetch);

/** @throws Invalid if a conditional header contains no entity tag */
function tokensIn(name: string, header: string | undefined): string[] | undefined {
  const tags = header === undefined ? undefined : entityTags(header);
  if (tags === undefined || tags === '*') return tags && ['*'];
  if (tags.length === 0) throw new Invalid(`${name} must contain entity tags in double quotes, or *.`);
  return tags.map((whole) => changeToken.exec(whole)?.[0] ?? whole);
}

/**
 * Returns the change tokens in `If-Match`, or undefined if any state of the document matches.
 * @throws Invalid if the header contains no entity tag
 */
export function ifMatch({ headers }: Pick<Request, 'headers'>): string[] | undefined {
  const tokens = tokensIn('If-Match', headers['if-match']);
  return tokens?.includes('*') ? undefined : tokens;
}

/**
 * Returns the change tokens in the `If-None-Match` header of a write, where `*` matches any state. Returns
 * undefined if there is no such header.
 * @throws Invalid if the header contains no entity tag
 */
export const ifNoneMatch = ({ headers }: Pick<Request, 'headers'>): string[] | undefined =>
  tokensIn('If-None-Match', headers['if-none-match']);

interface Tagged {
  readonly uid: string;
  readonly changeToken: string;
  readonly isUnderRetentionOrLegalHold?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
}

// Builds an ETag from the change token and a hash of everything else that the response depends on: the document,
// the response shape, the collections that contain the document and that the caller can read, whether a retention
// period has ended, the caller if the response is enriched, and the language of labels.
function etagOf(entity: Tagged, headers: TaggedHeaders, userId: string): string {
  const { uid, changeToken, properties, isUnderRetentionOrLegalHold: isRetained } = entity;
  const memberships = membershipProperties.map((xpath) => properties?.[xpath]);
  const parts: unknown[] = [uid, headers.shape, isEnriched(headers) ? userId : '', memberships, isRetained];
  if (!isEmpty(headers.shape.translate)) parts.push(headers.options.language);
  const digest = hash('sha1', JSON.stringify(parts), 'base64url').slice(0, 11);
  return `${changeToken}-${digest}`;
}

const isTagged = (entity: unknown): entity is Tagged =>
  typeof entity === 'object' && entity !== null && 'uid' in entity && !!entity.uid && 'changeToken' in entity;

/** Returns the ETag of a response that consists of a single document; undefined for other responses. */
export const documentETag = ({ entity, headers, userId }: Answer): string | undefined =>
  isTagged(entity) ? `"${etagOf(entity, headers, userId)}"` : undefined;

/**
 * Sets the ETag of a response with a single document.
 * @returns whether the client's cached response is still current (304)
 * @throws PreconditionFailed if the `If-Match` header of a read contains a different change token
 */
export function applyETag(
  request: Request,
  response: Response,
  { entity, headers, userId }: Answer,
): boolean {
  if (!isTagged(entity)) return false;
  const etag = etagOf(entity, headers, userId);
  response.setHeader('ETag', `"${etag}"`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const wanted = ifMatch(request);
  if (wanted && !wanted.includes(entity.changeToken)) {
    throw new PreconditionFailed(
      `The change token of ${entity.uid} is ${entity.changeToken}, not ${wanted.join(' or ')}.`,
    );
  }
  const cached = request.headers['if-none-match'];
  return cached !== undefined && !isEnriched(headers) && isTagNamed(cached, etag);
}

export interface TaggedHeaders {
  readonly shape: ResponseShape;
  readonly options: Pick<RequestOptions, 'language'>;
}

interface Answer {
  readonly entity: unknown;
  readonly headers: TaggedHeaders;
  readonly userId: string;
}
