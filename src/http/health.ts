import { type RequestHandler, Router } from 'express';
import type { Database } from '../db/database.ts';
import { inTime } from '../db/in-time.ts';
import { Unavailable } from '../errors.ts';

/** Milliseconds after which a database that has not responded counts as unavailable. */
const pingTimeout = 2_000;

/** Responds with 503 while the server starts or stops, or when the database does not respond. */
export function readiness(database: Database, isReady: () => boolean): RequestHandler {
  return async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is starting or stopping');
    await inTime(database.ping(), pingTimeout).catch((cause: unknown) => {
      throw new Unavailable('the database does not answer', { cause });
    });
    response.json({ status: 'up' });
  };
}

/** `/live` tells that the process runs; `/ready` tells whether it serves requests. */
export function health(ready: RequestHandler): Router {
  const router = Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', ready);
  return router;
}
