import { type RequestHandler, Router } from 'express';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';

// In milliseconds, counted in steps: while the machine does not run this process, an answer may have arrived.
const [timeout, step] = [2_000, 100];

async function requireAnswer(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let waited = 0;
    timer = setInterval(() => {
      waited += step;
      if (waited >= timeout) reject(new Error(`no answer within ${timeout} ms`));
    }, step);
  });
  await Promise.race([database.ping(), late]).finally(() => clearInterval(timer));
}

/** 503 while the server starts or stops, or the database does not answer. */
export function readiness(database: Database, isReady: () => boolean): RequestHandler {
  return async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is stopping');
    await requireAnswer(database).catch((cause: unknown) => {
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
