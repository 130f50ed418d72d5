import { type RequestHandler, Router } from 'express';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';
import { inTime } from '../event-loop.ts';

/** The number of milliseconds after which a database that does not respond is considered unavailable. */
const pingTimeout = 2_000;

/** Responds with 503 while the server is starting or stopping, or if the database does not respond. */
export function readiness(database: Database, isReady: () => boolean): RequestHandler {
  return async (_, response) => {
    if (!isReady()) throw new Unavailable('The server is starting or stopping.');
    await inTime(database.ping(), pingTimeout).catch((cause: unknown) => {
      throw new Unavailable('The database is not responding.', { cause });
    });
    response.json({ status: 'up' });
  };
}

/**
 * Serves `/live`, which shows that the process is running, and `/ready`, which shows whether the server accepts
 * requests.
 */
export function health(ready: RequestHandler): Router {
  const router = Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', ready);
  return router;
}
