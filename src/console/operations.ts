import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { Forbidden } from '../errors.ts';
import { currentUser } from '../http/identify.ts';
import { consoleFolder } from './files.ts';

/** The SHA-256 of each operation that the console sends; none where it is not built. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const text = await readFile(`${consoleFolder}operations.json`, 'utf8').catch(() => '[]');
  return new Set(JSON.parse(text) as string[]);
}

/**
 * Administrators may send any operation, all others only those of the console: REST hands bytes to the
 * schema by their digest, which no operation may take from a caller.
 * @throws Forbidden
 */
export function consoleOperations(): RequestHandler {
  let known: Promise<ReadonlySet<string>> | undefined;
  return async (request, response, next) => {
    const user = currentUser(response);
    if (user.isAdministrator) return next();
    const { query } = (request.body ?? {}) as { query?: unknown };
    known ??= readKnown();
    const isKnown = typeof query === 'string' && (await known).has(hash('sha256', query));
    if (request.method !== 'POST' || !isKnown)
      throw new Forbidden(`this is for administrators, and ${user.id} is none`);
    next();
  };
}
