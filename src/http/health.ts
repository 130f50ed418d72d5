import { type RequestHandler, Router } from 'express';
import type { Database } from '../db/database.ts';
import { inTime } from '../db/in-time.ts';
import { Unavailable } from '../errors.ts';

/** Milliseconds in which the database answers, or does not. */
const answerTime = 2_000;

/** 503 while the server starts or stops, or the database does not answer. */
export function readiness(database: Database, isReady: () => boolean): RequestHandler {
  return async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is starting or stopping');
    await inTime(database.ping(), answerTime).catch((cause: unknown) => {
      throw new Unavailable('the database does not answer', { cause });
    });
    response.json({ status: 'up' });
  };
}

/** `/live`: the process answers. `/ready`: it serves requests. */
export function health(ready: RequestHandler): Router {
  const router = Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', ready);
  return router;
}
