import { setImmediate } from 'node:timers/promises';
import type { Client } from './database.ts';

/**
 * A client whose statements fail once the signal is aborted, so that the transaction is rolled back. Before
 * each statement other requests run: the embedded database would keep the event loop to itself.
 */
export const abortableClient = (signal: AbortSignal, db: Client): Client => ({
  announce: db.announce,
  outside: (key, work) => {
    signal.throwIfAborted();
    return db.outside(key, work);
  },
  get prisma() {
    signal.throwIfAborted();
    return db.prisma;
  },
  aside:
    db.aside &&
    (async (work) => {
      await setImmediate();
      signal.throwIfAborted();
      return (db.aside as NonNullable<Client['aside']>)(work);
    }),
  query: async (...asked) => {
    await setImmediate();
    signal.throwIfAborted();
    return db.query(...asked);
  },
});
