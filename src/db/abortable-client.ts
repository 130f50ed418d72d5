import { setImmediate } from 'node:timers/promises';
import type { Client } from './database.ts';

/**
 * Wraps a client so that its statements fail once the signal is aborted, which rolls the transaction back. The wrapped
 * client yields to the event loop before each statement, because a long series of statements could otherwise starve
 * other requests.
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
  query: async (...call) => {
    await setImmediate();
    signal.throwIfAborted();
    return db.query(...call);
  },
});
