import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { currentUser } from '../http/identify.ts';
import { requireAdministrator } from '../security/principal.ts';
import { consoleFolder } from './files.ts';

const file = `${consoleFolder}operations.json`;

/**
 * Returns a function that resolves with the SHA-256 hashes of the console's GraphQL operations. It reads them again
 * after the console has been rebuilt. If the console has never been built, the set is empty.
 */
function knownOperations(): () => Promise<ReadonlySet<string>> {
  let known: ReadonlySet<string> = new Set();
  let builtAt: number | undefined;
  return async () => {
    const time = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (time !== builtAt) {
      known = new Set(JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as string[]);
      builtAt = time;
    }
    return known;
  };
}

/**
 * Restricts users who are not administrators to the GraphQL operations that the console uses. Arbitrary operations would
 * be unsafe: for example, the schema identifies blobs by digest, so a caller who knows a digest could read its blob.
 * @throws Forbidden
 */
export function consoleOperations(): RequestHandler {
  const knownNow = knownOperations();
  return async (request, response, next) => {
    const user = currentUser(response);
    if (user.isAdministrator) return next();
    const { query } = (request.body ?? {}) as { query?: unknown };
    const isKnown = typeof query === 'string' && (await knownNow()).has(hash('sha256', query));
    if (request.method !== 'POST' || !isKnown) requireAdministrator(user);
    next();
  };
}
