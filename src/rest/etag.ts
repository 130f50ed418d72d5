import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { Invalid, PreconditionFailed } from '../errors.ts';
import { membershipProperties } from '../model/memberships.ts';
import type { Headers } from './headers.ts';

/** One entity tag of a list, weak or strong, and the change token it begins with. */
const tag = /(?:W\/)?"((\d+-\d+(?:\/\d+-\d+)?)?[^"]*)"/g;

const isEmpty = (names: object): boolean => Object.keys(names).length === 0;

/** Whether the answer holds data that the document's change token does not cover. */
const isEnriched = ({ shape: { enrichers, fetch } }: Headers): boolean =>
  !isEmpty(enrichers) || !isEmpty(fetch);

/**
 * The change tokens that `If-Match` names; undefined when any state will do.
 * @throws Invalid when it holds no entity tag.
 */
export function ifMatch(request: Request): string[] | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = [...header.matchAll(tag)];
  if (tags.length === 0) throw new Invalid('If-Match: expected entity tags in double quotes, or *');
  return tags.map(([, whole = '', token]) => token ?? whole);
}

interface Tagged {
  readonly uid: string;
  readonly changeToken: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * The change token, then a hash of what else the answer depends on: document, shape and, where it matters, caller; and
 * of the memberships in it, which depend on the collections that the caller may read.
 */
function etagOf({ uid, changeToken, properties }: Tagged, headers: Headers, userId: string): string {
  const memberships = membershipProperties.map((xpath) => properties?.[xpath]);
  const parts = [uid, headers.shape, isEnriched(headers) ? userId : '', memberships];
  const digest = hash('sha1', JSON.stringify(parts), 'base64url').slice(0, 11);
  return `"${changeToken}-${digest}"`;
}

const isTagged = (entity: unknown): entity is Tagged =>
  typeof entity === 'object' && entity !== null && 'uid' in entity && 'changeToken' in entity;

/** The entity tag of an answer, when it is a single document. */
export const tagOf = ({ entity, headers, userId }: Answer): string | undefined =>
  isTagged(entity) ? etagOf(entity, headers, userId) : undefined;

/**
 * Puts the caching headers of a single document on the answer.
 * @returns whether the caller has this very answer already.
 * @throws PreconditionFailed when a read asks for another state with `If-Match`.
 */
export function tagDocument(
  request: Request,
  response: Response,
  { entity, headers, userId }: Answer,
): boolean {
  if (!isTagged(entity)) return false;
  const etag = etagOf(entity, headers, userId);
  response.setHeader('ETag', etag);
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const wanted = ifMatch(request);
  if (wanted && !wanted.includes(entity.changeToken)) {
    throw new PreconditionFailed(`${entity.uid} is at ${entity.changeToken}, not at ${wanted.join(' or ')}`);
  }
  const held = request.headers['if-none-match'];
  if (held === undefined || isEnriched(headers)) return false;
  return held.trim() === '*' || [...held.matchAll(tag)].some(([, whole]) => `"${whole}"` === etag);
}

interface Answer {
  readonly entity: unknown;
  readonly headers: Headers;
  readonly userId: string;
}
