import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { currentUser } from '../http/identify.ts';
import { requireAdministrator } from '../security/principal.ts';
import { consoleFolder } from './files.ts';

const file = `${consoleFolder}operations.json`;

/** The SHA-256 of each operation of the console as it is built now; none where it is not built. */
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
 * Administrators may send any operation, all others only those of the console: REST hands bytes to the
 * schema by their digest, which no operation may take from a caller.
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
