import { type RequestHandler, Router } from 'express';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';

/**
 * A database that takes longer than this to say a word is not ready, in milliseconds. They are counted in steps: where
 * this process stood still, since the machine had no time for it, the answer may be there and was not read.
 */
const [patience, step] = [2_000, 100];

const ping = { name: 'ping', text: 'SELECT 1' };

async function answers(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    timer = setInterval(() => {
      waited += step;
      if (waited >= patience) reject(new Error(`no answer within ${patience} ms`));
    }, step);
  });
  await Promise.race([database.query(ping, []), late]).finally(() => clearInterval(timer));
}

/** Whether the server wants requests, and the database answers; else 503. */
export function readiness(database: Database, isReady: () => boolean): RequestHandler {
  return async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is stopping');
    await answers(database).catch((cause: unknown) => {
      throw new Unavailable('the database does not answer', { cause });
    });
    response.json({ status: 'up' });
  };
}

/** `/live`: the process answers. `/ready`: it does its work. */
export function health(ready: RequestHandler): Router {
  const router = Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', ready);
  return router;
}
