import { EventEmitter, once } from 'node:events';
import { lockSearchIndex, lockSlowLane } from '../../src/store/row-locks/advisory-locks.ts';
import type { TestServer } from './server.ts';

/** Does work between the statement of a transaction that takes a lock and the end of that transaction. */
const whileLocked =
  (lock: typeof lockSearchIndex) =>
  async <T>({ database }: Pick<TestServer, 'database'>, work: () => Promise<T>): Promise<T> => {
    const signals = new EventEmitter();
    const locked = once(signals, 'locked');
    const held = database.transaction(120, async (client) => {
      await lock(client);
      const released = once(signals, 'released');
      signals.emit('locked');
      await released;
    });
    await Promise.race([locked, held]);
    try {
      return await work();
    } finally {
      signals.emit('released');
      await held;
    }
  };

/** Does work while nothing is written into the search index. */
export const withIndexHeld = whileLocked(lockSearchIndex);

/** Does work while the slow lane is busy, as it is when another process indexes a document that takes long. */
export const withSlowLaneBusy = whileLocked(lockSlowLane);
