/** The tasks of any document server: authenticating the user, checking permissions, and setting an ETag. */
import { hash } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type { RequestHandler, Response } from 'express';
import type pg from 'pg';
import type { Entity } from './rival-entities.ts';

interface Reader {
  readonly id: string;
  readonly is_administrator: boolean;
}

interface Guarded {
  readonly acl: number;
  readonly body: Entity;
}

interface Ace {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
}

async function readerOf(pool: pg.Pool, header: string): Promise<Reader | undefined> {
  const [id = '', ...password] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  const text = 'SELECT id, is_administrator, hash FROM person WHERE id = $1';
  const [person] = (await pool.query<Reader & { hash: string }>(text, [id])).rows;
  return person && (await verify(person.hash, password.join(':'))) ? person : undefined;
}

/** Implements Basic authentication with a cache of verified credentials. */
export function authenticate(pool: pg.Pool): RequestHandler {
  const known = new Map<string, Reader>();
  return async ({ headers }, response, next) => {
    const header = headers.authorization ?? '';
    const key = hash('sha256', header);
    const reader = known.get(key) ?? (await readerOf(pool, header));
    if (!reader) return void response.sendStatus(401);
    known.set(key, reader);
    response.locals.reader = reader;
    next();
  };
}

export type MayRead = (response: Response, row: Guarded) => boolean;

/** Loads all ACLs into memory. The first ACE that applies to a user determines whether the user can read. */
export async function rights(pool: pg.Pool): Promise<MayRead> {
  const { rows } = await pool.query<{ acl: number; body: Ace }>(
    'SELECT acl, body FROM ace ORDER BY acl, position',
  );
  return ({ locals }, { acl }) => {
    const { id, is_administrator } = locals.reader as Reader;
    if (is_administrator) return true;
    const deciding = rows.find(
      (ace) =>
        ace.acl === acl &&
        (ace.body.username === id || ace.body.username === 'Everyone') &&
        (ace.body.permission === 'Read' || ace.body.permission === 'Everything'),
    );
    return deciding?.body.granted === true;
  };
}

/**
 * Sends a document with an ETag. The ETag covers the document's state and a hash of everything else that the
 * response depends on.
 */
export function sendDocument(response: Response, entity: Entity): void {
  const { url, headers } = response.req;
  const { id } = response.locals.reader as Reader;
  const digest = hash('sha1', JSON.stringify([entity.uid, url, id]), 'base64url').slice(0, 11);
  response.setHeader('ETag', `"${entity.changeToken}-${digest}"`);
  if (headers['if-none-match'] === response.getHeader('ETag')) return void response.status(304).end();
  response.json(entity);
}
