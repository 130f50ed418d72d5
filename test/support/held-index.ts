import { EventEmitter, once } from 'node:events';
import { lockSearchIndex, lockSlowLane } from '../../src/store/row-locks/advisory-locks.ts';
import type { TestServer } from './server.ts';

/** Runs a function while a transaction holds a lock. */
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

/** Runs a function while the search index is locked, so that nothing is written to it. */
export const withIndexHeld = whileLocked(lockSearchIndex);

/**
 * Runs a function while the queue for slow documents is locked, as if another process were busy indexing a slow
 * document.
 */
export const withSlowLaneBusy = whileLocked(lockSlowLane);
