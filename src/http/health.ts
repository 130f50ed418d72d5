import { Router } from 'express';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';

/** A database that takes longer than this to say a word is not ready, in milliseconds. */
const patience = 2_000;

const ping = { name: 'ping', text: 'SELECT 1' };

async function answers(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience);
  });
  await Promise.race([database.query(ping, []), late]).finally(() => clearTimeout(timer));
}

/** `/live`: the process answers. `/ready`: it wants requests, and the database answers. */
export function health(database: Database, isReady: () => boolean): Router {
  const router = Router();
  router.get('/live', (_, response) => response.json({ status: 'up' }));
  router.get('/ready', async (_, response) => {
    if (!isReady()) throw new Unavailable('the server is stopping');
    await answers(database).catch((cause: unknown) => {
      throw new Unavailable('the database does not answer', { cause });
    });
    response.json({ status: 'up' });
  });
  return router;
}
